"""A checkpoint of a classifier: found and checked without loading it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from chef.common.hub import unreachable
from chef.errors import ConfigError
from chef.guard.files import read_bytes
from chef.models.huggingface import check as huggingface
from chef.models.huggingface.loading import LoadingOptions, no_hub

_CONFIG = "config.json"
#: What `save_pretrained` calls weights that are plain tensors, in one file or several.
_WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
_CONVERT = (
    "chef reads no pickled weights: load them once with from_pretrained in a place that you trust, "
    "and give the folder that save_pretrained writes"
)


def check_checkpoint(source: LoadingOptions) -> None:
    """Check that a checkpoint is there, or on the hub, with plain tensors; else a ChefError."""
    huggingface.check(source)
    if source.folder is not None:
        if not any(source.folder.glob("*.safetensors")):
            raise ConfigError(
                "the folder has no weights in safetensors files", where=source.path, hint=_CONVERT
            )
    elif not any(huggingface.cached(source, name) for name in _WEIGHTS):
        reason = "HF_HUB_OFFLINE is set" if _is_offline() else unreachable()
        if reason is not None:
            raise no_hub(source, reason)


def settings(source: LoadingOptions) -> dict[str, Any] | None:
    """The content of its ``config.json``; None where it is not on this machine yet."""
    folder = source.folder
    path = huggingface.cached(source, _CONFIG) if folder is None else folder / _CONFIG
    if path is None:
        return None
    try:
        found = json.loads(read_bytes(path))
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"its {_CONFIG} cannot be read ({error})", where=source.path, hint="fetch it again"
        ) from None
    return found if isinstance(found, dict) else {}


def labels_of(config: dict[str, Any]) -> Sequence[str]:
    """The labels of a sequence classifier, by its settings; without names they are numbered.

    >>> labels_of({"id2label": {"1": "no", "0": "yes"}}), labels_of({"num_labels": 2})
    (['yes', 'no'], ['LABEL_0', 'LABEL_1'])
    """
    names = config.get("id2label")
    if isinstance(names, dict) and names:
        return [str(names[key]) for key in sorted(names, key=int)]
    return [f"LABEL_{number}" for number in range(int(config.get("num_labels", 2)))]


def _is_offline() -> bool:
    from huggingface_hub import constants

    return bool(constants.HF_HUB_OFFLINE)
