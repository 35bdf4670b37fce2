"""The table of a data set: where it is on this machine, or where it is downloaded to."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from chef.common.logs import logger
from chef.errors import DataError
from chef.scenario.vlmevalkit.roots import check_digest, is_checked, root_folder

_log = logger(__name__)


def table_file(dataset: str, url: str, md5: str | None, kind: type[Any]) -> Path:
    """The TSV of a data set: ``{LMUData}/{dataset}.tsv``, a file that ``url`` names, or downloaded.

    Args:
        dataset: its name.
        url: its address, or a path, which begins in the current folder, in that of the class's
            file or in the data root; empty where the file is in the data root.
        md5: the digest of the file; None where it is not known. It does not count where the recipe
            says ``check_md5: false``.
        kind: the class.

    Raises:
        DataError: there is no such file, it cannot be downloaded, or has another digest.
    """
    owner, root = kind.__name__, root_folder()
    md5 = md5 if is_checked() else None
    target = root / f"{dataset}.tsv"
    is_address = "://" in url and not url.startswith("file://")
    places = [target]
    if is_address:
        places.append(root / url.rpartition("/")[2])
    elif url:
        path = Path(url.removeprefix("file://")).expanduser()
        places = [path, *_beside(path, kind), root / path, target]
    present = next((place for place in places if place.is_file()), None)
    if present is None and is_address:
        return _downloaded(url, target, md5, owner, dataset)
    if present is None:
        raise DataError(
            f"the table of '{dataset}' is not there",
            where=str(root / places[0]),
            hint=f"put it there, name another data root (--data_root DIR, or LMUData), or give "
            f"{owner} its address in DATASET_URL['{dataset}']",
        )
    if md5 is not None:
        stated = f"{owner}.DATASET_MD5['{dataset}']"
        check_digest(present, md5, stated, "replace the file, or correct the digest")
    return present


def _beside(path: Path, kind: type[Any]) -> list[Path]:
    """The place of a path next to the file of a class; none for a class of a notebook."""
    try:
        return [Path(inspect.getfile(kind)).parent / path]
    except (OSError, TypeError):
        return []


def _downloaded(url: str, target: Path, md5: str | None, owner: str, dataset: str) -> Path:
    """Download a table; the file appears when it is complete and has the digest."""
    if not url.startswith(("http://", "https://")):
        raise DataError(
            f"{owner}.DATASET_URL['{dataset}'] is '{url}', which is no address of a file",
            hint="give one that begins with https://, or a path",
        )
    from chef.scenario.download import Digest, download  # it loads asyncio and tqdm

    _log.info("%s: downloading %s", dataset, url)
    download(url, target, None if md5 is None else Digest("md5", md5.strip().lower()))
    return target
