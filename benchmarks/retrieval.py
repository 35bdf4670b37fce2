"""Measure the cost of retrieval: search in pools of several sizes, and embedding of the pool.

    python benchmarks/retrieval.py                                 # 10,000 vectors, seconds
    python benchmarks/retrieval.py --sizes 10000 100000            # a minute on two cores
    python benchmarks/retrieval.py --sizes 1000000 --indexes exact ivf
    python benchmarks/retrieval.py --vectors shapes --sizes 20000  # vectors of images

The search runs on clustered synthetic unit vectors (``--spread`` sets the cluster width), or on
embeddings of drawn scenes from the embedded encoder. Each index is built and queried in a separate
process, to measure its memory. Embedding runs on the images of Digits and the questions of Shapes.
It compares ChEF, which embeds one item at a time in every run, with chef's first run and with later
runs, which read the cache.
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

from chef.instruction.retriever.nearest import Nearest
from chef.scenario import Scenario
from chef.scenario.digits import Digits
from chef.scenario.shapes.scenario import Shapes

KINDS = ("exact", "ivf", "hnsw")
#: Vectors per synthetic cluster, and maximum number of queries.
CLUSTER, QUERIES = 100, 1000
SEED, NEIGHBOURS = 0, 5


def vectors(options: argparse.Namespace, number: int, part: str) -> Any:
    """Return the pool or the queries: unit vectors ``[rows, width]`` in float32."""
    rows = number if part == "pool" else min(number, QUERIES)
    if options.vectors == "shapes":
        return scenes(rows, part)
    return clustered(rows, max(1, number // CLUSTER), part, options)


def scenes(rows: int, part: str) -> Any:
    """Return embeddings of drawn scenes, cached in a file because every index needs them."""
    import numpy as np

    from chef.embedding.encoders import image_encoder

    kept = Path(tempfile.gettempdir()) / f"{part}-{rows}.npy"
    if not kept.exists():
        drawn = Shapes(split="pool" if part == "pool" else "test", size=rows)
        encoder = image_encoder("embedded", batch_size=32, device="auto")
        found = []
        for start in range(0, rows, 1024):
            some = range(start, min(start + 1024, rows))
            found.append(encoder.encode([drawn[index].images[0] for index in some]))
        np.save(kept, np.concatenate(found))
    return np.load(kept)


def clustered(rows: int, clusters: int, part: str, options: argparse.Namespace) -> Any:
    """Return clustered vectors; the cosine within a cluster is about 1 / (1 + spread^2)."""
    import numpy as np

    centres = np.random.default_rng(SEED).standard_normal((clusters, options.width), np.float32)
    rng = np.random.default_rng([SEED, len(part)])
    found = rng.standard_normal((rows, options.width), np.float32)
    found *= options.spread
    found += centres[rng.integers(clusters, size=rows)]
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


def search(kind: str, number: int, options: argparse.Namespace) -> dict[str, float]:
    """Measure the time, the memory (table and index) and the recall of one index."""
    from chef.embedding.neighbours import Neighbours
    from chef.instruction.retriever.nearest import SPARE

    queries = vectors(options, number, "query")
    Neighbours(queries, kind)  # type: ignore[arg-type]  # loads FAISS
    before = memory()
    pool = vectors(options, number, "pool")
    started = time.perf_counter()
    index = Neighbours(pool, kind)  # type: ignore[arg-type]
    built = time.perf_counter() - started
    del pool  # the index keeps the part that it needs
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
    """Return the memory of this process in MiB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def apart(kind: str, number: int, options: argparse.Namespace) -> dict[str, float]:
    """Run `search` in a separate process."""
    given = {"width": options.width, "vectors": options.vectors, "spread": options.spread}
    command = [sys.executable, __file__, "--one", kind, "--sizes", str(number)]
    command += [f"--{key}={value}" for key, value in given.items()]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def show_search(options: argparse.Namespace) -> None:
    print(f"search for {NEIGHBOURS} neighbours among {options.vectors} vectors, float32")
    head = ("pool", "index", "build s", "memory MiB", "s / 1,000 queries", "recall", "speed-up")
    print(
        f"{head[0]:>10}{head[1]:>7}{head[2]:>9}{head[3]:>12}{head[4]:>19}{head[5]:>8}{head[6]:>10}"
    )
    for number in options.sizes:
        exact = 0.0
        for kind in options.indexes:
            found = apart(kind, number, options)
            exact = exact or found["asked"]
            print(
                f"{number:>10,}{kind:>7}{found['built']:>9.2f}{found['memory']:>12.0f}"
                f"{found['asked']:>19.3f}{found['recall']:>8.3f}{exact / found['asked']:>10.2f}",
                flush=True,
            )


def show_embedding(kind: str, scenario: Scenario, encoder: str) -> None:
    """Print the seconds to prepare a retriever: without a cache, in a first and in a later run."""
    from chef.instruction import RETRIEVERS
    from chef.instruction.retriever import ExamplePool

    key = "model_ckpt" if kind == "topk_img" else "sentence_transformers_model_name"

    def prepared(batch_size: int) -> float:
        given: dict[str, Any] = {key: encoder, "batch_size": batch_size}
        retriever = RETRIEVERS.get(kind)(ice_num=1, **given)
        assert isinstance(retriever, Nearest)
        retriever.encoder.fingerprint()  # load the encoder outside the measured time
        started = time.perf_counter()
        retriever.prepare(ExamplePool(scenario))
        return time.perf_counter() - started

    with tempfile.TemporaryDirectory() as scratch:
        os.environ["CHEF_CACHE"] = scratch
        prepared(31)  # warm-up under another cache key: draws images, loads libraries
        upstream, first, later = prepared(1), prepared(32), prepared(32)
    print(f"\n{kind}: embedding {len(scenario):,} samples of {scenario.name} with '{encoder}'")
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
    parser.add_argument("--indexes", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--vectors", choices=("synthetic", "shapes"), default="synthetic")
    parser.add_argument(
        "--width", type=int, default=384, help="width of synthetic vectors (384: MiniLM)"
    )
    parser.add_argument("--spread", type=float, default=1.0, help="spread of synthetic clusters")
    parser.add_argument("--images", default="embedded", help="encoder; 'none' skips them")
    parser.add_argument("--texts", default="embedded", help="encoder; 'none' skips them")
    parser.add_argument("--one", choices=KINDS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(search(options.one, options.sizes[0], options)))
        return
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["TMPDIR"] = scratch  # the search processes share the embeddings of drawn scenes
        show_search(options)
    if options.images != "none":
        show_embedding("topk_img", Digits(split="train"), options.images)
    if options.texts != "none":
        show_embedding("topk_text", Shapes(split="pool", size=1000), options.texts)


if __name__ == "__main__":
    main()
