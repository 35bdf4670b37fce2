"""Finished runs: their numbers, tables of them, and what a run folder holds."""
