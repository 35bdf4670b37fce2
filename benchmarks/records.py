"""Time and memory until the first batch of large tables: Parquet and JSON lines of 1 GB each.

    python benchmarks/records.py

The files resemble a benchmark with photographs: each row has a question, four options, an answer
and an image of 50 kB (of random bytes in a PNG's frame, so that nothing can be compressed). For
each file and each number of rows, a new process opens it with the scenario Records and decodes the
first 32 images. The memory of the larger file should be that of the smaller one, which is a tenth.
``circular`` is the time until the rotations of all questions are known, in addition. ``digests`` is
what a run computes while the model answers, when it first meets a file: a digest of each row.

A Parquet file is written twice: in row groups of 100 rows, as `datasets` does, and in one row
group, as pandas does.
"""

from __future__ import annotations

import argparse
import base64
import io
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROWS, BATCH, SIDE, PICTURES, OPTIONS = 20_000, 32, 128, 50, 4


def make_rows(count: int) -> Iterator[dict[str, Any]]:
    """Rows with images of noise, about 50 kB each."""
    import numpy as np
    from PIL import Image

    random = np.random.default_rng(0)
    encoded = []
    for _ in range(PICTURES):
        stream = io.BytesIO()
        noise = random.integers(0, 256, (SIDE, SIDE, 3), dtype=np.uint8)
        Image.fromarray(noise).save(stream, "PNG", compress_level=0)
        encoded.append(stream.getvalue())
    for row in range(count):
        yield {
            "id": f"q{row}",
            "image": encoded[row % PICTURES],
            "question": f'Which one is "number" {row}?',
            "choices": ["one", "two", "three", "four"],
            "answer": row % 4,
            "category": f"category {row % 20}",
        }


def make_jsonl(path: Path, rows: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row in make_rows(rows):
            row["image"] = base64.b64encode(row["image"]).decode()
            file.write(json.dumps(row) + "\n")


def make_parquet(path: Path, rows: int, group: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    given, schema = make_rows(rows), None
    writer: Any = None
    for start in range(0, rows, group):
        table = pa.Table.from_pylist([next(given) for _ in range(min(group, rows - start))], schema)
        if writer is None:
            schema = table.schema
            writer = pq.ParquetWriter(path, schema, use_dictionary=False)
        writer.write_table(table, row_group_size=group)
    writer.close()


def run_once(path: Path) -> None:
    """Print what one process measures."""
    started = time.perf_counter(), time.process_time()
    from chef.scenario.circular import Circular
    from chef.scenario.table.scenario import Records

    scenario = Records(path=str(path))
    sizes = {scenario[row].images[0].load().size for row in range(BATCH)}
    wall, cpu = time.perf_counter() - started[0], time.process_time() - started[1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert sizes == {(SIDE, SIDE)}
    began = time.perf_counter()
    assert len(Circular(scenario)) == OPTIONS * len(scenario)
    rotated = time.perf_counter() - began
    began = time.perf_counter()
    assert len(scenario.row_digests()) == len(scenario)
    print(json.dumps([wall, cpu, peak, rotated, time.perf_counter() - began]))


def in_new_process(*arguments: object) -> str:
    """What this script prints with these arguments; a process of its own has its own peak."""
    command = [sys.executable, __file__, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def measure(path: Path, repeats: int) -> list[float]:
    """The best of several processes; the first one warms the cache of the system."""
    runs = [json.loads(in_new_process("--file", path)) for _ in range(repeats + 1)]
    return [min(values) for values in zip(*runs[1:], strict=True)]


MAKERS: dict[str, Callable[[Path, int], None]] = {
    "large.jsonl": make_jsonl,
    "groups_of_100.parquet": lambda path, rows: make_parquet(path, rows, 100),
    "one_group.parquet": lambda path, rows: make_parquet(path, rows, rows),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--make", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.make:
        MAKERS[given.make.name](given.make, given.rows)
        return
    if given.file:
        run_once(given.file)
        return
    print(
        f"{'file':>22} {'size':>9} {'first batch':>12} {'of CPU':>8} {'memory':>9} "
        f"{'circular':>10} {'digests':>9}"
    )
    for name in MAKERS:
        for rows in (given.rows // 10, given.rows):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / name
                in_new_process("--make", path, "--rows", rows)
                wall, cpu, peak, rotated, digests = measure(path, given.repeats)
                size = path.stat().st_size / 1e6
            print(
                f"{name:>22} {size:6,.0f} MB {wall:10.2f} s {cpu:6.2f} s {peak:6.0f} MB "
                f"{rotated:8.2f} s {digests:7.2f} s"
            )


if __name__ == "__main__":
    main()
