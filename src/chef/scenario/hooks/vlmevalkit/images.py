"""The images of a data set as files, for classes that want paths."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from chef.guard.files import read_bytes
from chef.image import Image

#: The endings of files by what they begin with.
_ENDINGS = ((b"\xff\xd8\xff", ".jpg"), (b"GIF8", ".gif"), (b"BM", ".bmp"), (b"RIFF", ".webp"))
#: Data sets that share a folder of images.
_FAMILIES = ("MMBench", "OCRVQA", "COCO")
_lock = threading.Lock()


def img_root_map(dataset: str) -> str:
    """The folder of a data set's images: data sets of one family share one.

    >>> img_root_map("MMBench_DEV_EN"), img_root_map("Mine")
    ('MMBench', 'Mine')
    """
    return next((family for family in _FAMILIES if dataset.startswith(family)), dataset)


def write_images(
    images: Sequence[Image], root: Path, index: str, names: Sequence[str] = ()
) -> list[str]:
    """Write the images of a row as files, byte by byte, and return the paths.

    Files are named by the index or ``names``, and replaced if other; images that are files stay.
    """
    paths: list[str] = []
    for number, image in enumerate(images):
        if isinstance(image.source, Path):
            paths.append(str(image.source))
            continue
        content = image.encoded()
        assert content is not None  # data sets have encoded images
        own = index if len(images) == 1 else f"{index}_{number}"
        safe = own.replace(os.sep, "_").replace("\0", "_")
        target = root / (names[number] if number < len(names) else f"{safe}{_ending(content)}")
        if not target.resolve().is_relative_to(root.resolve()):
            target = root / f"{safe}{_ending(content)}"  # a name must not lead out of the folder
        _write(target, content)
        paths.append(str(target))
    return paths


def _ending(content: bytes) -> str:
    return next((ending for begin, ending in _ENDINGS if content.startswith(begin)), ".png")


def _write(path: Path, content: bytes) -> None:
    with _lock:
        if path.is_file() and path.stat().st_size == len(content) and read_bytes(path) == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{os.getpid()}.{path.name}")
        unfinished.write_bytes(content)
        unfinished.replace(path)


def given_names(paths: object) -> Mapping[str, list[str]]:
    """The names of files in a cell ``image_path``, as an argument of `write_images`."""
    if isinstance(paths, str) and paths:
        return {"names": [paths]}
    return {"names": [str(path) for path in paths]} if isinstance(paths, list) else {}
