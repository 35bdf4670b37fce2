"""Uncertainty: one engine for the interval of every figure, and for differences between runs.

A figure is a ratio of sums over samples, or a function of such sums (`figures.py`). Samples that
share an image, a question or a group form a cluster (`clusters.py`); only clusters are taken as
independent. What each cluster does to the figure gives its variance (`influence.py`), and the scale
of the figure gives the form of the interval (`scales.py`).
"""
