"""What a recipe or a model that is no file is called: by what it is, and a digest."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from chef.common.digest import digest

#: The keys whose values name a recipe or a model, in the order of the name.
_KEYS = (
    ("scenario_cfg", "dataset_name"),
    ("dataset_id",),
    ("eval_cfg", "inferencer_cfg", "inferencer_type"),
    ("eval_cfg", "metric_cfg", "metric_type"),
    ("model_name",),
)
#: Longer values are cut: a name becomes that of a folder.
_MAX = 40
_DIGEST = re.compile(r"-([0-9a-f]{8}(?:-[0-9a-f]{4})?)$")  # the second one is of overrides


def mapping_name(content: Mapping[str, Any]) -> str:
    """The name of a mapping; two with different content have different names.

    >>> mapping_name({"scenario_cfg": {"dataset_name": "MME"},
    ...     "eval_cfg": {"inferencer_cfg": {"inferencer_type": "PPL"}}})
    'MME-PPL-f08ad674'
    """
    words = [word for keys in _KEYS if (word := _at(content, keys))]
    return "-".join([*(words or ["dict"]), digest(content)[:8]])


def overridden_name(name: str, overrides: Sequence[str]) -> str:
    """The name of a mapping with overrides, which make it another recipe."""
    return f"{name}-{digest(list(overrides))[:4]}"


def earlier_name(name: str) -> str:
    """What earlier versions called the mapping of that name; empty for other names.

    >>> earlier_name("MME-PPL-9f6b3b0d"), earlier_name("ppl")
    ('dict-9f6b3b0d', '')
    """
    match = _DIGEST.search(name)
    return f"dict-{match[1]}" if match else ""


def _at(content: Any, keys: tuple[str, ...]) -> str:
    for key in keys:
        content = content.get(key) if isinstance(content, Mapping) else None
    return re.sub(r"[^\w-]+", "_", content)[:_MAX].strip("_-") if isinstance(content, str) else ""
