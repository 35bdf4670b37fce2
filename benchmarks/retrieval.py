"""What in-context retrieval costs: the search in pools of growing size, and embedding the pool.

    python benchmarks/retrieval.py                             # 10,000 vectors, seconds
    python benchmarks/retrieval.py --sizes 10000 100000 1000000  # about half an hour on two cores

The search runs on synthetic unit vectors in clusters, as embeddings are: each index is built and
asked in a process of its own, so that its memory can be told. Embedding runs on Digits' images:
on every run anew, as ChEF does it (one image at a time), against chef's first run and its later
ones, which read the cache.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

KINDS = ("exact", "ivf", "hnsw")
#: One cluster for so many vectors; how far its members lie from its centre.
CLUSTER, SPREAD = 100, 1.0
SEED, NEIGHBOURS = 0, 5


def vectors(number: int, width: int, part: str) -> Any:
    """``[number, width]`` float32 of length 1; the parts ``pool`` and ``query`` share clusters."""
    import numpy as np

    clusters = np.random.default_rng(SEED)
    centres = clusters.standard_normal((max(1, number // CLUSTER), width), dtype=np.float32)
    if part == "query":
        number = min(number, 1000)
    rng = np.random.default_rng([SEED, len(part)])
    found = rng.standard_normal((number, width), dtype=np.float32)
    found *= SPREAD
    found += centres[rng.integers(len(centres), size=number)]
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


def search(kind: str, number: int, width: int) -> dict[str, float]:
    """Seconds, mebibytes (table and index) and recall of one index, alone in its process."""
    from chef.instruction.retriever.nearest import SPARE
    from chef.instruction.retriever.neighbours import Neighbours

    queries = vectors(number, width, "query")
    Neighbours(queries, kind)  # type: ignore[arg-type]  # loads FAISS
    before = memory()
    pool = vectors(number, width, "pool")
    started = time.perf_counter()
    index = Neighbours(pool, kind)  # type: ignore[arg-type]
    built = time.perf_counter() - started
    del pool  # what the index needs of it, it keeps
    grown, started = memory() - before, time.perf_counter()
    candidates = index.candidates(queries, NEIGHBOURS + SPARE)
    for query, row in zip(queries, candidates, strict=True):
        order = index.order(query, row)
        for _ in range(NEIGHBOURS):
            next(order)
    asked = (time.perf_counter() - started) * 1000 / len(queries)
    recall = index.measure_recall(queries, NEIGHBOURS)
    return {"built": built, "memory": grown, "asked": asked, "recall": recall}


def memory() -> float:
    """The process's memory in MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def apart(kind: str, number: int, width: int) -> dict[str, float]:
    """`search` in a process of its own."""
    command = [sys.executable, __file__, "--one", kind, "--sizes", str(number), "--width"]
    done = subprocess.run([*command, str(width)], capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def show_search(sizes: list[int], width: int, kinds: list[str]) -> None:
    print(f"search for {NEIGHBOURS} neighbours, {width} dimensions, float32")
    head = ("pool", "index", "build s", "memory MiB", "s / 1,000 queries", "recall", "speed-up")
    print(
        f"{head[0]:>10}{head[1]:>7}{head[2]:>9}{head[3]:>12}{head[4]:>19}{head[5]:>8}{head[6]:>10}"
    )
    for number in sizes:
        exact = 0.0
        for kind in kinds:
            found = apart(kind, number, width)
            exact = exact or found["asked"]
            print(
                f"{number:>10,}{kind:>7}{found['built']:>9.2f}{found['memory']:>12.0f}"
                f"{found['asked']:>19.3f}{found['recall']:>8.3f}{exact / found['asked']:>10.2f}",
                flush=True,
            )


def show_embedding(encoder: str) -> None:
    """Seconds until a run's examples are known: each run anew, a first run, a later run."""
    from chef.instruction.retriever import ExamplePool
    from chef.instruction.retriever.topk_img import TopkImg
    from chef.scenario.digits import Digits

    train = Digits(split="train")

    def prepared(batch_size: int) -> float:
        retriever = TopkImg(ice_num=1, model_ckpt=encoder, batch_size=batch_size)
        retriever.encoder.fingerprint()  # loading the encoder is outside: both ways need it
        started = time.perf_counter()
        retriever.prepare(ExamplePool(train))
        return time.perf_counter() - started

    with tempfile.TemporaryDirectory() as scratch:
        os.environ["CHEF_CACHE"] = scratch
        upstream, first, later = prepared(1), prepared(32), prepared(32)
    print(f"\nembedding {len(train)} images with '{encoder}'")
    print(f"{'':<34}{'s':>9}{'ratio':>8}")
    for label, seconds in (
        ("every run anew, one by one (ChEF)", upstream),
        ("first run", first),
        ("later runs, from the cache", later),
    ):
        print(f"{label:<34}{seconds:>9.2f}{upstream / seconds:>8.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000])
    parser.add_argument("--width", type=int, default=384, help="dimensions (384: MiniLM)")
    parser.add_argument("--indexes", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--encoder", default="embedded", help="of the images; 'none' skips them")
    parser.add_argument("--one", choices=KINDS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(search(options.one, options.sizes[0], options.width)))
        return
    show_search(options.sizes, options.width, options.indexes)
    if options.encoder != "none":
        show_embedding(options.encoder)


if __name__ == "__main__":
    main()
