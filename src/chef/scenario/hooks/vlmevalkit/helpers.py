"""The small functions of ``vlmeval.smp`` and ``vlmeval.utils`` that data sets and models use."""

from __future__ import annotations

import base64
import builtins
import io
import logging
import operator
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextvars import copy_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.common.logs import logger
from chef.common.options import list_literal
from chef.common.vlmevalkit_messages import typed
from chef.errors import DataError
from chef.guard.files import open_file, read_bytes
from chef.scenario.hooks.vlmevalkit.files import can_write_xlsx, dump, load, pandas_module
from chef.scenario.questions.values import decoded
from chef.scenario.vlmevalkit.table import root_folder

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels


def LMUDataRoot() -> str:  # noqa: N802 (VLMEvalKit's name)
    """The folder of data sets: ``$LMUData`` if it is set and exists, else ``~/LMUData``."""
    return str(root_folder())


def toliststr(s: object) -> list[str]:
    """A cell as a list of texts: a literal of a list is one, and anything else is one text.

    >>> toliststr("['a', 'b']"), toliststr("[0.1] is a box")
    (['a', 'b'], ['[0.1] is a box'])
    """
    if isinstance(s, list | tuple):
        return [str(item) for item in s]
    found = list_literal(s) if isinstance(s, str) and s.startswith("[") else None
    return [str(s)] if found is None else [str(item) for item in found]


def listinstr(lst: Sequence[str], s: str) -> bool:
    """Whether one of the texts occurs in another one.

    >>> listinstr(["MME", "POPE"], "MME_small")
    True
    """
    return any(item in s for item in lst)


def istype(s: object, type: builtins.type[Any]) -> bool:  # noqa: A002 (VLMEvalKit's name)
    """Whether a value is of a type, or a text that is a literal of it; nothing is executed.

    >>> istype("[1]", list), istype("7", int), istype("seven", int)
    (True, True, False)
    """
    import ast

    if isinstance(s, type):
        return True
    try:
        return isinstance(ast.literal_eval(str(s)), type)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False


def d2df(D: Mapping[str, Any]) -> Any:  # noqa: N803 (VLMEvalKit's name)
    """A frame with one row, from the values of its columns."""
    return pandas_module().DataFrame({key: [value] for key, value in D.items()})


def get_logger(name: str = "vlmevalkit", *_: object, **__: object) -> logging.Logger:
    """A logger whose notes chef prints."""
    return logger(f"chef.plugin.{name}")  # notes are those of `chef`


def read_ok(img_path: str | os.PathLike[str]) -> bool:
    """Whether a file is an image that can be read."""
    import PIL.Image

    try:
        with PIL.Image.open(img_path) as image:
            image.verify()
    except Exception:  # every decoder of Pillow raises errors of its own
        return False
    return True


def decode_base64_to_image(base64_string: str, target_size: int = -1) -> Pixels:
    """The RGB image of a text or data URL, at most ``target_size`` pixels a side; -1 for any."""
    import PIL.Image

    image = PIL.Image.open(io.BytesIO(decoded(base64_string))).convert("RGB")
    if target_size > 0:
        image.thumbnail((target_size, target_size))
    return image


