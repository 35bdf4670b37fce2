"""Data sets of a user's own, written for MMTrustEval."""
