"""ChEF's own rules (``compat: upstream``): one file a metric, one line in ``METRICS`` each."""
