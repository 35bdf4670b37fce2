"""A digest of a checkpoint and its settings, so that caches never mix two models."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from chef.common.device import pick_device
from chef.common.digest import digest, stream_digest
from chef.common.hub import unreachable
from chef.errors import ConfigError
from chef.guard.files import check_regular, open_file
from chef.models.huggingface.loading import LoadingOptions

#: A weight file larger than this many bytes is digested by samples, a smaller one as a whole.
WHOLE_FILE = 32 * 2**20
SAMPLES, SAMPLE = 64, 2**16
#: So many nanoseconds after a file was written, its times tell another content from it.
_SETTLED = 10**9
WEIGHTS = (".safetensors", ".bin", ".pt", ".pth")


def fingerprint(source: LoadingOptions) -> str:
    """A digest of settings and files (of large ones samples), or of the commit on the hub."""
    device = pick_device(source.device)
    settings = {
        "dtype": "float32" if (source.dtype, device.type) == ("auto", "cpu") else source.dtype,
        "attn_implementation": source.attn_implementation,
        "chat_template": source.chat_template,
        "processor_options": dict(source.processor_options or {}),
    }
    folder = source.folder
    if folder is None:
        files: Any = [source.path, source.revision, _commit(source)]
    else:
        try:
            for entry in folder.iterdir():
                if not entry.is_dir():
                    check_regular(entry)
            files = [[name, _digest(folder / name)] for name in _files(folder)]
        except OSError as error:
            raise ConfigError(
                f"a file of the checkpoint cannot be read: {error.strerror}",
                where=str(error.filename or folder),
                hint="give the folder that save_pretrained, or 'hf download', has written",
            ) from None
    return digest([files, settings])


def folder_fingerprint(folder: Path) -> str:
    """A digest of all files below a folder (of large ones the size and evenly spaced samples)."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return digest([[path.relative_to(folder).as_posix(), _digest(path)] for path in files])


def _files(folder: Path) -> list[str]:
    """The files that decide answers: settings, vocabulary, templates and weights."""
    kinds = (*WEIGHTS, ".json", ".jinja", ".model", ".txt", ".py")
    return sorted(entry.name for entry in folder.iterdir() if entry.suffix in kinds)


def _digest(path: Path) -> str:
    """The digest of a file; it is read once a process, unless it was written a moment ago."""
    state = path.stat()
    times = state.st_mtime_ns, state.st_ctime_ns
    if time.time_ns() - max(times) < _SETTLED:
        return stream_digest(_contents(path))
    return _digest_of(path.absolute(), state.st_ino, state.st_size, *times)


@cache
def _digest_of(path: Path, *state: int) -> str:
    """The digest of a file in a state, by which it is remembered."""
    del state
    return stream_digest(_contents(path))


def _contents(path: Path) -> Iterator[str | bytes]:
    """The size of a file, then its bytes or samples of them."""
    size = path.stat().st_size
    yield str(size)
    with open_file(path) as file:
        if size <= WHOLE_FILE:
            yield file.read()
            return
        for index in range(SAMPLES):
            file.seek(index * (size - SAMPLE) // (SAMPLES - 1))
            yield file.read(SAMPLE)


def _commit(source: LoadingOptions) -> str | None:
    """The commit of the cached snapshot, which is the name of the folder with its config."""
    from transformers.utils import cached_file

    try:
        path = cached_file(
            source.path,
            "config.json",
            revision=source.revision,
            local_files_only=unreachable() is not None,
        )
    except OSError:
        return None
    return None if path is None else Path(path).parent.name
