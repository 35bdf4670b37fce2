"""Archives are unpacked, whose names are not trusted, and data sets converted to ChEF's layout."""

from __future__ import annotations

import io
import json
import shutil
import stat
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

from chef.common.writing import write_atomically
from chef.errors import DataError
from chef.scenario.mmmu import IMAGES
from chef.scenario.tsv.table import TsvTable, row_images

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


_SIDE = 32
_RECORD = 1 + 3 * _SIDE * _SIDE


def cifar10_binary(root: Path) -> None:
    """Write the test batch of the binary version as PNGs and a list in LAMM's format.

    A record is one byte for the class, then 3,072 bytes: the red, the green and the blue values of
    the pixels, each row by row (Krizhevsky 2009). The names of the classes are in
    ``batches.meta.txt``. DataError where a file of ``downloads`` is missing or truncated.
    """
    import numpy as np
    import PIL.Image

    source = root / "downloads" / "cifar-10-batches-bin"
    bench = root / "LAMM" / "2D_Benchmark"
    images = bench / "cifar10_images"
    try:
        names = (source / "batches.meta.txt").read_text(encoding="utf-8").split()
        data = (source / "test_batch.bin").read_bytes()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", where=str(error.filename)) from None
    if not data or len(data) % _RECORD:
        raise DataError("is truncated", where=str(source / "test_batch.bin"))
    images.mkdir(parents=True, exist_ok=True)
    listed = []
    for number in range(len(data) // _RECORD):
        record = data[number * _RECORD : (number + 1) * _RECORD]
        planes = np.frombuffer(record, np.uint8, offset=1).reshape(3, _SIDE, _SIDE)
        name = f"cifar10_images/cifar10_{number}.png"
        PIL.Image.fromarray(planes.transpose(1, 2, 0)).save(bench / name)
        listed.append({"id": number, "image": name, "label": names[record[0]]})
    meta = bench / "meta_file" / "Classification_CIFAR10.json"
    meta.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(meta, json.dumps(listed, indent=1) + "\n")


def mmbench_images(root: Path) -> None:
    """Write the images in MMBench's TSV as PNG ``images/mmbench_image_{index}.png``, as in ChEF;
    chef does not need them.
    """
    folder = root / "MMBench"
    for tsv in sorted(folder.glob("mmbench_*.tsv")):
        index = TsvTable(tsv)
        (folder / "images").mkdir(exist_ok=True)
        for position in range(len(index)):
            target = folder / "images" / f"mmbench_image_{index.survey.id(position)}.png"
            if not target.exists():
                (image,) = row_images(index, folder, index.read(position), (position,))
                _save_png(image.source, target)


def mmmu_images(root: Path) -> None:
    """Write the images in MMMU's Parquet files as ``MMMU_images/{id}_{n}.png``, n from 0."""
    import pyarrow.parquet as pq

    folder = root / "MMMU_images"
    folder.mkdir(parents=True, exist_ok=True)
    for file in sorted((root / "MMMU").glob("*/validation-*.parquet")):
        for batch in pq.ParquetFile(file).iter_batches(batch_size=8, columns=["id", *IMAGES]):
            for row in batch.to_pylist():
                for place, column in enumerate(IMAGES):
                    if row[column] is not None and row[column]["bytes"] is not None:
                        _save_png(row[column]["bytes"], folder / f"{row['id']}_{place}.png")


def _save_png(source: object, target: Path) -> None:
    import PIL.Image

    if not isinstance(source, bytes):
        raise DataError(f"the image {target.name} is not encoded", where=str(target))
    part = target.with_name(f".{target.name}.part")
    if source.startswith(b"\x89PNG"):
        part.write_bytes(source)
    else:
        with PIL.Image.open(io.BytesIO(source)) as image:
            image.save(part, "PNG")
    part.replace(target)
