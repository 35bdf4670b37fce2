"""What a run of ten million samples costs past one machine: scores are made, not asked.

    python benchmarks/shards.py                     # 10^7 samples, a few minutes of one core
    python benchmarks/shards.py --samples 1000000

The ids are cut into shards; each shard's scores become sums with 200 replicates, which are packed
as the head of a part; the driver reads all heads and adds them up. Seconds are those of one core;
in a run, the shards are done by many workers, and the cutting and the merging by one.
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np
from tabulate import tabulate

from chef.metric import Coverage
from chef.shards.settings import SIZE, Shard, cut, pack, whole_head
from chef.shards.statistics import CountedSums, ShardStatistics, Sums, merged
from chef.stats.figures import share

#: Questions about one image, and values of the field by which samples are grouped.
OF_IMAGE, CATEGORIES = 4, 6


def scores_of(shard: Shard) -> np.ndarray:
    """Right and wrong answers; images differ in how hard they are."""
    rng = np.random.default_rng(int(shard.name[:5]))
    images = np.array([int(name) // OF_IMAGE for name in shard.ids])
    hardness = (images * 2654435761 % 2**32) / 2**32
    return (rng.random(len(images)) < 0.4 + 0.6 * hardness).astype(float)


def statistics(shard: Shard, scores: np.ndarray) -> ShardStatistics:
    """What a worker tells of a shard: of all samples, and of six categories."""
    clusters = [f"image {int(name) // OF_IMAGE}" for name in shard.ids]

    def counted(places: range) -> CountedSums:
        sums = Sums.of(scores[places.start :: places.step], clusters[places.start :: places.step])
        return CountedSums(sums, Coverage(sums.n, sums.n))

    groups = {
        f"category {n}": counted(range(n, len(scores), CATEGORIES)) for n in range(CATEGORIES)
    }
    whole = counted(range(0, len(scores), 1))
    return ShardStatistics("Accuracy", "ACC", "%", True, ("ACC",), "", whole, {"category": groups})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=10**7)
    parser.add_argument("--shard-size", type=int, default=SIZE)
    options = parser.parse_args()
    clock = time.process_time()
    shards = cut(map(str, range(options.samples)), options.shard_size)
    cutting = time.process_time() - clock
    heads, scoring, every = [], 0.0, []
    for shard in shards:
        scores = scores_of(shard)
        every.append(scores)
        clock = time.process_time()
        head, _ = pack(shard.name, "0" * 32, [statistics(shard, scores)], [], b"")
        scoring += time.process_time() - clock
        heads.append(head)
    clock = time.process_time()
    told = merged(whole_head(head, "").statistics[0] for head in heads)
    item = told.report(options.samples).metrics["ACC"]
    merging = time.process_time() - clock
    sizes = [len(head) for head in heads]
    plain = share(np.concatenate(every), None)
    assert item.value == plain.value, "the mean is that of all scores at once"
    rows = [
        ("cutting ids into shards (driver)", f"{1e6 * cutting / options.samples:.2f} µs a sample"),
        ("sums of a shard and 6 groups (worker)",
         f"{1e6 * scoring / options.samples:.2f} µs a sample"),
        ("reading and adding up heads (driver)", f"{1e3 * merging / len(shards):.2f} ms a shard"),
        ("bytes that the driver sees", f"{np.mean(sizes) / 1024:.1f} KiB a shard, "
         f"{sum(sizes) / 2**20:.1f} MiB in all"),
        ("shards", f"{len(shards)}, of {options.samples / len(shards):.0f} samples on average"),
        ("memory at most, ids of all samples included",
         f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.2f} GiB"),
        ("accuracy", f"{item.value:.4f}% [{item.low:.4f}, {item.high:.4f}]"),
    ]  # fmt: skip
    print(tabulate(rows, headers=("10^7 samples" if options.samples == 10**7 else
                                  f"{options.samples} samples", ""), tablefmt="pipe"))  # fmt: skip


if __name__ == "__main__":
    main()
