"""Data of the running session as a table.

It is written to a file of the cache, named by its content: so the run of it resumes, its answers
can be scored again, and another process can read it. Rows are taken one at a time.
"""

from __future__ import annotations

import base64
import hashlib
import io
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any
from uuid import uuid4

import chef.image
from chef.common.writing import json_line, write_parts
from chef.embedding.cache import cache_folder
from chef.errors import ConfigError, DataError, RunError
from chef.guard.files import user_path
from chef.scenario.table.columns import find_columns
from chef.scenario.table.images import looks_like_image

#: Sections of recipes and tasks: a mapping with none of them is a row of data.
_SECTIONS = {"scenario_cfg", "eval_cfg", "dataset_id", "evaluator_seq_cfgs"}
#: Keys that only rows have.
_OF_A_ROW = {"question", "image", "images", "answer"}
#: Longer bytes are no path in base64 either.
_MAX_PATH = 1024
#: So many rows of a frame are converted at once.
_ROWS = 1024


def is_frame(data: object) -> bool:
    """Whether an object is a table: a data set of `datasets`, or a frame of pandas or polars."""
    is_dataset = hasattr(data, "column_names") and hasattr(data, "features")
    return is_dataset or _is_pandas(data) or hasattr(data, "iter_rows")


def with_data(given: Any) -> Any:
    """What is to be asked, with data of the session (alone, as ``scenario_cfg.path`` of a recipe,
    or among several) as a recipe that names its file. DataError where it has no row, or one that
    cannot be written.
    """
    if is_frame(given):
        return _recipe(given)
    if isinstance(given, Mapping):
        _refuse_mapping(given)
        section = given.get("scenario_cfg")
        if not isinstance(section, Mapping) or isinstance(section.get("path"), str | Path | None):
            return given
        return {**given, "scenario_cfg": {**section, **_section(section["path"], section)}}
    if isinstance(given, str | bytes | Path) or not isinstance(given, Iterable):
        return given
    items = iter(given)
    head = list(islice(items, 1))
    whole = chain(head, items) if items is given else given
    if not head:
        raise ConfigError(
            "nothing is asked", where="recipe", hint="give a recipe, or a row for each question"
        )
    if isinstance(head[0], Mapping) and _SECTIONS.isdisjoint(head[0]):
        return _recipe(whole)
    return [with_data(item) for item in whole]


def _refuse_mapping(content: Mapping[str, Any]) -> None:
    """ConfigError for the splits of a data set together, and for a single row."""
    if content and all(map(is_frame, content.values())):
        names = [str(name) for name in content]
        raise ConfigError(
            f"holds several data sets: {', '.join(names)}",
            where="recipe",
            hint=f"give one of them: data['{names[0]}']",
        )
    if _SECTIONS.isdisjoint(content) and not _OF_A_ROW.isdisjoint(content):
        raise ConfigError(
            "one row of data is no recipe", where="recipe", hint="give a list of rows: [row]"
        )


def _recipe(data: Any) -> dict[str, Any]:
    return {
        "scenario_cfg": _section(data, {}),
        "eval_cfg": {
            "inferencer_cfg": {"inferencer_type": "Direct"},
            "metric_cfg": {"metric_type": "basic"},
        },
    }


