"""Metrics of boxes and points."""
