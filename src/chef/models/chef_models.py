"""The models of ChEF by name, and what takes their place: the table ``chef_models.yaml``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class ChefModel:
    """One model of ChEF.

    Attributes:
        names: its ``model_name`` in ChEF, then other spellings.
        checkpoint: its weights on the hub; None where they are not there.
        transformers: whether transformers loads that checkpoint.
        use: the file in ``configs/models`` that takes its place; None for none.
        why: what else is to be known.
    """

    names: tuple[str, ...]
    checkpoint: str | None = None
    transformers: bool = False
    use: str | None = None
    why: str = ""

    @property
    def hint(self) -> str:
        """What to use instead, for the error message."""
        if self.use:
            return f"use configs/models/{self.use}: {self.why}"
        why = f" ({self.why})" if self.why else ""
        parts = [f"no file in configs/models takes its place{why}"]
        if self.checkpoint and self.transformers:
            parts.append(
                f"transformers loads {self.checkpoint}, which is not tested here: "
                f"write model_name: HuggingFace and model_path: {self.checkpoint}"
            )
        else:
            where = f" around {self.checkpoint}" if self.checkpoint else ""
            parts.append(f"write a class of your own{where}, see docs/models.md")
        return "; ".join(parts)


@cache
def chef_models() -> tuple[ChefModel, ...]:
    """All models of ChEF."""
    import msgspec
    import yaml

    text = (files("chef.models") / "chef_models.yaml").read_text("utf-8")
    return msgspec.convert(yaml.safe_load(text), tuple[ChefModel, ...])


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
