"""Names of ``vlmeval.dataset`` and ``vlmeval.config``: data sets and models by name, and kinds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar, NoReturn

from chef.errors import ConfigError, nearest
from chef.models.hooks.vlmevalkit.registry import OWN_MODELS
from chef.scenario import SCENARIOS
from chef.scenario.hooks.vlmevalkit.base import ImageBaseDataset
from chef.scenario.hooks.vlmevalkit.families import ImageMCQDataset, ImageVQADataset, TextMCQDataset
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


#: VLMEvalKit's names of the kinds of questions.
_TYPES = {"mcq": "MCQ", "yesno": "Y/N", "vqa": "VQA", "caption": "Caption", "turns": "MT"}


def DATASET_TYPE(dataset: str, *, default: str = "MCQ") -> str:  # noqa: N802 (VLMEvalKit's name)
    """The kind of a data set's questions: ``MCQ``, ``Y/N``, ``VQA``, ``Caption`` or ``MT``.

    >>> DATASET_TYPE("my own questions")
    'MCQ'
    """
    kind = _scenario(dataset)
    given = getattr(getattr(kind, "dataset_class", None), "TYPE", "")
    family = getattr(getattr(kind, "entry", None), "family", None)
    return str(given or _TYPES.get(getattr(family, "kind", ""), default))


def DATASET_MODALITY(dataset: str, *, default: str = "IMAGE") -> str:  # noqa: N802 (as above)
    """What a data set's questions are about: ``IMAGE`` or ``TEXT``.

    >>> DATASET_MODALITY("my own questions")
    'IMAGE'
    """
    given = getattr(getattr(_scenario(dataset), "dataset_class", None), "MODALITY", "")
    return str(given or default)


def _scenario(dataset: str) -> Any:
    """The class of a scenario; None if there is none of that name."""
    names = (f"VLMEvalKit/{dataset}", dataset)  # some names are also those of ChEF's data sets
    return next((SCENARIOS.get(name) for name in names if name in SCENARIOS), None)


class ModelTable(dict[str, Callable[..., Any]]):
    """Models by name. VLMEvalKit's own are not in it: their code is not in chef."""

    def __missing__(self, name: str) -> Callable[..., Any]:
        raise ConfigError(
            f"chef does not have VLMEvalKit's model '{name}'",
            hint="name a model file (`chef list models`), or install VLMEvalKit: "
            f"model_name: VLMEvalKit, model: {name}",
        )


#: The models that files have added; a model file names them by ``model_name: VLMEvalKit``.
supported_VLM: dict[str, Callable[..., Any]] = OWN_MODELS  # noqa: N816 (VLMEvalKit's name)
_series: dict[str, ModelTable] = {}


def __getattr__(name: str) -> ModelTable:
    """The groups of models, such as ``llava_series``, which are empty."""
    if not (name.endswith("_series") or name == "api_models"):
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return _series.setdefault(name, ModelTable())
