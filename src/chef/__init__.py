"""chef: recipe-based evaluation of multimodal language models."""

__version__ = "0.1.0"
