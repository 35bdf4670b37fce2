"""The runs below a folder, each in a line: what it is, its main figure, and its state.

`runs_table` and `matrix` are how they are shown, in the terminal and on pages.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias

from chef.common.text import typed
from chef.document.numbers import interval_cell, number, quantity, shares_of, with_interval
from chef.document.sections import Cell, Table
from chef.errors import ChefError, first_line
from chef.frozen import Frozen
from chef.guard.folder import has_file, read_bytes, read_text, state_of
from chef.metric import Estimate
from chef.metric.groups import COMMA
from chef.run.configuration import CONFIG, run_folders
from chef.run.folder import TRACEBACK
from chef.run.journal import JOURNAL, load_predictions
from chef.run.reading import is_locked, is_there, read_json
from chef.run.session import was_cut_off
from chef.scoring.result import RESULTS, RunResult, read_result, score_file_of

State: TypeAlias = Literal["finished", "unfinished", "running", "failed", "changed", "damaged"]
_ASIDE = re.compile(r"\.old\d+$")
#: What a narrow terminal does without, the least important first; the folder has the names in it.
_LESS = ("model", "recipe", "date", "coverage")
#: By what people tell runs apart, the shortest first.
_WAYS = (
    ("model",), ("recipe",), ("model", "recipe"), ("run",), ("model", "run"), ("scenario", "run"),
    ("model", "scenario", "run"),
)  # fmt: skip
_SAMPLE_LEN = re.compile(r"^  sample_len: (\d+)$", re.MULTILINE)


class RunLine(Frozen):
    """A run in the list.

    Attributes:
        path: the run folder.
        state: ``finished`` (every sample has an answer or an error, and is scored), ``unfinished``,
            ``running`` (a process writes to the folder now), ``failed`` (an error ended the last
            session), ``changed`` (the journal has other answers since it was scored) or
            ``damaged``.
        what: more about the state: how many of how many samples, or why it is damaged.
        figure: the name of the main figure; empty where there is none.
        coverage: the share of samples that are scored, 0 to 1; None where unknown.
        date: when the last session began, else when the answers were written; local time.
    """

    path: Path
    model: str
    scenario: str
    recipe: str
    state: State
    what: str = ""
    figure: str = ""
    estimate: Estimate | None = None
    coverage: float | None = None
    date: datetime | None = None

    @property
    def label(self) -> str:
        """``scenario/recipe``."""
        return f"{self.scenario}/{self.recipe}"

    def to_json(self) -> dict[str, Any]:
        """The line as plain data; the date in ISO 8601."""
        found = {**asdict(self), "path": str(self.path)}
        return {**found, "date": None if self.date is None else self.date.isoformat()}


@dataclass(slots=True)
class RunsBelow:
    """What is below a folder: the runs, newest first; ``aside`` counts those that ``--fresh``
    moved.
    """

    runs: list[RunLine] = field(default_factory=list)
    aside: int = 0


def list_runs(folder: Path, *, aside: bool = False) -> RunsBelow:
    """The runs in a folder and below it, on request those moved aside, too; no journal is read."""
    found, lines = RunsBelow(), list[RunLine]()
    for path in run_folders(folder):
        if is_aside(path) and not aside and path != folder:
            found.aside += 1
        else:
            lines.append(line_of(path))
    oldest = datetime.fromtimestamp(0).astimezone()
    found.runs = sorted(lines, key=lambda line: (line.date or oldest, str(line.path)), reverse=True)
    return found


def runs_table(
    lines: Sequence[RunLine], within: Path | None = None, links: Sequence[str] = ()
) -> Table:
    """A line for each run: its state, its main figure, its date; paths are relative to ``within``.

    A run with a link to its page can be compared with another one.
    """
    rows: list[list[str | Cell]] = []
    for place, line in enumerate(lines):
        item, link = line.estimate, links[place] if links else ""
        is_within = within is not None and line.path.is_relative_to(within)
        folder = line.path.relative_to(within) if within and is_within else line.path
        value = "" if item is None else number(item.value, item.unit)
        rows.append([
            line.model,
            line.label,
            Cell(str(folder), href=link),
            line.state if line.state == "damaged" else f"{line.state} {line.what}".strip(),
            line.figure,
            Cell(value, run=place + 1 if link else 0),
            "" if item is None else interval_cell(item),
            "" if item is None else str(item.n),
            "" if line.coverage is None else f"{100 * line.coverage:.1f}%",
            "" if line.date is None else f"{line.date:%Y-%m-%d %H:%M}",
        ])  # fmt: skip
    headers = ("model", "recipe", "run folder", "state", "metric", "value", "95% interval", "n",
               "coverage", "date")  # fmt: skip
    damaged = [f"{one.path}: damaged: {one.what}" for one in lines if one.state == "damaged"]
    return Table("", headers, rows, "\n".join(damaged), names=5, spare=_LESS)


def matrix(lines: Sequence[RunLine], links: Sequence[str] = ()) -> Table:
    """The main figures: a line for each model, a column for each recipe; the newest run counts."""
    known = [line for line in lines if line.estimate is not None]
    names = {line.path: (line.scenario, line.recipe, line.figure) for line in known}
    # What all have in common stands in the title, once.
    common = [len(set(parts)) == 1 for parts in zip(*names.values(), strict=True)]
    shared = next(iter(names.values()), ())
    of = [part for part, is_common in zip(shared, common, strict=True) if is_common]
    cells: dict[str, dict[str, Cell]] = {}
    oldest = datetime.fromtimestamp(0).astimezone()
    dated = sorted(enumerate(lines), key=lambda pair: pair[1].date or oldest)
    for place, line in dated:
        if (item := line.estimate) is not None:
            link = links[place] if links else ""
            cell = Cell(
                with_interval(item), href=link, interval=shares_of(item), short=quantity(item),
                run=place + 1 if link else 0,
            )  # fmt: skip
            parts = zip(names[line.path], common, strict=True)
            own = " · ".join(part for part, is_common in parts if not is_common)
            cells.setdefault(line.model, {})[own or line.figure] = cell
    recipes = sorted({name for row in cells.values() for name in row})
    rows = [(model, *(row.get(name, "") for name in recipes)) for model, row in cells.items()]
    title = ": ".join(filter(None, ("Models and recipes", ", ".join(of))))
    return Table(title, ("model", *recipes), rows, spare=())


def apart(names: Sequence[Mapping[str, str]]) -> list[str] | None:
    """The shortest names that tell runs apart; None where nothing of theirs does.

    Args:
        names: ``model``, ``recipe``, ``scenario`` and ``run`` (the folder) of each.

    >>> both = {"recipe": "ppl", "scenario": "Shapes", "run": "ppl-1"}
    >>> apart([{"model": "a", **both}, {"model": "b", **both}])
    ['a', 'b']
    """
    for way in _WAYS:
        found = ["/".join(dict.fromkeys(one[part] for part in way)) for one in names]
        if len(set(found)) == len(found):
            return found
    return None


def is_aside(path: Path) -> bool:
    """Whether a run folder was moved aside by ``--fresh``."""
    return _ASIDE.search(path.name) is not None


def line_of(path: Path) -> RunLine:
    """The line of a run folder; what cannot be read makes it ``damaged``."""
    resolved = path.resolve()
    model, scenario = resolved.parents[1].name, resolved.parent.name
    names = model, scenario, path.name.rpartition("-")[0] or path.name
    try:
        return _line(path, *names)
    except (ChefError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        why = error.what if isinstance(error, ChefError) else first_line(error)
        return RunLine(path, *names, "damaged", why, date=_written(path / CONFIG))


def _line(path: Path, model: str, scenario: str, recipe: str) -> RunLine:
    """The line of a run folder; of a damaged one any error of its readers."""
    if not is_there(path / JOURNAL):
        raise ValueError(f"it has no {JOURNAL}")
    result = read_result(path / RESULTS, samples=False, further=False)
    environment = read_json(path / "environment.json")
    date = _date(path, environment)
    if result is None:
        name = str(environment.get("recipe") or recipe)
        return RunLine(path, model, scenario, name, *_unscored(path, environment), date=date)
    coverage = result.coverage
    state, what = _scored(path, coverage.total, coverage.missing)
    if state == "finished" and (stopped := result.stopped) is not None:
        why = "early" if stopped.reached else "at its limit"
        what = f"{why} ({stopped.asked} of {stopped.total})"
    names, share = (model, result.scenario, result.recipe), coverage.coverage
    return RunLine(path, *names, state, what, result.primary, result.figure, share, date)


def _unscored(path: Path, environment: dict[str, Any]) -> tuple[State, str]:
    """The state of a run without results."""
    count = read_bytes(path / JOURNAL).count(b"\n")
    match = _SAMPLE_LEN.search(read_text(path / CONFIG))
    of = f"{count} of {match[1]}" if match else f"{count} asked"
    if is_locked(path):
        return "running", of
    if was_cut_off(environment):
        return "unfinished", f"{of}, cut off"
    return ("failed" if has_file(path / TRACEBACK) else "unfinished"), of


def _scored(path: Path, total: int, missing: int) -> tuple[State, str]:
    """The state of a run with results."""
    if is_locked(path):
        return "running", ""
    if has_file(path / TRACEBACK):
        return "failed", f"{total - missing} of {total}"
    journal, scored = _written(path / JOURNAL), _written(path / RESULTS)
    if journal and scored and journal > scored and _is_changed(path):
        return "changed", "score it again"
    return ("unfinished", f"{total - missing} of {total}") if missing else ("finished", "")


def _is_changed(path: Path) -> bool:
    """Whether the journal has answers that are not scored; asked where its file is the newer one.

    A copied folder has files in any order, so that the times alone do not tell.
    """
    from chef.report.export.rows import entries_of

    predictions = load_predictions(path / JOURNAL)
    if not has_file(score_file_of(path / RESULTS)):
        return True
    return len(entries_of(path / RESULTS, predictions.values())) != len(predictions)


def _date(path: Path, environment: dict[str, Any]) -> datetime | None:
    sessions = environment.get("sessions") or []
    try:
        return datetime.fromisoformat(str(sessions[-1]["started"])).astimezone()
    except (IndexError, KeyError, TypeError, ValueError):
        return _written(path / JOURNAL)


def _written(file: Path) -> datetime | None:
    try:
        state = state_of(file)
    except OSError:
        return None
    return None if state is None else datetime.fromtimestamp(state.st_mtime).astimezone()


def next_steps(reports: Sequence[RunResult], results: Path, *, by: Sequence[str] = ()) -> str:
    """What may be typed next, in a line or two, after the runs that finished (one at least)."""
    run = next((item for item in reports if item.by), reports[0])
    steps = [f"look at the samples: chef show {typed(run.folder)} --page"]
    if run.by and not by:
        # A crossing of several fields is no table to begin with.
        field = next((name for name in run.by if COMMA not in name), next(iter(run.by)))
        again = f"chef score {typed(run.folder)} --by {shlex.quote(field)}"
        steps.append(f"by {field}: {again}")
    elif len(reports) > 1:
        steps.append(f"all runs: chef show {typed(results)}")
    return "\n".join(steps)
