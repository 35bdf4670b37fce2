"""Functions of ``vlmeval.smp`` for files and images, and the state that a run tells in one."""

from __future__ import annotations

import json
import os
import string
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from chef.common.jsonable import to_jsonable
from chef.common.vlmevalkit_messages import typed
from chef.common.writing import write_atomically, write_json
from chef.guard.files import read_bytes
from chef.image import Image, side_by_side
from chef.scenario.download import download
from chef.scenario.hooks.vlmevalkit.files import load
from chef.scenario.hooks.vlmevalkit.helpers import (
    LMUDataRoot,
    decode_base64_to_image_file,
    get_pred_file_format,
    toliststr,
)

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels


#: What VLMEvalKit stores as the answer where a request has failed.
INFER_FAIL_MSG = "Failed to obtain answer"
#: The file that a run of VLMEvalKit tells its state in.
RUN_STATUS_NAME = "status.json"
_ANSWERS = (".xlsx", ".tsv", ".json", ".csv")
#: What the names of files that evaluation writes next to answers may end in.
_AUXILIARY = ("_score", "_result", "_results", "_acc", "_auxmatch")


class NumpyEncoder(json.JSONEncoder):
    """Writes numbers and arrays of numpy as JSON."""

    def default(self, o: Any) -> Any:
        """Numbers and lists in place of those of numpy."""
        return to_jsonable(o)


def ls(
    dirname: str = ".",
    match: str | list[str] = "",
    mode: str = "all",
    level: int = 1,
) -> list[str]:
    """The sorted paths ``level`` deep, with texts of ``match`` and without those after ``!``."""
    wanted = [match] if isinstance(match, str) else list(match)
    paths = sorted(Path(dirname).glob("/".join(["*"] * level)))
    kinds = {"file": Path.is_file, "dir": Path.is_dir}
    return [
        str(path)
        for path in paths
        if (mode not in kinds or kinds[mode](path))
        and all(_fits(str(path), text) for text in wanted)
    ]


def _fits(path: str, text: str) -> bool:
    return text[1:] not in path if text.startswith("!") else text in path


def mrlines(fname: str | os.PathLike[str], sp: str = "\n") -> list[str]:
    """The parts of a text file between separators; an empty last one is left out."""
    parts = read_bytes(os.fspath(fname)).decode("utf-8").split(sp)
    return parts[:-1] if parts and not parts[-1] else parts


def mwlines(lines: Iterable[str], fname: str | os.PathLike[str]) -> None:
    """Write lines to a text file."""
    write_atomically(Path(fname), "\n".join(lines))


def parse_file(s: str) -> tuple[str | None, str]:
    """The kind of a text and its value: the mime type of a file that it names, or of text.

    >>> parse_file("a cat")
    ('text/plain', 'a cat')
    """
    import mimetypes

    (part,) = typed([s])
    if part["type"] == "text":
        return "text/plain", s
    return mimetypes.guess_type(s)[0] or "unknown", str(part["value"])


def download_file(url: str, filename: str | None = None) -> str:
    """Download a file, by default to its name here, which appears when it is complete; its path."""
    target = Path(filename or url.rpartition("/")[2].partition("?")[0])
    download(url, target)
    return str(target)


def get_pred_file_path(
    work_dir: str, model_name: str, dataset_name: str, use_env_format: bool = True
) -> str:
    """Where the answers of a model are: ``{work_dir}/{model}_{dataset}.{format}``."""
    kind = get_pred_file_format() if use_env_format else "xlsx"
    return str(Path(work_dir) / f"{model_name}_{dataset_name}.{kind}")


def find_prediction_files(run_dir: str, model_name: str, dataset_name: str) -> list[str]:
    """The files in a folder with the answers of a model about a data set."""
    stem = f"{model_name}_{dataset_name}"
    paths = sorted(Path(run_dir).glob("*"))
    return [str(path) for path in paths if path.stem == stem and path.suffix in _ANSWERS]


def fetch_aux_files(eval_file: str) -> list[str]:
    """The files that evaluation has written next to a file of answers."""
    path = Path(eval_file)
    paths = sorted(path.parent.glob("*"))
    own = [other for other in paths if other.stem.startswith(f"{path.stem}_")]
    return [str(other) for other in own if any(end in other.stem for end in _AUXILIARY)]


def prediction_table(pred_file: str) -> Any:
    """The rows of a file of answers, as a pandas frame."""
    import pandas as pd

    rows = load(pred_file)
    return rows if hasattr(rows, "columns") else pd.DataFrame(rows)


def localize_df(data: Any, dname: str, nproc: int = 32) -> Any:
    """A frame (``index``, base64 ``image``) with ``image_path``s of files below the data root."""
    del nproc
    folder, paths = Path(LMUDataRoot()) / "images" / dname, []
    for index, cell in zip(data["index"], data["image"], strict=True):
        images = toliststr(cell)
        names = (
            [f"{index}.jpg"]
            if len(images) == 1
            else [f"{index}_{n}.jpg" for n in range(len(images))]
        )
        for name, image in zip(names, images, strict=True):
            decode_base64_to_image_file(image, folder / name)
        paths.append(names[0] if len(names) == 1 else str(names))
    return data.drop(columns=["image"]).assign(image_path=paths)


