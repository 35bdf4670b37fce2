"""Score stored predictions without loading a model."""
