"""Conversion of data sets to ChEF's layout."""

from __future__ import annotations

import io
import json
from pathlib import Path

from chef.common.writing import write_atomically
from chef.errors import DataError
from chef.scenario.mmmu import IMAGES
from chef.scenario.tsv.table import TsvTable, row_images

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
