"""Compare chef with pandas: time and memory until the first batch of a large TSV is decoded.

    python benchmarks/loading.py

The generated file resembles MMBench: 20,000 questions, each with a photograph in base64. chef
indexes the file and reads only the requested rows; ``circular`` is chef with every rotation of the
options, of which it has to know before the first is asked; the pandas variant reads the whole file,
like toolkits that keep the table in memory. All then decode the images of the first 32 rows that
are asked. The variants alternate, each in a new process. The file is in the page cache for all, as
are the compiled modules: the first round, which writes them, does not count.
"""

from __future__ import annotations

import argparse
import base64
import io
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROWS, BATCH, SIDE, PICTURES, OPTIONS = 20_000, 32, 320, 50, 4


def make_tsv(path: Path, rows: int) -> None:
    """Write the file; images are noise on a coarse pattern, to make JPEGs as large as photos."""
    import numpy as np
    from PIL import Image

    random = np.random.default_rng(0)
    encoded = []
    for _ in range(PICTURES):
        coarse = random.integers(0, 256, (10, 10, 3)).repeat(SIDE // 10, 0).repeat(SIDE // 10, 1)
        noise = random.normal(0, 12, coarse.shape)
        stream = io.BytesIO()
        picture = Image.fromarray((coarse + noise).clip(0, 255).astype(np.uint8))
        picture.save(stream, "JPEG", quality=90)
        encoded.append(base64.b64encode(stream.getvalue()).decode())
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("index\tquestion\thint\tA\tB\tC\tD\tanswer\tcategory\timage\n")
        for row in range(rows):
            cells = [
                row, f'Which one is "number" {row}?', "Look closely.", "one", "two", "three",
                "four", "ABCD"[row % 4], f"category {row % 20}", encoded[row % PICTURES],
            ]  # fmt: skip
            file.write("\t".join('"' + str(cell).replace('"', '""') + '"' for cell in cells) + "\n")


def with_chef(path: Path) -> tuple[int, int]:
    from chef.scenario.tsv.scenario import Tsv

    scenario = Tsv(path=str(path))
    sizes = [scenario[row].images[0].load().size for row in range(BATCH)]
    return len(scenario), sum(width * height for width, height in sizes)


def with_rotations(path: Path) -> tuple[int, int]:
    from chef.scenario.circular import Circular
    from chef.scenario.tsv.scenario import Tsv

    scenario = Circular(Tsv(path=str(path)))
    sizes = [scenario[row].images[0].load().size for row in range(BATCH)]
    assert len(scenario) % OPTIONS == 0
    return len(scenario) // OPTIONS, sum(width * height for width, height in sizes)


def with_pandas(path: Path) -> tuple[int, int]:
    import pandas as pd
    from PIL import Image

    table = pd.read_csv(path, sep="\t")
    pixels = 0
    for row in range(BATCH):
        with Image.open(io.BytesIO(base64.b64decode(table.iloc[row]["image"]))) as image:
            width, height = image.convert("RGB").size
            pixels += width * height
    return len(table), pixels


SIDES: dict[str, Callable[[Path], tuple[int, int]]] = {
    "chef": with_chef,
    "circular": with_rotations,
    "pandas": with_pandas,
}


def measure(side: str, path: Path, compiled: str) -> dict[str, float]:
    """Measure seconds to the first batch, including imports, and peak memory in a new process."""
    command = [sys.executable, __file__, "--side", side, "--file", str(path)]
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def run_side(side: str, path: Path) -> None:
    started = time.perf_counter()
    rows, pixels = SIDES[side](path)
    seconds, processor = time.perf_counter() - started, time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = {"seconds": seconds, "processor": processor, "peak_mb": peak}
    print(json.dumps({"rows": rows, "pixels": pixels, **figures}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--file", type=Path, help="path of the file; an existing file is reused")
    parser.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.side:
        run_side(given.side, given.file)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = given.file or Path(folder) / "large.tsv"
        if not path.exists():
            make_tsv(path, given.rows)
        print(f"{given.rows:,} rows, {path.stat().st_size / 1e6:,.0f} MB")
        runs: dict[str, list[dict[str, float]]] = {side: [] for side in SIDES}
        for number in range(given.repeats + 1):
            for side in SIDES:
                result = measure(side, path, folder)
                if number:  # the first round warms the cache
                    runs[side].append(result)
        assert len({(run["rows"], run["pixels"]) for side in SIDES for run in runs[side]}) == 1
    for key, unit in (("seconds", "s"), ("processor", "s"), ("peak_mb", "MB")):
        for side in SIDES:
            values = [run[key] for run in runs[side]]
            print(f"{key:>9} {side:>8}: {statistics.median(values):9.2f} {unit}")
        for side in ("chef", "circular"):
            ratios = [b[key] / a[key] for a, b in zip(runs[side], runs["pandas"], strict=True)]
            spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
            print(f"{key:>9} pandas / {side}: {statistics.median(ratios):.2f} ({spread})")


if __name__ == "__main__":
    main()
