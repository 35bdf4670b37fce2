"""The table of a data set: where it is on this machine, or where it is downloaded to."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from chef.common.digest import checksum
from chef.common.logs import logger
from chef.errors import DataError
from chef.scenario.download import Digest, download
from chef.scenario.hooks.vlmevalkit.helpers import LMUDataRoot

_log = logger(__name__)


def table_file(dataset: str, url: str, md5: str | None, kind: type[Any]) -> Path:
    """The TSV of a data set: ``{LMUData}/{dataset}.tsv``, a file that ``url`` names, or downloaded.

    Args:
        dataset: its name.
        url: its address, or a path, which begins in the current folder or in that of the class's
            file; empty where the file is in the folder of data sets.
        md5: the digest of the file; None where it is not known.
        kind: the class.

    Raises:
        DataError: there is no such file, it cannot be downloaded, or has another digest.
    """
    owner = kind.__name__
    if url and "://" not in url:
        return _checked(_found(Path(url).expanduser(), kind), md5, owner, dataset)
    if url.startswith("file://"):
        return _checked(Path(url.removeprefix("file://")), md5, owner, dataset)
    root = Path(LMUDataRoot())
    target = root / f"{dataset}.tsv"
    by_address = root / url.rpartition("/")[2] if url else target
    present = next((path for path in (target, by_address) if path.is_file()), None)
    if present is not None or not url:
        return _checked(present or target, md5, owner, dataset)
    return _downloaded(url, target, md5, owner, dataset)


def _found(path: Path, kind: type[Any]) -> Path:
    """Where a path of a class is: here, or next to its file, wherever it is used from."""
    try:
        beside = Path(inspect.getfile(kind)).parent / path
    except (OSError, TypeError):  # a class of a notebook
        return path
    return beside if beside.is_file() and not path.is_file() else path


def _checked(path: Path, md5: str | None, owner: str, dataset: str) -> Path:
    if not path.is_file():
        raise DataError(
            f"the table of '{dataset}' is not there",
            where=str(path),
            hint=f"put it there, set LMUData to its folder, or give {owner} its address in "
            f"DATASET_URL['{dataset}']",
        )
    actual = None if md5 is None else checksum(path, "md5")
    if md5 is not None and actual != md5.strip().lower():
        raise _other_digest(str(path), actual, md5, owner, dataset)
    return path


def _other_digest(where: str, actual: str | None, md5: str, owner: str, dataset: str) -> DataError:
    return DataError(
        f"md5 is {actual}, and {owner}.DATASET_MD5['{dataset}'] is {md5}",
        where=where,
        hint=f"if the file is right, write '{actual}' there, or None; else replace the file",
    )


def _downloaded(url: str, target: Path, md5: str | None, owner: str, dataset: str) -> Path:
    """Download a table; the file appears when it is complete and has the digest."""
    if not url.startswith(("http://", "https://")):
        raise DataError(
            f"{owner}.DATASET_URL['{dataset}'] is '{url}', which is no address of a file",
            hint="give one that begins with https://, or a path",
        )
    _log.info("%s: downloading %s", dataset, url)
    download(url, target, None if md5 is None else Digest("md5", md5.strip().lower()))
    return target
