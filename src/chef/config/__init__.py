"""Reads recipes and model files into checked, typed objects."""

from chef.config.document import Document
from chef.config.judge import JudgeSection
from chef.config.model import ModelSpec, load_model
from chef.config.recipe import Recipe, load_recipe, with_judge
from chef.config.spec import Spec

__all__ = [
    "Document",
    "JudgeSection",
    "ModelSpec",
    "Recipe",
    "Spec",
    "load_model",
    "load_recipe",
    "with_judge",
]