def LOCALIZE(fname: str, new_fname: str | None = None) -> str:  # noqa: N802 (VLMEvalKit's name)
    """Write a table whose images are files, by default ``{name}_local.tsv``; returns its path."""
    path = Path(fname)
    target = Path(new_fname) if new_fname else path.with_name(f"{path.stem}_local.tsv")
    frame = localize_df(prediction_table(fname), path.stem)
    write_atomically(target, frame.to_csv(sep="\t", index=False))
    return str(target)


def concat_images_vlmeval(
    images: Sequence[Any],
    target_size: int = -1,
    mode: str = "h",
    return_image: bool = False,
) -> str | Pixels:
    """Images side by side (``h``) or stacked (``v``), at most ``target_size`` pixels long."""
    pixels = [Image(item).load() for item in images]
    if mode == "v":
        turned = [item.transpose(_turn(clockwise=False)) for item in pixels]
        whole = side_by_side(turned).transpose(_turn(clockwise=True))
    else:
        whole = side_by_side(pixels)
    if target_size > 0:
        whole.thumbnail((target_size, target_size))
    if return_image:
        return whole
    path = Path(tempfile.mkdtemp()) / "joined.png"
    whole.save(path)
    return str(path)


def _turn(*, clockwise: bool) -> Any:
    from PIL.Image import Transpose

    return Transpose.ROTATE_270 if clockwise else Transpose.ROTATE_90


def mmqa_display(question: Mapping[str, Any], target_size: int = -1) -> None:
    """Print a row without its images; letters that have no text are left out."""
    from chef.common.printing import say

    del target_size
    empty = {label for label in string.ascii_uppercase if not question.get(label)}
    cells = {key: str(item) for key, item in question.items() if key not in {"image", *empty}}
    say(json.dumps(cells, ensure_ascii=False, indent=2))


#: Names of figures in the order in which one of them stands for all.
_MAIN = ("overall", "acc", "accuracy", "score", "final score", "average")


def load_run_status(run_dir: str) -> dict[str, Any]:
    """The content of ``status.json`` of a folder; empty where there is none."""
    path = Path(run_dir) / RUN_STATUS_NAME
    return msgspec.json.decode(read_bytes(path), type=dict[str, Any]) if path.is_file() else {}


def upsert_run_status(run_dir: str, **fields: Any) -> dict[str, Any]:
    """Write fields of a run into ``status.json``; the others stay. Returns the whole."""
    content = {**load_run_status(run_dir), **fields}
    write_json(Path(run_dir) / RUN_STATUS_NAME, content)
    return content


def upsert_dataset_status(
    run_dir: str, model_name: str, dataset_name: str, **fields: Any
) -> dict[str, Any]:
    """Write what is known of one data set of a run into ``status.json``; returns it."""
    content = load_run_status(run_dir)
    datasets: dict[str, Any] = dict(content.get("datasets") or {})
    entry = {**(datasets.get(dataset_name) or {}), "model": model_name, **fields}
    datasets[dataset_name] = entry
    upsert_run_status(run_dir, datasets=datasets)
    return entry


def collect_run_benchmark_report(run_dir: str) -> dict[str, Any]:
    """The figures of each data set that ``status.json`` tells."""
    datasets: Mapping[str, Any] = load_run_status(run_dir).get("datasets") or {}
    return {name: entry.get("metrics") for name, entry in datasets.items()}


def choose_primary_metric_key(metrics: Mapping[str, Any]) -> str | None:
    """The name of the figure that stands for all; the first one where none is usual."""
    folded = {str(name).lower(): str(name) for name in metrics}
    usual = [folded[name] for name in _MAIN if name in folded]
    return next(iter([*usual, *map(str, metrics)]), None)


def count_markers_in_obj(obj: Any, markers: list[str]) -> int:
    """How many texts of a nested object contain one of the markers."""
    if isinstance(obj, Mapping):
        return sum(count_markers_in_obj(item, markers) for item in obj.values())
    if isinstance(obj, list | tuple):
        return sum(count_markers_in_obj(item, markers) for item in obj)
    return int(isinstance(obj, str) and any(marker in obj for marker in markers))


def score_judge_file_candidate(candidate: str, judge_model: str | None) -> int:
    """How well the name of a file fits that of a judge: 1 where it has it, else 0."""
    return int(bool(judge_model) and str(judge_model) in Path(candidate).stem)


def setup_subprocess_logger(log_file: str) -> Any:
    """A logger for a process that a file starts: chef's, which shows notes on standard error."""
    from chef.common.logs import logger

    return logger(f"chef.plugin.{Path(log_file).stem}")
