"""Metrics of classes named in an answer."""
