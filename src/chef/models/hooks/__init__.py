"""How a model's own methods answer requests, one file a family of hooks."""
