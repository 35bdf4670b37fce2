"""The models of ChEF by name, and what takes their place: the table ``chef_models.yaml``."""

from __future__ import annotations

from functools import cache

from chef.common.yaml_text import shipped
from chef.frozen import Frozen

#: The model file that is copied, or used, where ChEF's model has none.
EXAMPLE = "configs/models/llava15.yaml"


class ChefModel(Frozen):
    """A model of ChEF: names, weights, whether transformers loads them, and what to use."""

    names: tuple[str, ...]
    checkpoint: str | None = None
    transformers: bool = False
    use: str | None = None
    why: str = ""

    @property
    def hint(self) -> str:
        """What to use instead, for the error message."""
        known = self.checkpoint and self.checkpoint not in self.why
        if self.use:
            former = f" (ChEF's checkpoint: {self.checkpoint})" if known else ""
            return f"use configs/models/{self.use}: {self.why}{former}"
        why = f" ({self.why})" if self.why else ""
        parts = [f"no file in configs/models takes its place{why}"]
        if self.checkpoint and self.transformers:
            parts.append(
                f"copy {EXAMPLE} and write model_path: {self.checkpoint}, which transformers "
                "loads and chef does not test"
            )
        else:
            where = f" around {self.checkpoint}" if self.checkpoint else ""
            parts.append(
                f"write a class of your own{where} (docs/guide/models.md), "
                f"or ask another model: {EXAMPLE}"
            )
        return "; ".join(parts)


@cache
def chef_models() -> tuple[ChefModel, ...]:
    """All models of ChEF."""
    import msgspec

    return msgspec.convert(shipped("chef.models", "chef_models.yaml"), tuple[ChefModel, ...])


def find_chef_model(name: str) -> ChefModel | None:
    """The model of ChEF that has this name, or is spelt nearly so; None if there is none.

    >>> find_chef_model("minigpt4") is find_chef_model("MiniGPT-4")
    True
    """
    wanted = _folded(name)
    for model in chef_models():
        if wanted and wanted in map(_folded, model.names):
            return model
    return None


def _folded(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
