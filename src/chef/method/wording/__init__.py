"""Corruptions of the text of questions, and ChEF's sequence of them."""
