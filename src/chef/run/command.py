"""The command that asks samples of a run again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from chef.common.redaction import redact_data
from chef.config.document import Document
from chef.config.shipped import Kind, shipped

#: The key of environment.json for the words that named the model and the recipe of a run.
ASKED_WITH = "asked_with"


def asked_with(model: Document, recipe: Document, seed: int) -> dict[str, Any]:
    """What environment.json keeps of the command of a run; empty where no files name both."""
    names = _name(model, "models"), _name(recipe, "recipes")
    keys = [*(f"model_cfg.{item}" for item in model.overrides), *recipe.overrides]
    words = [*names, *keys, *(["--seed", str(seed)] if seed else [])]
    # A command without its secrets would ask something else.
    return {ASKED_WITH: words} if all(names) and redact_data(words) == words else {}


def _name(document: Document, kind: Kind) -> str:
    """The name of a file of chef's own, else its path; empty where there is no YAML file."""
    path = document.path.absolute()
    if document.given is not None or path.suffix not in (".yaml", ".yml"):
        return ""
    if path.is_relative_to(root := shipped(kind)):
        return path.relative_to(root).with_suffix("").as_posix()
    return str(path)


def ids_command(environment: Mapping[str, Any]) -> str:
    """``chef eval MODEL WHAT ... --ids``, to which an id is added; empty where it is not known."""
    words = environment.get(ASKED_WITH)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        return ""
    return f"chef eval {shlex.join(words)} --ids"
