"""``sweep.json``, and the samples of a sweep's runs as its analysis takes them."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from chef.common.circular import rotated
from chef.common.writing import write_json
from chef.errors import ConfigError, DataError
from chef.guard.folder import names_in, read_text
from chef.metric.coverage import is_cut
from chef.run.journal import JOURNAL, load_predictions
from chef.run.reading import is_there
from chef.scoring.result import RunResult, read_result
from chef.scoring.sample_line import chosen_option, option_texts, right_options
from chef.stats.clusters import components, links
from chef.suite.sweep.matrix import ScoreMatrix, score_matrix
from chef.suite.sweep.result import Combination


class RunSamples(NamedTuple):
    """The samples of a run that were asked, one entry each, in any order.

    Attributes:
        ids: of the samples; the same question has the same id in every run.
        scores: as the metric gives them (``metric_result``); None where a sample has none.
        links: what each sample shares with others of its cluster (`chef.stats.clusters.links`).
        chosen: index of the option that the answer is read as; None where it is none.
        right: index of the true option; None where there is not exactly one.
        rotations: in a circular run, by how many places the options of the sample are rotated;
            empty for other runs.
        probs: the probability of the chosen option, in 0..1; None where options were not scored.
        is_main: whether it is no rotation of another sample.
        options: how many options it has.
        categories: the ``category`` of each sample; empty where it has none.
        cut: whether the limit of new tokens cut its answer, or the chain of thought before it.
    """

    ids: list[str]
    scores: list[float | None]
    links: list[list[Hashable]]
    chosen: list[int | None]
    right: list[int | None]
    rotations: list[int]
    probs: Sequence[float | None] = ()
    is_main: Sequence[bool] = ()
    options: Sequence[int] = ()
    categories: Sequence[str] = ()
    cut: Sequence[bool] = ()

    def of_category(self, category: str) -> RunSamples:
        """The samples of one category."""
        places = [place for place, name in enumerate(self.categories) if name == category]
        parts = {
            field: [values[place] for place in places]
            for field, values in self._asdict().items()
            if values
        }
        return self._replace(**parts)


class CombinationScores(NamedTuple):
    """A run of a sweep, sample by sample, with clusters by `chef.stats.clusters.clusters_of`."""

    run: Combination
    samples: RunSamples
    clusters: Sequence[str]


def scores_of(runs: Sequence[StoredRun], folder: Path) -> list[CombinationScores]:
    """The samples of every combination that has scores; DataError for missing or damaged files."""
    known: dict[Path, tuple[RunResult, RunSamples]] = {}
    scored = []
    for run in runs:
        if run.results is None:
            continue
        file = Path(os.path.normpath(folder / run.results))
        if file not in known:
            report = report_of(file)
            known[file] = msgspec.structs.replace(report, samples=()), samples_of(report)
        report, samples = known[file]
        if report.figure is not None:
            scored.append((Combination(run.values, report.of_model(run.model)), samples))
    clusters = _clusters(samples for _, samples in known.values())
    return [
        CombinationScores(run, samples, [clusters[id_] for id_ in samples.ids])
        for run, samples in scored
    ]


def matrix_of_runs(runs: Sequence[CombinationScores]) -> ScoreMatrix:
    """The scores of runs side by side; see `score_matrix`."""
    clusters = {
        id_: cluster
        for run in reversed(runs)
        for id_, cluster in zip(run.samples.ids, run.clusters, strict=True)
    }
    return score_matrix(
        [run.samples.ids for run in runs], [run.samples.scores for run in runs], clusters
    )


def report_of(file: Path) -> RunResult:
    """The result of a run with its samples; DataError if it is not there."""
    report = read_result(file, further=False, kind=RunResult) if is_there(file) else None
    if report is None:
        hint = "run the sweep again: what is there is not asked again"
        raise DataError("the run is not there any more", where=str(file), hint=hint)
    return report


def _clusters(runs: Iterable[RunSamples]) -> dict[str, str]:
    """The cluster of each sample, by its id: the id of the first sample of the cluster.

    Runs may have asked different samples, so clusters are those of the samples of all of them:
    numbers of the clusters of one run would mean others in the next.
    """
    shared: dict[str, set[Hashable]] = {}
    for run in runs:
        for id_, links_ in zip(run.ids, run.links, strict=True):
            shared.setdefault(id_, set()).update(links_)
    ids, numbers = list(shared), components(shared.values())
    names: dict[int, str] = {}
    return {id_: names.setdefault(number, id_) for id_, number in zip(ids, numbers, strict=True)}


def samples_of(report: RunResult) -> RunSamples:
    """The samples of a run, by its result and its answers."""
    lines = report.samples
    answers = load_predictions(report.folder / JOURNAL)
    if missing := [line["id"] for line in lines if line["id"] not in answers]:
        hint = "score the run again with chef score, or run the sweep again"
        raise DataError(f"sample '{missing[0]}' has no answer", where=str(report.folder), hint=hint)
    records = {line["id"]: answers[line["id"]].to_record() for line in lines}
    right = [right_options(records[line["id"]]) for line in lines]
    return RunSamples(
        ids=[line["id"] for line in lines],
        scores=[_number(line.get("score")) for line in lines],
        links=[list(links(records[line["id"]])) for line in lines],
        chosen=[chosen_option(records[line["id"]], line) for line in lines],
        right=[places[0] if len(places) == 1 else None for places in right],
        rotations=_rotations(records),
        probs=[_number(records[line["id"]].get("prob")) for line in lines],
        is_main=[
            str(records[line["id"]].get("circular_group", line["id"])) == line["id"]
            for line in lines
        ],
        options=[len(option_texts(records[line["id"]])) for line in lines],
        categories=[str(records[line["id"]].get("category") or "") for line in lines],
        cut=[is_cut(answers[line["id"]]) for line in lines],
    )


def _number(score: Any) -> float | None:
    return float(score) if isinstance(score, int | float) else None


def _rotations(records: Mapping[str, dict[str, Any]]) -> list[int]:
    """By how many places the options of each sample are moved; empty where none are."""
    if not any("circular_group" in record for record in records.values()):
        return []
    moved = []
    for record in records.values():
        first = records.get(str(record.get("circular_group")), record)
        before, after = option_texts(first), option_texts(record)
        shifts = range(len(before))
        moved.append(next((by for by in shifts if rotated(before, by) == after), 0))
    return moved


SWEEP = "sweep.json"
#: The folder of the sweeps' own files, in that of all results.
SWEEPS = "sweeps"
#: No combinations of sensible size have a larger file, in bytes.
_MOST_BYTES = 200_000_000


class StoredFactor(msgspec.Struct, frozen=True):
    """A factor: its name, its role and the labels of its values."""

    name: str
    role: str
    values: list[str]


class StoredRun(msgspec.Struct, frozen=True):
    """A combination, by factor the label of the value, and its run.

    ``run`` is its name without that of the sweep, ``results`` the file of its scores (or None)
    relative to the folder of the sweep, and ``error`` why it did not finish, if it did not.
    """

    values: dict[str, str]
    model: str
    run: str
    results: str | None = None
    error: str = ""


class StoredSweep(msgspec.Struct, frozen=True):
    """The content of sweep.json.

    ``factors`` are those with several values (all where none has), ``sweep`` is the content of the
    file without secrets, ``limit`` the number of samples of each run, ``seed`` that of the subset.
    """

    name: str
    factors: list[StoredFactor]
    combinations: list[StoredRun]
    file: str = ""
    sweep: dict[str, Any] = {}
    limit: int | None = None
    seed: int = 0
    version: str = ""


def write_sweep(folder: Path, sweep: StoredSweep) -> None:
    """Write sweep.json, whole or not at all; ConfigError if the folder cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"the folder of the sweep cannot be made: {error.strerror or error}",
            where=str(folder),
            hint="choose a folder that you can write to with --save_dir (Python: save_dir=)",
        ) from None
    write_json(folder / SWEEP, msgspec.to_builtins(sweep))


