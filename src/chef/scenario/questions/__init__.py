"""Rows as questions: what the tables of every format and every benchmark have in common."""
