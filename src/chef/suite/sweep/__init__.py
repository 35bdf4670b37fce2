"""Sweeps: one recipe with values of any keys, and how much of the score each key decides."""