def read_sweep_json(folder: Path) -> StoredSweep:
    """Read sweep.json of a folder; DataError if there is none, or not what chef writes."""
    file = folder / SWEEP
    hint = "give the folder that a sweep writes, results/sweeps/NAME; or run the sweep again"
    try:
        return _checked(msgspec.json.decode(read_text(file, limit=_MOST_BYTES), type=StoredSweep))
    except FileNotFoundError:
        raise DataError("the folder holds no sweep", where=str(folder), hint=hint) from None
    except (OSError, ValueError, RecursionError) as error:
        what = f"the file is not what chef writes ({error})"
        raise DataError(what, where=str(file), hint=hint) from None


def _checked(stored: StoredSweep) -> StoredSweep:
    """A sweep; ValueError unless each of its combinations has a value of each factor."""
    for factor in stored.factors:
        for one in stored.combinations:
            if one.values.get(factor.name) not in factor.values:
                raise ValueError(f"{one.run} has no value of the factor {factor.name}")
    return stored


def earlier_sweep(folder: Path) -> StoredSweep | None:
    """The sweep that a folder holds, if it can be read."""
    try:
        return read_sweep_json(folder)
    except DataError:
        return None


def relative(file: Path, folder: Path) -> str:
    """A path relative to the folder of the sweep, so that all results can be moved together."""
    return Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix()


def sweeps_near(folder: Path) -> dict[Path, Path]:
    """The folder of the sweep of each run that is part of one, by its own folder, both resolved.

    Sweeps are looked for in this folder and in the folder of all results.
    """
    whole = folder.resolve()
    found: dict[Path, Path] = {}
    for place in (whole, whole / "results", *whole.parents[:3]):
        sweeps = place / SWEEPS
        for name in names_in(sweeps) if sweeps.is_dir() else ():
            stored = earlier_sweep(sweeps / name)
            for run in stored.combinations if stored else ():
                if run.results is not None:
                    file = Path(os.path.normpath(sweeps / name / run.results))
                    found.setdefault(file.parent, sweeps / name)
    return found
