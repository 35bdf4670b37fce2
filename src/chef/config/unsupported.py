"""Ingredients of ChEF that chef does not have: those for point clouds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.config.document import Document
from chef.errors import ConfigError
from chef.inferencer import INFERENCERS
from chef.metric import METRICS
from chef.registry import Registry
from chef.scenario import SCENARIOS

_NAMES = frozenset({
    "Direct3D",
    "LAMM_3D_Caption",
    "LAMM_3D_Classification",
    "LAMM_3D_Detection",
    "LAMM_3D_Grounding",
    "Octavius3D",
    "OctaviusPCLDataset",
    "ScanNet_LAMM",
    "ScanQA_LAMM",
    "ScanRefer_LAMM",
})  # fmt: skip

_PLACES: tuple[tuple[tuple[str, ...], Registry[Any]], ...] = (
    (("scenario_cfg", "dataset_name"), SCENARIOS),
    (("eval_cfg", "inferencer_cfg", "inferencer_type"), INFERENCERS),
    (("eval_cfg", "metric_cfg", "metric_type"), METRICS),
)


def refuse_point_clouds(recipe: Mapping[str, Any], document: Document) -> None:
    """Refuse a recipe for point clouds with the reason.

    Ingredients of plugins may have these names.

    Raises:
        ConfigError: an ingredient is about point clouds.
    """
    for place, registry in _PLACES:
        name: Any = recipe
        for key in place:
            name = name.get(key) if isinstance(name, Mapping) else None
        if isinstance(name, str) and name in _NAMES and name not in registry:
            raise ConfigError(
                f"'{name}' is about point clouds, and chef reads images only",
                where=document.where(*place),
                hint="choose another recipe; --list shows all ingredients",
            )
