"""Scenarios by ChEF's own rules (``compat: upstream``), one file each, named in ``SCENARIOS``."""
