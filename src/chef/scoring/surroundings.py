"""What a metric that scores in its own way may ask of the run: its scenario and its judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from chef.common.jsonable import to_jsonable
from chef.common.text import encodable_data
from chef.common.writing import json_line
from chef.judge.stored import REPLIES
from chef.metric.place import Place
from chef.run.journal import Lines, load_lines
from chef.scoring.recipe_judge import RecipeJudge

if TYPE_CHECKING:
    from chef.config.judge import JudgeSection
    from chef.scenario import Scenario


@dataclass(frozen=True)
class Surroundings:
    """What gives the scenario, and the section of the judges (None if none), of a recipe."""

    scenario: Callable[[], Scenario]
    judges: Callable[[], JudgeSection | None]

    def at(self, of: Path) -> Place:
        """The place of a metric that scores the answers in a run folder, or in a file."""
        if of.is_dir():
            folder, model = of, of.resolve().parents[1].name
            replies = of.resolve().parents[2] / REPLIES
        else:
            folder, model, replies = of.with_name(f"{of.stem}_evaluation"), of.stem, None
        section = self.judges()
        judge = None if section is None else RecipeJudge(section, replies)
        return Place(
            folder, model, self.scenario, judge, StoredEvaluations(folder), progress=evaluating
        )


@contextmanager
def evaluating(label: str, total: int) -> Iterator[Callable[[int], object]]:
    """A progress bar of the answers that an evaluator is asked about; see `Place.progress`."""
    from chef.embedding.embed import progress

    with progress(label, total) as bar:
        yield bar.update


EVALUATIONS = "evaluations.jsonl"


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    evaluator: str
    key: str
    output: Any = None


_DECODER = msgspec.json.Decoder(_Line)


class StoredEvaluations:
    """The outputs of the costly evaluators of one run; see `chef.metric.place.KeptOutputs`.

    The file is opened, and its folder made, when the first output is asked for; this process has
    locked the run folder.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / EVALUATIONS
        self._lines: Lines[_Line] | None = None

    def get(self, sample_id: str, key: str) -> tuple[Any] | None:
        """The output that was kept, in a tuple; None if there is none."""
        line = self._opened().entries.get((sample_id, key))
        return None if line is None else (line.output,)

    def put(self, sample_id: str, step: str, key: str, output: Any) -> Any:
        """Keep an output as soon as it is there; return it as `get` will."""
        lines = self._opened()
        content = {"id": sample_id, "evaluator": step, "key": key, "output": to_jsonable(output)}
        data = json_line(encodable_data(content), keep="key")
        lines.append(data)
        line = _DECODER.decode(data)
        lines.entries[sample_id, key] = line
        return line.output

    def close(self) -> None:
        """Make everything survive a power failure, and close the file; RunError for a full disk."""
        if self._lines is not None:
            self._lines.sync()
            self._lines.close()
            self._lines = None

    def _opened(self) -> Lines[_Line]:
        if self._lines is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._lines = Lines(self._path, _DECODER.decode, _key)
        return self._lines


def _key(line: _Line) -> tuple[str, str]:
    return line.id, line.key


def load_evaluations(folder: Path) -> dict[str, list[tuple[str, Any]]]:
    """The name and output of each costly evaluator, by sample id; nothing is changed."""
    evaluations: dict[str, list[tuple[str, Any]]] = {}
    for line in load_lines(folder / EVALUATIONS, _DECODER.decode, _key).values():
        evaluations.setdefault(line.id, []).append((line.evaluator, line.output))
    return evaluations
