"""Generation: rows in, replies out."""
