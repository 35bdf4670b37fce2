"""Differences of figures that are no mean of sample scores: from figures of halves of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from chef.report.compare.found import Matched
from chef.report.compare.scorer import Scorer
from chef.report.compare.side import Side
from chef.stats.halves import Figures, paired_figures, splits
from chef.stats.paired import PairedDifference


def differences_of_parts(
    first: Side, second: Side, figures: Sequence[str], ids: Sequence[str]
) -> dict[str, Matched]:
    """The paired differences of figures that the metric computes anew on halves of the samples.

    Where the metric cannot be made here, the differences of the stored figures without intervals,
    if these are figures of the same samples; else none.

    Args:
        first: a run.
        second: the run that is held against it.
        figures: the keys of the metric.
        ids: of samples that both runs have scored.
    """
    if not figures or not ids:
        return {}
    if first.scorer is None or second.scorer is None:
        return _stored(first, second, figures, ids)
    wholes = [scorer.figures(ids) for scorer in (first.scorer, second.scorer)]
    like = {key: first.report.metrics[key] for key in figures if all(key in it for it in wholes)}
    if not like:
        return {}
    clusters = [first.clusters[name] for name in ids]
    with _bar(splits(len(ids))) as on_split:
        found = paired_figures(
            _of_places(first.scorer, ids), _of_places(second.scorer, ids), clusters, like,
            on_split=on_split,
        )  # fmt: skip
    return {key: Matched(wholes[0][key], wholes[1][key], item) for key, item in found.items()}


def _stored(
    first: Side, second: Side, figures: Sequence[str], ids: Sequence[str]
) -> dict[str, Matched]:
    if any(len(ids) < len(side.scored) for side in (first, second)):
        return {}
    found = {}
    for key in figures:
        before, after = (side.report.metrics[key] for side in (first, second))
        gain = None
        if before.value is not None and after.value is not None:
            gain = after.value - before.value
        bare = replace(before, value=gain, stderr=None, low=None, high=None, method="none")
        found[key] = Matched(before, after, PairedDifference(bare, 0, None))
    return found


def _of_places(scorer: Scorer, ids: Sequence[str]) -> Figures:
    def figures(places: Sequence[int]) -> Mapping[str, float | None]:
        found = scorer.figures([ids[place] for place in places])
        return {key: item.value for key, item in found.items()}

    return figures


@contextmanager
def _bar(splits_: int) -> Iterator[Callable[[], None]]:
    """A progress bar that is shown where the splits take longer than a few seconds."""
    from tqdm import tqdm

    with tqdm(total=splits_, desc="comparing", unit="split", delay=3, leave=False) as bar:

        def step() -> None:
            bar.update()

        yield step
