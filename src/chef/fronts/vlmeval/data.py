"""Names of ``vlmeval.dataset``: data sets by name, and the base of those with videos."""

from __future__ import annotations

import re
from typing import Any, ClassVar, NoReturn

from chef.errors import ConfigError, nearest
from chef.scenario import SCENARIOS
from chef.scenario.hooks.vlmevalkit.base import ImageBaseDataset
from chef.scenario.hooks.vlmevalkit.families import (
    ImageMCQDataset,
    ImageVQADataset,
    TextMCQDataset,
)
from chef.scenario.vlmevalkit.table import table

NO_VIDEO = "chef asks no video"

#: The names of chef's table.
SUPPORTED_DATASETS: list[str] = list(table().benchmarks)


class ImageShortQADataset(ImageVQADataset):
    """Free answers of few words."""


class CustomMCQDataset(ImageMCQDataset):
    """Multiple choice in a table of one's own, by its name in the data root."""


class CustomVQADataset(ImageVQADataset):
    """Free answers in a table of one's own, by its name in the data root."""


class CustomTextMCQDataset(TextMCQDataset):
    """Multiple choice without images in a table of one's own."""


class VideoBaseDataset(ImageBaseDataset):
    """A data set with videos is listed; making one is a `ConfigError`, as chef asks no video."""

    MODALITY: ClassVar[str] = "VIDEO"

    def __init__(self, *_: object, **__: object) -> None:
        _refuse(type(self).__name__)


def _refuse(name: str) -> NoReturn:
    raise ConfigError(
        f"{name} is a data set of videos, and {NO_VIDEO}",
        hint="make a table of frames, with a list of images in each row, and ask that",
    )


def build_dataset(dataset_name: str, **kwargs: Any) -> ImageBaseDataset:
    """The data set of a name: of a plugin's class, else the table of that name in the data root."""
    kind = SCENARIOS.get(dataset_name) if dataset_name in SCENARIOS else None
    owner = getattr(kind, "dataset_class", None)
    if isinstance(owner, type) and issubclass(owner, ImageBaseDataset):
        return owner(dataset_name, **kwargs)
    family = getattr(getattr(kind, "entry", None), "family", None)
    if kind is not None and family is None:
        raise ConfigError(
            f"'{dataset_name}' is a scenario of chef's, and no data set of VLMEvalKit's kind",
            hint=nearest(dataset_name, SUPPORTED_DATASETS),
        )
    is_choice = family is None or family.kind == "mcq"
    base: type[ImageBaseDataset] = CustomMCQDataset if is_choice else CustomVQADataset
    return base(dataset_name, **kwargs)


def infer_dataset_basename(dataset_name: str) -> str:
    """The name of a data set without what its preset adds: frames, frame rates, subtitles.

    >>> infer_dataset_basename("Video-MME_8frame_subs"), infer_dataset_basename("MMStar")
    ('Video-MME', 'MMStar')
    """
    return re.sub(r"(?:_(?:\d+frame|[\d.]+fps|subs|nopack|pack))+$", "", dataset_name)
