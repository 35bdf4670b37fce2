"""Published comparisons of free answers with their references; each has a file and a name."""
