"""One call: models, recipes, and the runs of each model."""
