"""Metrics of what judges say about answers."""
