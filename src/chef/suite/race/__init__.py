"""Races: several models are asked the same samples until the best one is decided."""
