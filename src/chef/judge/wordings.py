"""The wordings of a kind of judgement, stored as data in ``pools/<kind>.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from chef.metric.judge_kind import Wording

#: What every kind says in the same words: ``{rules}`` and ``{form}`` stand for it.
_SHARED = "shared"


@cache
def pool(kind: str) -> Mapping[str, Wording]:
    """The wordings of a kind of chef's own, by name."""
    shared = _content(_SHARED)
    found: dict[str, Wording] = {}
    for name, entry in _content(kind).items():
        verdicts = entry.get("verdicts", "")  # a kind that reads the whole reply has none
        form = shared["form"].strip().replace("{verdicts}", verdicts)
        prompt = entry["prompt"].replace("{rules}", shared["rules"].strip())
        reminder = shared["reminder"].strip().replace("{form}", form)
        found[name] = Wording(prompt.replace("{form}", form).strip(), reminder)
    return found


def _content(name: str) -> Mapping[str, Any]:
    import yaml

    text = (files("chef.judge") / "pools" / f"{name}.yaml").read_text("utf-8")
    content: Mapping[str, Any] = yaml.safe_load(text)
    return content
