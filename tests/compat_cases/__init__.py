"""Rules of other systems against cases worked by hand from their descriptions, before the code."""
