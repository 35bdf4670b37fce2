"""Drawn shapes: a data set that needs no files."""
