"""A suite that is asked: each member an ordinary run, all with one loaded model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from chef.common.digest import digest
from chef.common.writing import write_atomically, write_json
from chef.config.recipe import Recipe, load_recipe, with_judge
from chef.errors import first_line
from chef.report.load import load_run
from chef.run.progress import OnProgress
from chef.scoring.result import RunResult
from chef.session.checking import Failure
from chef.session.session import Built, Session
from chef.session.settings import Settings
from chef.suite.members.figures import MemberRun
from chef.suite.members.file import Member, SuiteFile, read_suite
from chef.suite.members.result import Outcome, SuiteResult
from chef.suite.sweep.samples import samples_of

#: The folder of the suites' own files, in that of all results, and what it holds of each.
SUITES, REPLIES = "suites", "replies"
_NO_JUDGE = "no judge: name one with --judge_cfg"


class Suite:
    """A suite that is checked and ready to be asked.

    Members that ask the same are one run. Replies, such as chains of thought, are kept in the
    folder of the suite, and are asked once. The same call goes on where an earlier one stopped.

    Args:
        source: the file, the name of one of chef's (``desiderata``), or its content.
        models: the models; each is loaded once.
        settings: how the members are asked; ``name`` is that of the suite, and so is the number of
            samples where none is given.
        overrides: ``key=value`` for all members, and ``NAME=VALUE`` of what the file lets vary.
        judges: files of the judges for members that are judged.
        of_judge: ``key=value`` for these.

    Attributes:
        file: the suite.
        recipes: the recipe of each member that can be asked, by its name.
        lacking: why each other one cannot, by its name.
        session: the runs.

    Raises:
        ConfigError: the suite is wrong, or none of its members can be asked.
        SeveralErrors: several things are.
    """

    def __init__(
        self,
        source: str | Path | Mapping[str, Any],
        models: Sequence[Built],
        settings: Settings,
        *,
        overrides: Sequence[str] = (),
        judges: Sequence[str] = (),
        of_judge: Sequence[str] = (),
    ) -> None:
        self.file = read_suite(source, overrides)
        self.folder = settings.save_dir / SUITES / self.file.name
        self.recipes: dict[str, Recipe] = {}
        self.lacking: dict[str, str] = {}
        refused: list[Failure] = []
        alike: dict[str, Recipe] = {}
        for member in self.file.members.values():
            if member.is_judged and not judges:
                self.lacking[member.name] = _NO_JUDGE
                continue
            try:
                recipe = _recipe(member, self.file.overrides)
                recipe = with_judge(recipe, judges, of_judge) if member.is_judged else recipe
            except Exception as error:
                refused.append(Failure(member.name, error))
                self.lacking[member.name] = first_line(error)
                continue
            self.recipes[member.name] = alike.setdefault(_asked(recipe), recipe)
        self.session = Session(
            models, [*alike.values()], _settings(settings, self.file, self.folder), refused
        )

    def ask(self, on_progress: OnProgress | None = None) -> list[SuiteResult]:
        """Ask everything that has no answer yet; the result of each model, which is also written.

        Args:
            on_progress: called after every answer; None shows a progress bar.
        """
        reports: dict[tuple[str, str], RunResult] = {}
        for report in self.session.run(on_progress):
            reports[report.model, report.recipe] = report
        failed = {
            (one.model, Path(one.recipe).stem): first_line(one.error)
            for one in self.session.failures
        }
        results = []
        for one in self.session.models:
            result = self._result(one.name, reports, failed)
            write_json(self.folder / f"{result.safe_name}.json", result.to_json())
            for name, ids in result.lists().items():
                path = self.folder / f"{result.safe_name}_{name}.txt"
                write_atomically(path, "".join(f"{id_}\n" for id_ in ids))
            results.append(result)
        return results

    def _result(
        self,
        model: str,
        reports: Mapping[tuple[str, str], RunResult],
        failed: Mapping[tuple[str, str], str],
    ) -> SuiteResult:
        runs: dict[str, MemberRun] = {}
        outcomes = {}
        for name in self.file.members:
            recipe = self.recipes.get(name)
            report = None if recipe is None else reports.get((model, recipe.name))
            if report is None:
                why = self.lacking.get(name) or "it has not finished"
                if recipe is not None:
                    why = failed.get((model, recipe.name), why)
                outcomes[name] = Outcome(name, why=why)
                continue
            runs[name] = member_run(report)
            outcomes[name] = Outcome(
                name,
                folder=report.folder,
                metric=report.primary,
                figure=report.metrics.get(report.primary),
                coverage=report.coverage.coverage or 0.0,
            )
        return SuiteResult.of(self.file, model, runs, outcomes)


def member_run(report: RunResult) -> MemberRun:
    """The samples of a run that has finished."""
    load_run(report.folder)
    return MemberRun(samples_of(report.file), report.scenario, report.random_accuracy)


def _recipe(member: Member, overrides: Sequence[str]) -> Recipe:
    """The recipe of a member, under its name."""
    return replace(load_recipe(member.recipe, [*member.keys, *overrides]), title=member.name)


def _asked(recipe: Recipe) -> str:
    """What a member asks, as a digest."""
    return digest([str(recipe.document.path), recipe.effective()])


def _settings(settings: Settings, file: SuiteFile, folder: Path) -> Settings:
    asked = settings.options.sample_len
    limit = file.limit if asked is None else asked
    return replace(
        settings,
        options=replace(settings.options, sample_len=limit),
        name=settings.name or file.name,
        response_cache=settings.response_cache or folder / REPLIES,
        keep_going=True,
        is_brief=True,
    )
