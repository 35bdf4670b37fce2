"""Corruptions of images at severities 1 to 5, with ChEF's tables, and its sequence of them."""
