"""A data set of drawn shapes, which needs no files."""
