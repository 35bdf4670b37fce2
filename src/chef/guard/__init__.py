"""What comes from outside: which files are opened, and what a run folder may name."""
