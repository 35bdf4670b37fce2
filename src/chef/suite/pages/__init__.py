"""Pages of runs, comparisons, sweeps and score sheets: what is given, and where each is written."""
