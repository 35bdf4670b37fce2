"""Unpacking of archives; the names in them are not trusted."""

from __future__ import annotations

import shutil
import stat
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

from chef.errors import DataError

_LITTER = ("__MACOSX",)


def unpack(archive: Path, target: Path, within: str = "") -> None:
    """Unpack a zip or a tar (.tar.gz, ...) to a new folder, which appears when it is complete.

    If the archive (its folder ``within``) contains only one folder, the content of that is used.
    DataError: it is damaged or encrypted, a name in it leads out of the folder, it contains a link,
    or the disk is full.
    """
    where = str(archive)
    if target.exists():
        raise DataError("already exists", where=str(target), hint="remove it to unpack again")
    work = target.with_name(f".{target.name}.unpacking")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    try:
        _extract(archive, work)
        _inside(archive, work, within).replace(target)
    except DataError:
        raise
    except Exception as error:  # damaged archives raise errors of every kind
        what = str(error) or type(error).__name__
        hint = "download it again; an archive with a password has to be unpacked by hand"
        raise DataError(f"cannot be unpacked: {what}", where=where, hint=hint) from None
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _extract(archive: Path, work: Path) -> None:
    if zipfile.is_zipfile(archive):
        _unzip(archive, work)
    elif tarfile.is_tarfile(archive):
        _untar(archive, work)
    else:
        raise DataError("is neither zip nor tar, or is damaged", where=str(archive))


def _inside(archive: Path, work: Path, within: str) -> Path:
    """The folder of an unpacked archive that is used."""
    if not (work / within).is_dir():
        raise DataError(f"has no folder '{within}'", where=str(archive))
    return work / within if within else _content(work)


def _unzip(archive: Path, work: Path) -> None:
    with zipfile.ZipFile(archive) as file:
        members = [item for item in file.infolist() if not _is_litter(item.filename)]
        _check_room(archive, sum(item.file_size for item in members), work)
        for item in members:
            _check_name(archive, item.filename)
            if stat.S_ISLNK(item.external_attr >> 16):
                raise DataError(f"contains the link '{item.filename}'", where=str(archive))
            file.extract(item, work)


def _untar(archive: Path, work: Path) -> None:
    with tarfile.open(archive) as file:
        members = [item for item in file.getmembers() if not _is_litter(item.name)]
        _check_room(archive, sum(item.size for item in members), work)
        for item in members:
            _check_name(archive, item.name)
            if not (item.isfile() or item.isdir()):
                raise DataError(f"contains '{item.name}', not a plain file", where=str(archive))
        file.extractall(work, members, filter="data")


def _check_name(archive: Path, name: str) -> None:
    path = PurePosixPath(name.replace("\\", "/"))
    drive = path.parts[0].endswith(":") if path.parts else False
    if path.is_absolute() or drive or ".." in path.parts:
        raise DataError(
            f"contains the name '{name}', which leads out of its folder; nothing was unpacked",
            where=str(archive),
            hint="do not use this file",
        )


def _check_room(archive: Path, size: int, work: Path) -> None:
    free = shutil.disk_usage(work).free
    if size > free:
        raise DataError(f"needs {size:,} bytes, but {free:,} are free", where=str(archive))


def _is_litter(name: str) -> bool:
    return PurePosixPath(name).parts[:1] in [(item,) for item in _LITTER]


def _content(work: Path) -> Path:
    entries = list(work.iterdir())
    while len(entries) == 1 and entries[0].is_dir():
        work, entries = entries[0], list(entries[0].iterdir())
    return work
