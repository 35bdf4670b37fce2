"""Metrics of classes that are mentioned in an answer."""
