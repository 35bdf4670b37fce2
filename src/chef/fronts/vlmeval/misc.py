"""Names of ``vlmeval.dataset`` and ``config``, and functions of ``smp.misc`` and ``utils``."""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from logging import Logger
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from chef.errors import ConfigError, nearest
from chef.guard.files import read_bytes
from chef.models.hooks.vlmevalkit.registry import OWN_MODELS
from chef.reading.rules.vqa_normal import process_punctuation as _without_punctuation
from chef.scenario import SCENARIOS
from chef.scenario.hooks.vlmevalkit.base import ImageBaseDataset
from chef.scenario.hooks.vlmevalkit.families import ImageMCQDataset, ImageVQADataset, TextMCQDataset
from chef.scenario.vlmevalkit.table import table

#: What a bar of progress and a log call a moment, by its granularity.
_MOMENTS = {
    "day": "%y%m%d",
    "hour": "%y%m%d%H",
    "minute": "%y%m%d%H%M",
    "second": "%y%m%d%H%M%S",
}
_BYTES = {"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}


def get_cache_path(repo_id: str, branch: str = "main", repo_type: str = "datasets") -> str | None:
    """The folder of a repository of the hub in this machine's cache; None if it is not there."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    kind = repo_type.removesuffix("s")
    try:
        return snapshot_download(repo_id, repo_type=kind, revision=branch, local_files_only=True)
    except LocalEntryNotFoundError:
        return None


def HFCacheRoot() -> str:  # noqa: N802 (VLMEvalKit's name)
    """The folder of the hub's cache on this machine."""
    from huggingface_hub.constants import HF_HUB_CACHE

    return str(HF_HUB_CACHE)


def modelscope_flag_set() -> bool:
    """Whether data are to come from ModelScope: ``$VLMEVALKIT_USE_MODELSCOPE`` is 1 or True."""
    return os.environ.get("VLMEVALKIT_USE_MODELSCOPE", "").lower() in {"1", "true"}


def proxy_set(s: str) -> None:
    """Let requests of this process go through a proxy (its address)."""
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        os.environ[name] = s


def load_env() -> None:
    """Set the variables of the file ``.env`` in the current folder that are not set yet."""
    path = Path(".env")
    lines = read_bytes(path).decode("utf-8").splitlines() if path.is_file() else []
    for line in lines:
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and name and not name.startswith("#"):
            os.environ.setdefault(name.strip(), value.strip().strip("\"'"))


def get_gpu_memory() -> list[int]:
    """The free memory of each GPU in MiB; empty without a GPU."""
    import torch

    if not torch.cuda.is_available():
        return []
    return [torch.cuda.mem_get_info(place)[0] >> 20 for place in range(torch.cuda.device_count())]


def extract_json_objects(
    text: str, decoder: json.JSONDecoder | None = None
) -> Iterator[dict[str, Any] | list[Any]]:
    """The JSON objects and lists that stand in a text, one after another.

    >>> list(extract_json_objects('It is {"score": 3} of [5].'))
    [{'score': 3}, [5]]
    """
    reader, place = decoder or json.JSONDecoder(), 0
    while place < len(text):
        if text[place] in "{[":
            try:
                value, place = reader.raw_decode(text, place)
            except (ValueError, RecursionError):
                place += 1
            else:
                yield value
        else:
            place += 1


def timestr(granularity: str = "second") -> str:
    """The present moment as digits, up to the day, hour, minute or second."""
    if granularity not in _MOMENTS:
        raise ConfigError(
            f"there is no granularity '{granularity}'", hint=f"choose {', '.join(_MOMENTS)}"
        )
    return time.strftime(_MOMENTS[granularity])


def file_size(f: str | os.PathLike[str], unit: str = "GB") -> float:
    """The size of a file in B, KB, MB or GB."""
    if unit not in _BYTES:
        raise ConfigError(f"there is no unit '{unit}'", hint=f"choose {', '.join(_BYTES)}")
    return Path(f).stat().st_size / _BYTES[unit]


def cpu_count() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def process_punctuation(inText: str) -> str:  # noqa: N803 (VLMEvalKit's name)
    """A text without most punctuation, as the VQA benchmark removes it."""
    return _without_punctuation(inText)


def is_number(value: object) -> bool:
    """Whether a value is a number, or a text that Python reads as one; NaN is none.

    >>> is_number("3.5"), is_number("three"), is_number(True)
    (True, False, False)
    """
    return to_number(value) is not None


def to_number(value: object) -> float | None:
    """A value as a number, without the sign of per cent; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value.strip().removesuffix("%") if isinstance(value, str) else value)
    except ValueError:
        return None
    return None if number != number else number  # noqa: PLR0124 (NaN)


def detect_repetition(
    text: str,
    seg_len: int = 30,
    min_matches: int = 10,
    interval_kinds: int = 1,
    interval_threshold: int = 5,
) -> bool:
    """Whether a text ends in the same passage (of ``seg_len`` characters) ``min_matches`` times.

    At most ``interval_kinds`` distances may lie between them, which are the same up to
    ``interval_threshold`` characters.

    >>> detect_repetition("again and again. " * 50), detect_repetition("Once.")
    (True, False)
    """
    if len(text) < seg_len * 2:
        return False
    last, places, start = text[-seg_len:], list[int](), 0
    while (place := text.find(last, start)) >= 0:
        places.append(place)
        start = place + 1
    if len(places) < min_matches:
        return False
    distances = [two - one for one, two in pairwise(places)]
    kinds: list[int] = []
    for distance in distances:
        if all(abs(distance - kind) > interval_threshold for kind in kinds):
            kinds.append(distance)
    return len(kinds) <= interval_kinds


def build_option_str(option_dict: dict[str, str] | Sequence[tuple[str, str]]) -> str:
    r"""The options as lines for a judge.

    >>> build_option_str({"A": "cat", "B": "dog"})
    'There are several options:\nA. cat\nB. dog\n'
    """
    lines = [f"{label}. {text}\n" for label, text in dict(option_dict).items()]
    return "".join(["There are several options:\n", *lines])


async def async_wait_process(
    process: Any, timeout: float | None = None, poll_interval: float = 0.1
) -> bool:
    """Wait at most ``timeout`` seconds (None: for any time) for a process; whether it has ended."""
    end = None if timeout is None else time.monotonic() + timeout
    while process.is_alive():
        if end is not None and time.monotonic() >= end:
            return False
        await asyncio.sleep(poll_interval)
    return True


async def async_recv_process_message(
    conn: Any, process: Any, process_name: str = "process", poll_interval: float = 0.1
) -> Any:
    """The next message of a process; `EOFError` where it ended without one."""
    while not conn.poll():
        if not process.is_alive() and not conn.poll():
            raise EOFError(f"{process_name} ended with code {process.exitcode} and sent nothing")
        await asyncio.sleep(poll_interval)
    return conn.recv()


def terminate_processes(
    processes: Iterable[Any],
    name: str = "process",
    timeout: float = 5.0,
    logger: Logger | None = None,
) -> None:
    """End processes, with force where they do not end in ``timeout`` seconds each."""
    alive = [process for process in processes if process.is_alive()]
    for process in alive:
        process.terminate()
    for process in alive:
        process.join(timeout)
        if process.is_alive():
            process.kill()
            if logger is not None:
                logger.warning("%s %s was killed", name, process.pid)


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
