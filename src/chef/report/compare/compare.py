"""Compare runs: open them, check that they ask the same, and find what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

from chef.config import Recipe
from chef.errors import ChefError, ConfigError, DataError
from chef.report.compare.checking import check, check_allowed
from chef.report.compare.comparison import Comparison, Pair, RunScore
from chef.report.compare.opening import open_sides
from chef.report.compare.pairing import Pairing, common_means
from chef.report.compare.side import Side
from chef.report.compare.verdict import Best, RectifiedPair, is_decided
from chef.report.labels.result import notes_of, rectified_pair
from chef.report.load import Run
from chef.report.runs import apart
from chef.run.journal import rare_collection
from chef.scoring.result import RunResult
from chef.stats.paired import PairedDifference, best_of, joint, rank_intervals, single_mean

#: Tried in order: the first by which all runs differ is used.
_UNSET = "(not set)"


@rare_collection()
def compare(
    given: Sequence[Path | Run | RunResult],
    *,
    metric: str | None = None,
    recipe: Recipe | None = None,
    allow: Iterable[str] = (),
    by: Sequence[str] = (),
    trust: bool = False,
) -> Comparison:
    """Compare runs with each other; see `chef.api.compare`.

    Raises:
        ConfigError: fewer than two runs, an unknown metric or word of ``allow``.
        DataError: a run is not finished or not scored, or the runs do not ask the same.
        RunError: the metric failed.
    """
    allowed = check_allowed(allow)
    if len(given) < 2:
        raise ConfigError(
            "a comparison needs two runs or more",
            where="RUN",
            hint="for example: chef compare results/a/Shapes/ppl-1 results/b/Shapes/ppl-1",
        )
    sides = open_sides(given, metric=metric, recipe=recipe, trust=trust)
    labels = labels_of(sides)
    differing = check(sides, labels, allowed)
    figures = _figures(sides)
    means = common_means(sides, figures)
    pairs, paired = [], []
    for (one, first), (other, second) in combinations(zip(labels, sides, strict=True), 2):
        pair, main = Pairing(first, second, (one, other), figures[0], means, by).pair()
        if not pair.samples or main is None:
            raise _not_comparable((first, second), (one, other), pair.samples, figures[0])
        pairs.append(pair)
        paired.append(main)
    pairs = _joined(pairs, paired, figures[0])
    by_people = _by_people(sides, labels)
    return Comparison(
        runs=labels,
        primary=figures[0],
        pairs=pairs,
        allowed=differing,
        notes=[*_notes(sides, labels, figures), *notes_of(by_people)],
        scores=[
            RunScore(label, side.place, dict(side.report.metrics), side.report.coverage)
            for side, label in zip(sides, labels, strict=True)
        ],
        differs=settings_that_differ(sides),
        ranks=_ranks(labels, pairs, figures[0]),
        best=_best(sides, labels, figures[0], means[figures[0]]),
        rectified=[item for item, _ in by_people if item is not None],
    )


def _not_comparable(
    sides: Sequence[Side], labels: Sequence[str], shared: int, figure: str
) -> DataError:
    """Why two runs have no difference: no shared sample, or no figure of the shared ones."""
    where = " and ".join(str(side.place) for side in sides)
    if not shared:
        return DataError(
            f"no sample is scored in both {labels[0]} and {labels[1]}",
            where=where,
            hint="`chef score RUN_DIR` tells what became of the samples of a run",
        )
    why = next((side.no_scorer for side in sides if side.no_scorer), "the metric gives none")
    return DataError(
        f"{figure} of the {shared} shared samples cannot be computed: {why}",
        where=where,
        hint="compare runs of the same samples, or by another metric with --metric NAME",
    )


def _by_people(
    sides: Sequence[Side], labels: Sequence[str]
) -> list[tuple[RectifiedPair | None, str]]:
    """Of each pair of runs the difference by labels of people, or why there is none."""
    found = []
    for (one, first), (other, second) in combinations(zip(labels, sides, strict=True), 2):
        try:
            found.append(rectified_pair((first, second), (one, other)))
        except ChefError as error:
            found.append((None, f"labels of people: {error.what}"))
    return found


def _figures(sides: Sequence[Side]) -> list[str]:
    """The figures that all runs have in one unit, the main one first; DataError for none."""
    first = sides[0].report
    common = [
        key
        for key, item in first.metrics.items()
        if all(
            key in side.report.metrics and side.report.metrics[key].unit == item.unit
            for side in sides[1:]
        )
    ]
    if not common:
        listed = "; ".join(", ".join(side.report.metrics) for side in sides)
        raise DataError(
            f"the runs have no figure in common: {listed}",
            where=" and ".join(str(side.place) for side in sides),
            hint="score all of them by one metric with --metric NAME",
        )
    main = first.primary if first.primary in common else common[0]
    return [main, *(key for key in common if key != main)]


def _joined(pairs: Sequence[Pair], paired: Sequence[PairedDifference], primary: str) -> list[Pair]:
    """The pairs, where there are several with what holds for all of them together."""
    if len(pairs) < 2:
        return list(pairs)
    return [
        replace(
            pair, joint=replace(pair.differences[primary], difference=estimate, p_value=p_value)
        )
        for pair, (estimate, p_value) in zip(pairs, joint(paired), strict=True)
    ]


def _ranks(
    labels: Sequence[str], pairs: Sequence[Pair], primary: str
) -> dict[str, tuple[int, int]]:
    """The places that each of three runs or more may have; empty where no direction is better."""
    if len(labels) < 3:
        return {}
    better = []
    for pair in pairs:
        item = pair.deciding(primary)
        up, value = item.difference.higher_is_better, item.difference.value or 0.0
        if up is None:
            return {}
        if is_decided(item):
            second_wins = (value > 0) is up
            names = (pair.second, pair.first) if second_wins else (pair.first, pair.second)
            better.append(names)
    places = rank_intervals(labels, better)
    return {name: (place.start, place.stop - 1) for name, place in places.items()}


def _best(sides: Sequence[Side], labels: Sequence[str], figure: str, finding: str) -> Best | None:
    """The one best of three runs or more, corrected for having been chosen."""
    if len(sides) < 3:
        return None
    scores = {}
    for side, label in zip(sides, labels, strict=True):
        whole = side.report.metrics[figure]
        if not finding:  # of no mean it is not known what moves it
            number = whole.clusters or whole.n
            scores[label] = PairedDifference(whole, number, None, freedom=max(1, number - 1))
            continue
        names = sorted(side.scored)
        numbers = [side.findings[finding][name] for name in names]
        scores[label] = single_mean(numbers, side.named_clusters(names), whole)
    found = best_of(scores)
    values = [side.report.metrics[figure].value for side in sides]
    if found is None or values.count(found[1].value) > 1:  # several share the first place
        return None
    return Best(*found)


def _of_stopped(sides: Sequence[Side], labels: Sequence[str]) -> list[str]:
    """Which runs stopped early, and what that means for their differences."""
    notes, in_race, by_items = [], False, False
    for side, label in zip(sides, labels, strict=True):
        if stopped := side.report.stopped:
            notes.append(f"{label} stopped early, at {stopped.asked} of {stopped.total} samples")
            in_race = in_race or (stopped.precision is None and stopped.items is None)
            by_items = by_items or stopped.of_asked is not None
    if in_race:
        notes.append(
            "a race ends because of its scores: the intervals and p-values here, which are for a "
            "number of samples that was set before, are too sure; its own verdict holds"
        )
    if by_items:
        notes.append(
            "--items asked samples that tell models apart: scores and differences here are of "
            "them, which are harder to tell than most; results.json estimates the score of all"
        )
    return notes


def _notes(sides: Sequence[Side], labels: Sequence[str], figures: Sequence[str]) -> list[str]:
    """What concerns all runs: unlike coverage, and figures that only some of them have."""
    notes = _of_stopped(sides, labels)
    most = max(side.report.coverage.coverage for side in sides)
    for side, label in zip(sides, labels, strict=True):
        coverage = side.report.coverage
        if coverage.coverage < most:
            notes.append(
                f"{label} has scored {100 * coverage.coverage:.1f}% of its samples, another run "
                f"{100 * most:.1f}%; the samples that it lacks are no part of the differences"
            )
        only = [key for key in side.report.metrics if key not in figures]
        if only:
            notes.append(f"only {label} or some of the runs have {', '.join(only)}")
    return list(dict.fromkeys(notes))


def labels_of(sides: Sequence[Side]) -> list[str]:
    """The shortest names that tell runs apart: model, recipe, folder or path; twins get numbers."""
    places = {side.place.resolve(): side for side in sides}
    each = list(places.values())
    found = apart([side.names for side in each]) or [str(side.place) for side in each]
    names = dict(zip(places, found, strict=True))
    seen: Counter[str] = Counter()
    labels = []
    for side in sides:
        name = names[side.place.resolve()]
        seen[name] += 1
        labels.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return labels


def settings_that_differ(sides: Sequence[Side]) -> dict[str, list[Any]]:
    """The keys of config.yaml in which runs differ, with the value of each run.

    Files of answers have ``(not known)``. Left out are keys that only one class has, and the
    digest of a wording where a key of the recipe says what differs.
    """
    known = [side for side in sides if side.config]
    if len(known) < 2:
        return {}
    keys = dict.fromkeys(key for side in known for key in side.config)
    found = {
        key: [side.config.get(key, _UNSET) if side.config else "(not known)" for side in sides]
        for key in keys
        if len({repr(side.config.get(key, _UNSET)) for side in known}) > 1
    }
    other_classes = {_section(key) for key in found if key.endswith(("_type", "_name"))}
    found = {
        key: values
        for key, values in found.items()
        if _UNSET not in values or _section(key) not in other_classes
    }
    if any(key.startswith("recipe_cfg.") for key in found):
        found = {key: values for key, values in found.items() if key.split(".")[0] != "decided_by"}
    if any(key.startswith("model_cfg.") for key in found):
        found.pop("weights", None)
    weights = {side.config.get("weights") for side in known}
    if len(weights) == 1 and None not in weights:  # one checkpoint, though it has two names
        found.pop("model_cfg.model_path", None)
    return found


def _section(key: str) -> str:
    return key.rpartition(".")[0]
