"""A cache of embeddings on disk.

A file is named by a digest of the embedded contents and of the encoder. So it never has to be
invalidated, and the folder can be deleted at any time.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from chef.common.digest import content_digest
from chef.common.logs import logger
from chef.guard.files import user_path

if TYPE_CHECKING:
    from chef.embedding.encoders.base import Vectors

_log = logger(__name__)
#: Increased when the meaning of a file changes.
FORMAT = "1"


def cache_folder() -> Path:
    """``$CHEF_CACHE``, else ``~/.cache/chef``; a folder of this process where it has no home."""
    folder = user_path(os.environ.get("CHEF_CACHE") or "~/.cache/chef")
    return _homeless() if folder.parts[0] == "~" else folder


@cache
def _homeless() -> Path:
    """A folder that goes with the process: one of a fixed name could have been filled by others."""
    import atexit
    from shutil import rmtree
    from tempfile import mkdtemp

    folder = mkdtemp(prefix="chef-")
    atexit.register(rmtree, folder, ignore_errors=True)
    return Path(folder)


def cache_file(contents: str, encoder: str) -> Path:
    """The file for the vectors of some contents (their digest) by one encoder (its fingerprint)."""
    text = f"{FORMAT}\x1f{contents}\x1f{encoder}"
    return cache_folder() / "embeddings" / f"{content_digest(text)}.npy"


def read(path: Path, rows: int) -> Vectors | None:
    """The vectors ``[rows, d]``; None if there is no file, or if it is damaged."""
    import numpy as np

    try:
        vectors: Vectors = np.load(path, allow_pickle=False)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, EOFError) as error:
        _log.warning("%s cannot be read (%s); the pool is embedded again", path, error)
        return None
    if not _sound(vectors, rows):
        _log.warning("%s is damaged; the pool is embedded again", path)
        return None
    return vectors


def write(path: Path, vectors: Vectors) -> None:
    """Write the vectors. If that fails, they are only computed again later."""
    import numpy as np

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        from tempfile import NamedTemporaryFile  # which loads six modules

        with NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            np.save(file, vectors, allow_pickle=False)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        _log.warning("the embeddings are not kept on disk: %s", error)
        return
    # The rename makes the file appear complete: another process may read it at the same time.
    Path(file.name).replace(path)


def _sound(vectors: Vectors, rows: int) -> bool:
    """Whether the vectors have the right shape, and rows of length 1 (or 0: no vector)."""
    import numpy as np

    if vectors.ndim != 2 or len(vectors) != rows or vectors.dtype != np.float32:
        return False
    lengths = np.einsum("ij,ij->i", vectors, vectors)
    return bool(np.all((np.abs(lengths - 1) < 1e-3) | (lengths == 0)))
