"""Classes that others have written for other evaluators, asked by chef."""