def decode_base64_to_image_file(
    base64_string: str, image_path: str | os.PathLike[str], target_size: int = -1
) -> None:
    """Write the image of a text to a file; its bytes stay as they are unless it is resized."""
    path = Path(image_path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if target_size > 0:
        decode_base64_to_image(base64_string, target_size).save(path)
    else:
        path.write_bytes(decoded(base64_string))


def encode_image_to_base64(
    img: Pixels, target_size: int = -1, fmt: str = "PNG", max_file_size: float | None = None
) -> str:
    """An image as text; PNG keeps every pixel.

    It is made smaller to ``target_size`` pixels a side (-1 for any), and until the text has at most
    ``max_file_size`` characters.
    """
    if target_size > 0:
        img = img.copy()
        img.thumbnail((target_size, target_size))
    buffer = io.BytesIO()
    img.save(buffer, format=fmt)
    text = base64.b64encode(buffer.getvalue()).decode()
    longest = max(img.size)
    if max_file_size is None or len(text) <= max_file_size or longest == 1:
        return text
    return encode_image_to_base64(img, max(1, longest * 3 // 4), fmt, max_file_size)


def encode_image_file_to_base64(
    image_path: str | os.PathLike[str],
    target_size: int = -1,
    fmt: str = "PNG",
    max_file_size: float | None = None,
) -> str:
    """The image in a file as text; its bytes stay as they are unless it is made smaller."""
    import PIL.Image

    if target_size <= 0:
        text = base64.b64encode(read_bytes(os.fspath(image_path))).decode()
        if max_file_size is None or len(text) <= max_file_size:
            return text
    with open_file(os.fspath(image_path)) as file, PIL.Image.open(file) as image:
        return encode_image_to_base64(image.convert("RGB"), target_size, fmt, max_file_size)


def get_pred_file_format() -> str:
    """The kind of file for answers: ``$PRED_FORMAT``, else xlsx where openpyxl is, or tsv."""
    given = os.environ.get("PRED_FORMAT", "")
    if given not in {"", "xlsx", "tsv", "json"}:
        raise DataError(f"PRED_FORMAT is '{given}'", hint="set it to xlsx, tsv or json")
    return given or ("xlsx" if can_write_xlsx() else "tsv")


def get_file_extension(file_path: str | os.PathLike[str]) -> str:
    """The ending of a file's name, without the dot.

    >>> get_file_extension("run/tiny_Mine.xlsx")
    'xlsx'
    """
    return Path(file_path).suffix.removeprefix(".")


def get_intermediate_file_path(
    eval_file: str | os.PathLike[str], suffix: str, target_format: str | None = None
) -> str:
    """The path of a file that belongs to a file of answers.

    >>> get_intermediate_file_path("run/tiny_Mine.xlsx", "_score", "json")
    'run/tiny_Mine_score.json'
    """
    path = Path(eval_file)
    kind = target_format or path.suffix.removeprefix(".")
    return str(path.with_name(f"{path.stem}{suffix}.{kind}"))


_OPERATORS: dict[str, Callable[[object, object], bool]] = {
    name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}


def get_rank_and_world_size() -> tuple[int, int]:
    """The number of this process and of all, as ``torchrun`` tells them; 0 and 1 without it."""
    return int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))


def auto_split_flag() -> bool:
    """Whether large models are to be split over GPUs: ``$AUTO_SPLIT`` is 1."""
    return os.environ.get("AUTO_SPLIT", "0") == "1"


def isimg(s: str) -> bool:
    """Whether a text is the path of an existing image file, or the address of an image.

    >>> isimg("https://example.org/cat.png"), isimg("a cat")
    (True, False)
    """
    return bool(typed([s])[0]["type"] == "image")


def splitlen(s: str, sym: str = "/") -> int:
    """The number of parts of a text between separators.

    >>> splitlen("owner/name")
    2
    """
    return len(s.split(sym))


def cn_string(s: str) -> bool:
    """Whether a text has a Chinese character.

    >>> cn_string("一只猫"), cn_string("a cat")
    (True, False)
    """
    return any("\u4e00" <= sign <= "\u9fff" for sign in s)


def version_cmp(v1: str, v2: str, op: str = "eq") -> bool:
    """Whether two versions of packages compare so.

    >>> version_cmp("4.45.0", "4.9.1", "ge")
    True
    """
    from packaging.version import Version

    return _OPERATORS[op](Version(v1), Version(v2))


def track_progress_rich(  # noqa: PLR0917 (the order of VLMEvalKit)
    func: Callable[..., Any],
    tasks: Sequence[Any] = (),
    nproc: int = 1,
    save: str | os.PathLike[str] | None = None,
    keys: Sequence[Any] | None = None,
    chunksize: int = 1,
    use_process: bool = False,
) -> list[Any]:
    """The result of a function for each task, in order, by ``nproc`` threads.

    It is called ``func(*task)`` for tuples and lists, ``func(**task)`` for dicts, else
    ``func(task)``; the first error is raised, and calls that have not begun are not made. The file
    ``save`` has the results by ``keys``: those are not computed again, and it is written at the end
    or after an error. ``chunksize`` and ``use_process`` have no effect.
    """
    del chunksize, use_process
    names = list(range(len(tasks))) if keys is None else list(keys)
    if len(names) != len(tasks):
        raise DataError(f"there are {len(tasks)} tasks and {len(names)} keys")
    done: dict[Any, Any] = load(save) if save is not None and Path(save).is_file() else {}
    todo = [place for place, name in enumerate(names) if name not in done]
    calls: dict[Future[Any], Any] = {}
    try:
        with ThreadPoolExecutor(max(1, nproc)) as threads, _bar(func, len(todo)) as bar:
            for place in todo:
                call = threads.submit(copy_context().run, _call, func, tasks[place])
                calls[call] = names[place]
            try:
                for call in as_completed(calls):
                    call.result()
                    bar.update()
            finally:
                threads.shutdown(cancel_futures=True)
    finally:
        worked = [call for call in calls if not call.cancelled() and call.exception() is None]
        done |= {calls[call]: call.result() for call in worked}
        if save is not None:
            dump(done, save)
    return [done[name] for name in names]


def _call(func: Callable[..., Any], task: Any) -> Any:
    if isinstance(task, Mapping):
        return func(**task)
    return func(*task) if isinstance(task, tuple | list) else func(task)


def _bar(func: Callable[..., Any], total: int) -> Any:
    """A progress bar on standard error, for what takes longer than a second."""
    from tqdm import tqdm

    label = getattr(func, "__name__", type(func).__name__)
    interval = 0.2 if sys.stderr.isatty() else 30.0
    return tqdm(total=total, desc=label, unit="task", mininterval=interval, delay=1)
