"""Reads recipes and model files into checked, typed objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chef.common.front_modules import attributes

if TYPE_CHECKING:
    from chef.config.document import Document
    from chef.config.judge import JudgeSection
    from chef.config.model import ModelSpec, load_model
    from chef.config.recipe import Recipe, load_recipe, with_judge
    from chef.config.spec import Spec
else:
    __getattr__ = attributes(
        __name__,
        {
            "chef.config.document": ("Document",),
            "chef.config.judge": ("JudgeSection",),
            "chef.config.model": ("ModelSpec", "load_model"),
            "chef.config.recipe": ("Recipe", "load_recipe", "with_judge"),
            "chef.config.spec": ("Spec",),
        },
    )

__all__ = [
    "Document", "JudgeSection", "ModelSpec", "Recipe", "Spec", "load_model", "load_recipe",
    "with_judge",
]  # fmt: skip
