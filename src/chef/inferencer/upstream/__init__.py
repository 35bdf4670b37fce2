"""Inferencers by ChEF's own rules, which ``compat: upstream`` asks for."""
