"""The result files of ChEF's desiderata, in its key names, from the runs of a suite.

Below the folder, with DS for a data set: ``Calibration/DS/results.json``,
``Hallucination/DS/results.json``, ``ICL/DS/results.json``,
``Instruct_follow/DS/Instruction_Follow_Results.json``, ``Robust/DS/Robust_Results.json`` and
``Language/DS/results.json``; beside each the answers of its runs, a list of samples as ChEF writes
it. Numbers have ChEF's scales: percent, ECE 0 to 1, RIAM as on its leaderboard (``50 RIAM + 50``).
What is withheld, and what ChEF's `Cost` counts, is null.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from chef.common.writing import write_json
from chef.frozen import Frozen
from chef.guard.folder import make_folder
from chef.report.load import Run, load_run
from chef.suite.formula import read_formula
from chef.suite.members.figures import MemberRun, calibration_of, value_of
from chef.suite.members.parts import CORRUPTED, ChefRoles
from chef.suite.members.result import SuiteResult


class _Files(Frozen):
    """Writes what belongs to one data set; what needs a run that is missing is not written."""

    result: SuiteResult
    folder: Path
    dataset: str

    def run(self, name: str) -> Run:
        folder = self.result.members[name].folder
        assert folder is not None
        return load_run(folder)

    def answers(self, name: str, *place: str) -> str:
        """Write the answers of a member; the file."""
        run = self.run(name)
        scores = {line["id"]: line.get("score") for line in run.report.samples}
        samples = [
            {**one.to_record(), "metric_result": scores.get(one.sample_id)}
            for one in run.predictions
        ]
        return str(_written(self.folder, Path(*place, f"{self.dataset}.json"), samples))

    def figures(self, name: str) -> dict[str, Any]:
        """The figures of a member's run by ChEF's keys."""
        return {key: item.value for key, item in self.run(name).report.metrics.items()}

    def number(self, formula: Any) -> float | None:
        """The value of a formula over the suite's members; None where it is withheld."""
        return value_of(read_formula(formula), self.result.runs).estimate.value

    def accuracy(self, name: str) -> float | None:
        """In percent."""
        return self.number({"times": [100, {"field": "accuracy", "of": name}]})

    def plain(self, name: str, desideratum: str, figures: Mapping[str, Any]) -> Any:
        """The content of a file about one run."""
        path = self.answers(name, desideratum, self.dataset)
        return {"answer_path": path, "result": {**self.figures(name), **figures}}


def write_chef_results(result: SuiteResult, folder: Path) -> list[Path]:
    """Write ChEF's result files, without what needs unfinished members, of each named data set."""
    written = []
    for dataset, roles in result.file.chef.items():
        files = _Files(result, folder, dataset)
        for place, content in _contents(files, roles):
            written.append(_written(folder, place, content))
    return written


def _written(folder: Path, place: Path, content: Any) -> Path:
    """Write a file at a place below a folder; its path."""
    for above in reversed(place.parents):
        make_folder(folder / above)
    write_json(folder / place, content)
    return folder / place


def _contents(files: _Files, roles: ChefRoles) -> Iterator[tuple[Path, Any]]:
    """The files of a data set with their content."""
    data, runs = files.dataset, files.result.runs
    if roles.calibration in runs:
        own = calibration(runs[roles.calibration])
        content = files.plain(roles.calibration, "Calibration", own)
        yield Path("Calibration", data, "results.json"), content
    if roles.hallucination in runs:
        content = files.plain(roles.hallucination, "Hallucination", {})
        yield Path("Hallucination", data, "results.json"), content
    if roles.shots and {*roles.shots} <= runs.keys():
        yield Path("ICL", data, "results.json"), _in_context(files, roles.shots)
    if roles.verbalizers and {*roles.verbalizers.values()} <= runs.keys():
        content = _instruction_following(files, roles.verbalizers)
        yield Path("Instruct_follow", data, "Instruction_Follow_Results.json"), content
    if roles.corrupted and {*roles.corrupted.values()} <= runs.keys():
        yield Path("Robust", data, "Robust_Results.json"), _robust(files, roles.corrupted)
    if roles.language in runs:
        files.answers(roles.language, "Language", data)
        score = files.number({"field": "score", "of": roles.language})
        content = {"model name": files.result.model, "Avg Score": score, "Cost": None}
        yield Path("Language", data, "results.json"), content


def calibration(run: MemberRun) -> dict[str, Any]:
    """``ECE`` (0 to 1), and the share right and the mean confidence of each bin."""
    error = calibration_of(run)
    if error is None:
        return {"ECE": None, "Acc_bins": [], "Prob_bins": []}
    bins = {"Acc_bins": [*error.rights], "Prob_bins": [*error.confidences]}
    return {"ECE": error.error, **bins}


def _in_context(files: _Files, shots: list[str]) -> list[dict[str, Any]]:
    riam = {"riam": {"zero": shots[0], "shots": shots[1:]}}
    rows: list[dict[str, Any]] = [
        {
            "answer_path": files.answers(name, "ICL", files.dataset, str(number)),
            "result": files.figures(name),
        }
        for number, name in enumerate(shots)
    ]
    return [*rows, {"RIAM": files.number({"plus": [50, {"times": [50, riam]}]})}]


def _instruction_following(files: _Files, members: Mapping[str, str]) -> dict[str, Any]:
    """Directories, accuracies and match ratios by type of words, and their means."""
    origin = members["origin"]
    files.answers(origin, "Instruct_follow", files.dataset, "origin")
    dirs: dict[str, list[str]] = {}
    accuracies: dict[str, list[float | None]] = {}
    ratios: dict[str, list[float | None]] = {}
    for setting, name in members.items():
        if setting == "origin":
            continue
        kind = setting.rpartition("_")[0]
        path = files.answers(name, "Instruct_follow", files.dataset, setting)
        same = {"times": [100, {"field": "same", "of": name, "subset": origin}]}
        dirs.setdefault(kind, []).append(str(Path(path).parent))
        accuracies.setdefault(kind, []).append(files.accuracy(name))
        ratios.setdefault(kind, []).append(files.number(same))
    means = {"weighted_avg_MR": _mean(ratios), "weighted_avg_Acc": _mean(accuracies)}
    return {"res_dirs": dirs, "Accs": accuracies, "MRs": ratios, **means}


def _mean(values: Mapping[str, list[float | None]]) -> float | None:
    """The plain mean of all settings; None where one is withheld."""
    every = [value for of in values.values() for value in of]
    numbers = [value for value in every if value is not None]
    return sum(numbers) / len(numbers) if numbers and len(numbers) == len(every) else None


def _robust(files: _Files, members: Mapping[str, str]) -> list[dict[str, Any]]:
    """A row for each setting; that of the clean data has 100 for both ratios."""
    origin, rows = members["origin"], []
    for setting, name in members.items():
        image, text = CORRUPTED[setting]
        path = files.answers(name, "Robust", files.dataset, setting)
        pair = {"clean": origin, "corrupted": name}
        is_clean = setting == "origin"
        rows.append({
            "img_crp": image,
            "text_crp": text,
            "dir": str(Path(path).parent),
            "Acc": files.accuracy(name),
            "RRM": 100.0 if is_clean else files.number({"times": [100, {"rrm": pair}]}),
            "RR": 100.0 if is_clean else files.number({"times": [100, {"rr": pair}]}),
        })  # fmt: skip
    return rows
