"""Several runs, one figure."""
