"""A suite that is asked: each member an ordinary run, all with one loaded model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from chef.common.writing import write_atomically, write_json
from chef.config.lookup import beside
from chef.config.recipe import Recipe, load_recipe, with_judge
from chef.errors import ConfigError, DataError, SampleError, first_line
from chef.report.load import load_run
from chef.run.session import OnProgress
from chef.run.subset import ids_digest
from chef.scoring.result import RunResult
from chef.session.checking import RecipeFailure
from chef.session.session import Built, Session
from chef.session.settings import Settings
from chef.suite.members.figures import MemberRun
from chef.suite.members.file import Member, read_suite
from chef.suite.members.result import Outcome, SuiteResult
from chef.suite.sweep.planning import asked
from chef.suite.sweep.samples import report_of, samples_of
from chef.suite.trust.sheets import trust_sheet

#: The folder of the suites' own files, in that of all results, and what it holds of each.
SUITES, REPLIES = "suites", "replies"
NOT_FINISHED = "it has not finished"
#: The errors of what cannot be asked of some data; a member that is ``optional`` is then left out.
_REFUSALS = (ConfigError, DataError)
_NO_JUDGE = "no judge: name one with --judge_cfg"


class Suite:
    """A suite that is checked and ready to be asked; ConfigError or SeveralErrors if it is wrong.

    Members that ask the same are one run. Replies, such as chains of thought, are kept in the
    folder of the suite, and are asked once. The same call goes on where an earlier one stopped.
    ``source`` is a file, the name of one of chef's (``desiderata``), or its content; ``overrides``
    are ``key=value`` for all members, and ``NAME=VALUE`` of what the file lets vary; ``judges`` are
    files of the judges for members that are judged, and ``of_judge`` their ``key=value``.

    Attributes:
        recipes: the recipe of each member that can be asked, by its name.
        lacking: why each other one cannot, by its name.
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
        self.name = self.file.name
        if (ids := settings.options.ids) is not None:  # not the folders of the whole suite
            self.name += f"_{ids_digest(ids)[:8]}"
        self.folder = settings.save_dir / SUITES / self.name
        self.recipes: dict[str, Recipe] = {}
        self.lacking: dict[str, str] = {}
        refused: list[RecipeFailure] = []
        alike: dict[str, Recipe] = {}
        for member in self.file.members.values():
            if member.is_judged and not judges:
                self.lacking[member.name] = _NO_JUDGE
                continue
            try:
                keys = [*member.keys, *self.file.overrides]
                source = beside(member.recipe, self.file.document.path.parent)
                recipe = replace(load_recipe(source, keys), title=member.name)
                recipe = with_judge(recipe, judges, of_judge) if member.is_judged else recipe
            except Exception as error:
                self.lacking[member.name] = member.optional or first_line(error)
                if not member.optional:
                    refused.append(RecipeFailure(member.name, self._placed(error, member)))
                continue
            self.recipes[member.name] = alike.setdefault(asked(recipe), recipe)
        self.session = Session(models, [*alike.values()], self._settings(settings), refused)

    def _placed(self, error: Exception, member: Member) -> Exception:
        """The error of a recipe or a key that the suite names, with the member's place in it."""
        where = error.where or "" if isinstance(error, ConfigError) else ""
        keys = [f"override '{item.partition('=')[0]}=" for item in member.keys]
        is_own = where == member.recipe or where.startswith(tuple(keys))
        if not isinstance(error, ConfigError) or not is_own:
            return error
        place = self.file.document.where("members", member.name)
        return ConfigError(error.what, where=f"{place}: {where}", hint=error.hint)

    @property
    def failures(self) -> list[RecipeFailure]:
        """The errors of members that the suite does not leave out."""
        optional = {
            self.recipes[name].label
            for name, member in self.file.members.items()
            if member.optional and name in self.recipes
        }
        return [
            one
            for one in self.session.failures
            if one.recipe not in optional or not isinstance(one.error, _REFUSALS)
        ]

    def left_out(self) -> dict[str, str]:
        """Why members cannot be asked, by name, as far as it is known before anything is asked."""
        refused = {one.recipe: one.why for one in self.session.failures}
        return self.lacking | {
            name: self.file.members[name].optional or refused[recipe.label]
            for name, recipe in self.recipes.items()
            if recipe.label in refused
        }

    def ask(self, on_progress: OnProgress | None = None) -> list[SuiteResult]:
        """Ask what has no answer yet; the result of each model, which is also written."""
        reports: dict[tuple[str, str], RunResult] = {}
        for report in self.session.run(on_progress):
            reports[report.model, report.recipe] = report
        failed = {(one.model, one.recipe): one for one in self.session.failures}
        results = []
        for one in self.session.models:
            result = self._result(one.name, reports, failed)
            results.append(result)
            if not result.has_runs:
                continue  # what an earlier call has found stays
            write_json(self.folder / f"{result.safe_name}.json", result.to_json())
            for name, ids in result.lists().items():
                path = self.folder / f"{result.safe_name}_{name}.txt"
                write_atomically(path, "".join(f"{id_}\n" for id_ in ids))
        return results

    def _result(
        self,
        model: str,
        reports: Mapping[tuple[str, str], RunResult],
        failed: Mapping[tuple[str, str], RecipeFailure],
    ) -> SuiteResult:
        runs: dict[str, MemberRun] = {}
        outcomes = {}
        for name, member in self.file.members.items():
            recipe = self.recipes.get(name)
            report = None if recipe is None else reports.get((model, recipe.name))
            failure = None if recipe is None else failed.get((model, recipe.label))
            why = self.lacking.get(name) or _why_not_scored(report)
            why = failure.why.rstrip(":") if failure is not None else why
            if report is None or why:
                is_refused = name in self.lacking or _is_refused(failure, report)
                is_left_out = bool(member.optional) and is_refused
                why = member.optional if is_left_out else why
                outcomes[name] = Outcome(name, why=why, is_left_out=is_left_out)
                continue
            if not self.file.has_sheet:
                runs[name] = member_run(report)
            outcomes[name] = Outcome(name, report)
        result = SuiteResult.of(self.file, model, runs, outcomes)
        folders = [one.folder for one in outcomes.values() if one.folder is not None]
        if self.file.has_sheet and folders:
            result = replace(result, sheet=trust_sheet(folders, models=[model]))
        return result

    def _settings(self, settings: Settings) -> Settings:
        """The settings of the members' runs."""
        options = settings.options
        if options.ids is None and options.sample_len is None:
            options = replace(options, sample_len=self.file.limit)
        return replace(
            settings,
            options=options,
            name=settings.name or self.name,
            response_cache=settings.response_cache or self.folder / REPLIES,
            keep_going=True,
            is_brief=True,
        )


def _why_not_scored(report: RunResult | None) -> str:
    """Why a run has no samples with a score; empty where it has."""
    if report is None:
        return NOT_FINISHED
    if report.coverage.scored or not report.errors:
        return ""
    (cause, *others) = report.errors
    place = f", at {cause.at}" if cause.at else ""
    more = f", and {len(others)} other cause(s)" if others else ""
    reason = f"{cause.message}{place}{more} ({report.error_file})"
    return f"all {report.coverage.total} samples failed: {reason}"


def _is_refused(failure: RecipeFailure | None, report: RunResult | None) -> bool:
    """Whether the data or the recipe refuses what a member asks, and not the model."""
    if failure is not None:
        return isinstance(failure.error, _REFUSALS)
    names = {kind.__name__ for kind in (*_REFUSALS, SampleError)}
    return report is not None and names.issuperset(cause.type for cause in report.errors)


def member_run(report: RunResult) -> MemberRun:
    """The samples of a run that has finished."""
    load_run(report.folder)
    samples = samples_of(report_of(report.file))
    return MemberRun(samples, report.scenario, report.random_accuracy)
