"""What runs are called in a comparison, and the settings in which they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from chef.report.compare.side import Side

#: Tried in order: the first by which all runs differ is used.
_WAYS = (
    ("model",), ("recipe",), ("model", "recipe"), ("run",), ("model", "run"), ("scenario", "run"),
    ("model", "scenario", "run"),
)  # fmt: skip
_UNSET = "(not set)"


def labels_of(sides: Sequence[Side]) -> list[str]:
    """The shortest names that tell runs apart: the model, the recipe, the folder, or its path.

    A run that is given twice gets a number.
    """
    places = {side.place.resolve(): side for side in sides}
    names = dict(zip(places, _apart(list(places.values())), strict=True))
    seen: Counter[str] = Counter()
    labels = []
    for side in sides:
        name = names[side.place.resolve()]
        seen[name] += 1
        labels.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return labels


def _apart(sides: Sequence[Side]) -> list[str]:
    for way in _WAYS:
        names = ["/".join(dict.fromkeys(side.names[part] for part in way)) for side in sides]
        if len(set(names)) == len(names):
            return names
    return [str(side.place) for side in sides]


def settings_that_differ(sides: Sequence[Side]) -> dict[str, list[Any]]:
    """The keys of config.yaml in which runs differ, with the value of each run.

    Files of answers have no settings: for them the value is ``(not known)``. Keys that one class
    has and another one lacks are not told, and a digest of a wording only where no key of the
    recipe says what differs.
    """
    known = [side for side in sides if side.config]
    if len(known) < 2:
        return {}
    keys = dict.fromkeys(key for side in known for key in side.config)
    found = {
        key: [side.config.get(key, _UNSET) if side.config else "(not known)" for side in sides]
        for key in keys
        if len({repr(side.config.get(key, _UNSET)) for side in known}) > 1
    }
    other_classes = {_section(key) for key in found if key.endswith(("_type", "_name"))}
    found = {
        key: values
        for key, values in found.items()
        if _UNSET not in values or _section(key) not in other_classes
    }
    if any(key.startswith("recipe_cfg.") for key in found):
        found = {key: values for key, values in found.items() if key.split(".")[0] != "decided_by"}
    if any(key.startswith("model_cfg.") for key in found):
        found.pop("weights", None)
    return found


def _section(key: str) -> str:
    return key.rpartition(".")[0]
