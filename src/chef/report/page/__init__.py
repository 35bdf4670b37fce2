"""The page of a run, a comparison, a sweep or a suite: one HTML file that opens from disk."""