def _section(data: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a scenario over data of the session; paths of images begin in this folder."""
    usual = {"dataset_name": "Records", "image_root": str(Path.cwd())}
    return {**usual, **given, "path": str(stored(data))}


def is_stored(section: Any) -> bool:
    """Whether the keys of a scenario name data of a session, as `stored` has written it."""
    path = section.get("path") if isinstance(section, Mapping) else None
    return isinstance(path, str) and Path(path).parent == cache_folder() / "tables"


def stored(data: Any) -> Path:
    """The file, in JSON lines, of a frame or an iterable of mappings.

    Images are bytes, of Pillow, or paths relative to the current folder. DataError without a row or
    for other values, RunError where it cannot be written.
    """
    folder = cache_folder() / "tables"
    unfinished = folder / f"{uuid4().hex}.part"
    state = hashlib.blake2b(digest_size=8)

    def lines() -> Iterator[bytes]:
        for line in _lines(data):
            state.update(line)
            yield line

    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_parts(unfinished, lines())
        path = folder / f"{state.hexdigest()}.jsonl"
        if not path.exists():  # a run of the same data may be reading it
            unfinished.replace(path)
    except OSError as error:
        raise RunError(
            f"cannot be written: {error.strerror or error}",
            where=str(folder),
            hint="free some space, or set CHEF_CACHE to another folder",
        ) from None
    finally:
        unfinished.unlink(missing_ok=True)
    return path


def _lines(data: Any) -> Iterator[bytes]:
    number = 0
    for number, row in enumerate(_rows(data), 1):
        try:
            yield json_line(plain(row))
        except (TypeError, ValueError, RecursionError) as error:
            raise DataError(
                f"cannot be written: {error}",
                where=f"row {number} of the data",
                hint="give texts, numbers, lists, mappings, bytes or images",
            ) from None
    if not number:
        raise DataError("the data has no row", hint="give a row for each question")


def _rows(data: Any) -> Iterator[Any]:
    if hasattr(data, "iter_rows"):  # polars
        return iter(data.iter_rows(named=True))
    if _is_pandas(data) and data.ndim == 1:
        raise DataError(
            "a Series is one column, and no table",
            hint="give a frame: series.to_frame('question')",
        )
    if _is_pandas(data):
        starts = range(0, len(data), _ROWS)
        parts = (data.iloc[start : start + _ROWS].to_dict("records") for start in starts)
        return (row for part in parts for row in part)
    if hasattr(data, "features"):
        return _of_datasets(data)
    return iter(data)


def _of_datasets(data: Any) -> Iterator[dict[str, Any]]:
    """The rows of a data set with images as they are stored, and the names of classes."""
    from chef.scenario.table.sources import undecoded

    features = data.features or {}
    names = {
        name: feature.int2str
        for name, feature in features.items()
        if type(feature).__name__ == "ClassLabel"
    }
    for row in data.cast(undecoded(features)) if features else data:
        yield {
            name: names[name](value) if name in names and value is not None else value
            for name, value in row.items()
        }


def _is_pandas(data: object) -> bool:
    return hasattr(data, "to_dict") and hasattr(data, "iloc")


def plain(value: Any, column: str = "") -> Any:
    """A value of a column as JSON has it: images as their bytes, arrays as lists, NaN as null."""
    if isinstance(value, Mapping):
        return {str(key): plain(item, str(key)) for key, item in value.items()}
    if isinstance(value, list | tuple | set):
        return [plain(item, column) for item in value]
    if value is None or isinstance(value, str | int | float):
        return None if isinstance(value, float) and not math.isfinite(value) else value
    if (content := _bytes_in(value)) is not None:
        return _of_bytes(content)
    if _is_grey(value, column):
        from PIL import Image

        return _of_object(Image.fromarray(value.reshape(value.shape[:2])))
    return _of_object(value, column)


def _bytes_in(value: Any) -> bytes | None:
    """The bytes of a value that holds some, also of a stream or a file that is open."""
    if isinstance(value, io.BytesIO):
        return value.getvalue()
    if isinstance(value, io.BufferedIOBase):
        value.seek(0)
        return value.read()
    return bytes(value) if isinstance(value, bytes | bytearray | memoryview) else None


def _of_bytes(content: bytes) -> bytes | str:
    """Bytes, which JSON has in base64; as a data URL where they look like the path of a file."""
    if not content or len(content) > _MAX_PATH:
        return content
    text = base64.b64encode(content).decode()
    return content if looks_like_image(text) else f"data:application/octet-stream;base64,{text}"


def _is_grey(value: Any, column: str) -> bool:
    """Whether an array of NumPy is an image without colors: bytes, and where its shape does not say
    it, in a column that is usually one of images, for masks are such arrays, too.
    """
    shape: Any = getattr(value, "shape", ())
    is_bytes = str(getattr(value, "dtype", "")) == "uint8" and hasattr(value, "__array_interface__")
    if is_bytes and len(shape) == 2:
        return bool(find_columns([column], {}, column).images)
    return is_bytes and len(shape) == 3 and shape[2] == 1


def _is_picture(value: Any) -> bool:
    """Whether an array of NumPy is an image: bytes, in rows and columns of three or four colors."""
    shape: Any = getattr(value, "shape", ())
    is_bytes = str(getattr(value, "dtype", "")) == "uint8" and hasattr(value, "__array_interface__")
    return is_bytes and len(shape) == 3 and shape[2] in (3, 4)


_PNG_MODES = frozenset({"1", "L", "LA", "I;16", "P", "RGB", "RGBA"})


def _of_object(value: Any, column: str = "") -> Any:
    if isinstance(value, chef.image.Image):
        return plain(value.load() if callable(value.source) else value.source, column)
    if isinstance(value, os.PathLike):
        return str(user_path(value).absolute())
    if hasattr(value, "getbbox") and hasattr(value, "save"):  # an image of Pillow
        stream = io.BytesIO()
        # A PNG holds no other modes than these; from a file, too, others are read as RGB.
        shown = value if value.mode in _PNG_MODES else value.convert("RGB")
        shown.save(stream, "PNG")
        return stream.getvalue()
    if _is_picture(value):
        from PIL import Image

        return _of_object(Image.fromarray(value))
    if hasattr(value, "tolist"):  # an array or a number of NumPy
        return plain(value.tolist())
    text = str(value)
    if callable(value) or " object at 0x" in text:
        raise TypeError(f"an object of type {type(value).__name__} in column '{column}'")
    return text
