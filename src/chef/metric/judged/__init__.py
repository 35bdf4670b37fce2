"""Metrics of what judges say about answers."""

from chef.metric.judgeable import plain

__all__ = ["plain"]
