"""Suites: several recipes with one model, and figures that formulas make of their runs."""
