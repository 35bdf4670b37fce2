"""What a metric that scores in its own way may ask of the run: its scenario and its judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from chef.judge.stored import REPLIES
from chef.metric.place import Place
from chef.scoring.evaluations import StoredEvaluations
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
