"""What is written of a suite: its sections, its page with links to its members, ChEF's files.

The result files of ChEF's desiderata have its key names. Below the folder, with DS for a data set:
``Calibration/DS/results.json``, ``Hallucination/DS/results.json``, ``ICL/DS/results.json``,
``Instruct_follow/DS/Instruction_Follow_Results.json``, ``Robust/DS/Robust_Results.json`` and
``Language/DS/results.json``; beside each the answers of its runs, a list of samples as ChEF writes
it. Numbers have ChEF's scales: percent, ECE 0 to 1, RIAM as on its leaderboard (``50 RIAM + 50``).
What is withheld, and what ChEF's `Cost` counts, is null.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from chef.common.writing import write_json
from chef.document.numbers import interval, number
from chef.document.outline import shorten_end
from chef.document.sections import Cell, Plot, Section, Table
from chef.frozen import Frozen
from chef.guard.folder import make_folder
from chef.report.load import Run, load_run
from chef.report.page.content import PageContent
from chef.report.page.plots import Point, lines, mark_of
from chef.report.page.plots.bars import unit_of
from chef.report.page.write import write_page
from chef.scoring.figures import FIGURE, figure_cells, titled, without_empty
from chef.suite.formula import read_formula
from chef.suite.members.figures import FigureValue, MemberRun, calibration_of, value_of
from chef.suite.members.parts import CORRUPTED, ChefRoles
from chef.suite.members.result import (
    HEADERS,
    CurveValues,
    SuiteResult,
    figure_line,
    figures_section,
)
from chef.suite.pages.pages import Pages, now

#: So many lines of a curve are drawn, as many as there are colours: the least ones.
_DRAWN = 8


def sections_of(result: SuiteResult) -> list[Section]:
    """The figures with what they are made of and what is missing; curves; those by category."""
    curves = [section for one in result.curves for section in _curve(one)]
    sheet = [] if result.sheet is None else result.sheet.sections()
    return [figures_section(result), *sheet, *curves, *_categories(result)]


def _curve(curve: CurveValues) -> Iterator[Section]:
    """A table, the least line first, and a drawing of what has values."""
    yield _lines_table(curve) if curve.curve.of else _points_table(curve)
    drawn = {
        name: points for name in list(curve.lines)[:_DRAWN] if (points := [*_points(curve, name)])
    }
    if drawn:
        yield _plot(curve, drawn)


def _lines_table(curve: CurveValues) -> Table:
    """A row for each line: its mean with the interval, and its value at each number."""
    numbers = sorted({place for line in curve.lines.values() for place in line})
    rows: list[list[str | Cell]] = []
    for name, line in curve.lines.items():
        mean = curve.means[name].estimate
        cells = [_cell(line[place]) if place in line else "" for place in numbers]
        rows.append([name, number(mean.value, mean.unit), interval(mean), *cells])
    headers = (curve.curve.of, "mean", "95% interval", *(f"{place:g}" for place in numbers))
    unit = f" (in {curve.curve.unit})" if curve.curve.unit == "points" else ""
    note = f"By {curve.curve.over}{unit}, the least first; the mean is that over all of them."
    return Table(curve.curve.name, headers, rows, note)


def _points_table(curve: CurveValues) -> Table:
    """A row for each number of the only line."""
    (line,) = curve.lines.values()
    rows = [figure_line(f"{place:g}", value) for place, value in sorted(line.items())]
    return Table(curve.curve.name, (curve.curve.over, *HEADERS[1:]), rows, spare=("n",))


def _cell(value: FigureValue) -> Cell:
    item = value.estimate
    text = number(item.value, item.unit)
    return Cell(f"{text} {interval(item)}".strip(), short=text)


def _points(curve: CurveValues, name: str) -> Iterator[Point]:
    for place, value in curve.lines[name].items():
        mark = mark_of("", value.estimate)
        if mark.value is not None:
            yield Point(place, mark.value, mark.low, mark.high)


def _plot(curve: CurveValues, drawn: dict[str, list[Point]]) -> Plot:
    reference = None if curve.reference is None else mark_of("", curve.reference.estimate).value
    values = [value for line in curve.lines.values() for value in line.values()]
    rest = len(curve.lines) - len(drawn)
    title = curve.curve.name if rest <= 0 else f"{curve.curve.name}: the least {len(drawn)}"
    return lines(
        title,
        {name or title: points for name, points in drawn.items()},
        x_label=curve.curve.over,
        unit=unit_of(values[0].estimate),
        reference=reference,
    )


def _categories(result: SuiteResult) -> Iterator[Table]:
    for name, values in result.categories.items():
        if values:
            rows = [figure_line(category, value) for category, value in values.items()]
            headers = ("category", *HEADERS[1:])
            yield Table(f"{name} by category", headers, rows, spare=("n",))


#: So many characters of a question are shown in a list.
_SHOWN = 160


def write_suite_page(result: SuiteResult, file: Path) -> list[Path]:
    """Write the page of a suite, which stands first in what is returned, and that of each run."""
    folders = {name: one.folder for name, one in result.members.items() if one.folder is not None}
    runs = {name: load_run(folder) for name, folder in folders.items()}
    addresses, written = Pages([*runs.values()]).linked(file) if runs else ([], [])
    links = dict(zip(runs, addresses, strict=True))
    content = PageContent(
        kind="suite",
        title=f"{result.file.title} · {result.model}",
        subtitle=f"{len(runs)} of {len(result.members)} members have finished",
        made=now(),
        sections=[*sections_of(result), *_lists(result, runs, links), members_table(result, links)],
    )
    return [*write_page(content, file), *written]


def _lists(
    result: SuiteResult, runs: Mapping[str, Run], links: Mapping[str, str]
) -> Iterator[Section]:
    """Each list of samples, with links to them in the run of the first member."""
    first = next(iter(runs), "")
    if not first:
        return
    lines = {line["id"]: line for line in runs[first].report.samples}
    for name, ids in result.lists().items():
        rows = [
            (
                Cell(id_, href=f"{links[first]}#sample={quote(id_)}" if links[first] else ""),
                _short(lines.get(id_, {}).get("question")),
                _short(lines.get(id_, {}).get("truth")),
            )
            for id_ in ids
        ]
        note = f"{len(ids)} samples; links lead to them in {first}."
        title = name.replace("_", " ")
        yield Table(title, ("sample", "question", "answer"), rows, note, True, names=3)


def _short(text: object) -> str:
    return shorten_end(" ".join(str("" if text is None else text).split()), _SHOWN)


def members_table(result: SuiteResult, links: Mapping[str, str]) -> Table:
    """The main figure of each member; ``links`` are those to the pages of their runs, by name."""
    more = titled(one.report for one in result.members.values() if one.report is not None)
    empty: list[str | Cell] = ["-", *[""] * (len(FIGURE) - 1 + len(more))]
    rows: list[list[str | Cell]] = []
    for name, one in result.members.items():
        report, cells = one.report, empty
        if report is not None and report.primary in report.metrics:
            cells = figure_cells(report, report.primary, report.chance, more)
        metric = one.why if report is None else report.primary
        rows.append([Cell(name, href=links.get(name, "")), metric, *cells])
    headers, rows = without_empty(
        ("member", "metric", *FIGURE, *more), rows, ("clusters", "chance", *more)
    )
    return Table("Members", headers, rows, names=2)


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
