"""Where the files of benchmarks are: the data root of VLMEvalKit."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from chef.common.digest import checksum, content_digest
from chef.common.writing import write_atomically
from chef.embedding.cache import cache_folder
from chef.errors import ChefError, DataError
from chef.frozen import Frozen
from chef.guard.files import read_text

#: The environment variable that names the root.
VARIABLE = "LMUData"
_DEFAULT = "~/LMUData"
#: What names of data sets of an installed VLMEvalKit begin with.
PACKAGED = "vlmeval:"


class TableRoots(Frozen):
    """A recipe's data root for classes (None: the usual one), and whether digests count."""

    root: str | None = None
    check_md5: bool = True


_USUAL = TableRoots()
_source: ContextVar[TableRoots | None] = ContextVar("vlmevalkit_source", default=None)


@contextmanager
def reading_from(source: TableRoots) -> Iterator[None]:
    """Let `root_folder` and `is_checked` follow a recipe in the block."""
    token = _source.set(source)
    try:
        yield
    finally:
        _source.reset(token)


def is_checked() -> bool:
    """Whether tables are compared with the digests that are stated for them."""
    return (_source.get() or _USUAL).check_md5


def root_folder(given: str | None = None) -> Path:
    """The folder of files: given, else `reading_from`'s, ``$LMUData`` if there, ``~/LMUData``."""
    if given := given or (_source.get() or _USUAL).root:
        return Path(given).expanduser()
    named = os.environ.get(VARIABLE)
    if named and Path(named).expanduser().is_dir():
        return Path(named).expanduser()
    return Path(_DEFAULT).expanduser()


def find_file(root: Path, names: Sequence[str], fetch: str | None) -> Path:
    """The first file that is there; DataError without one (`chef prepare` brings ``fetch``)."""
    for name in names:
        if (root / name).is_file():
            return root / name
    named = os.environ.get(VARIABLE)
    is_lost = named and not Path(named).expanduser().is_dir()
    lost = f" (${VARIABLE} is {named}, which is no folder)" if is_lost else ""
    shown = shlex.quote(str(root))
    bring = f"`chef prepare {fetch} --root {shown}` fetches it" if fetch else "put the file there"
    if near := _written_otherwise(root, names[0]):
        bring = f"there is {near}: rename it"
    raise DataError(
        f"there is no {names[0]}" if root.is_dir() else f"no such folder, so no {names[0]}",
        where=f"{root}{lost}",
        hint=f"{bring}; another folder: --data_root DIR, data_root in scenario_cfg, or ${VARIABLE}",
    )


def _written_otherwise(root: Path, name: str) -> str:
    """A file of that name in other letters: small ones, say; empty if there is none."""
    files = (file.name for file in root.iterdir()) if root.is_dir() else ()
    return next((file for file in files if file.casefold() == name.casefold()), "")


def check_digest(file: Path, expected: str, stated: str, bring: str) -> None:
    """DataError where a file has not the md5 that ``stated`` states; it is computed anew only for a
    changed file. ``bring`` says how to get the right one.
    """
    actual = _digest(file)
    if actual != expected.strip().lower():
        raise DataError(
            f"its md5 is {actual}, and {stated} is {expected}",
            where=str(file),
            hint=f"{bring}; if the file is right (a newer version, or a part), set check_md5: "
            "false in scenario_cfg",
        )


def _digest(file: Path) -> str:
    state = file.stat()
    key = content_digest(repr((str(file.resolve()), state.st_size, state.st_mtime_ns)))
    known = cache_folder() / "digests" / f"{key}.md5"
    try:
        return read_text(known, limit=64).strip()
    except (OSError, ValueError):
        found = checksum(file, "md5")
    try:
        known.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(known, found + "\n")
    except (OSError, ChefError):
        pass  # it is computed again the next time
    return found
