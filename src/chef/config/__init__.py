"""Reads recipes and model files into checked, typed objects."""

from chef.config.document import Document
from chef.config.recipe import ModelSpec, Recipe, load_model, load_recipe
from chef.config.spec import Spec

__all__ = ["Document", "ModelSpec", "Recipe", "Spec", "load_model", "load_recipe"]
