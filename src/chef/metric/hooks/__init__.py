"""Metrics that call code written for other evaluators."""
