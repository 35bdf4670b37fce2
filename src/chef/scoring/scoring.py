"""A metric applied to the answers of a run, and the content of the files it writes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from chef.common.digest import digest
from chef.common.judgements import Judging
from chef.common.logs import logger
from chef.common.packed import PackedRows
from chef.common.writing import write_lines
from chef.config.spec import Spec
from chef.errors import ChefError, DependencyError, RunError, message_of
from chef.frozen import Frozen
from chef.guard.folder import may_write, remove
from chef.metric import Metric, Report
from chef.metric.groups import latest_of, with_crossing
from chef.metric.judgeable import READING, Readings
from chef.metric.place import Place, PlacedMetric
from chef.run.reading import is_there, read_json
from chef.scenario.wrapped import QUESTION
from chef.scoring.errors import group_errors, write_errors
from chef.scoring.remarks import Remarks
from chef.scoring.sample_line import WORDED_BY, sample_line, score_lines, stored_lines
from chef.scoring.sampled import figures_of_questions
from chef.types import Prediction

if TYPE_CHECKING:
    from chef.config.judge import JudgeSection
    from chef.scenario import Scenario
    from chef.scoring.result import RunResult

_log = logger(__name__)

#: The groupings of answers whose scenario is not known: the fields of VLMEvalKit's tables, and of
#: ChEF's records of MME and MMMU.
USUAL_GROUPINGS = {
    name: name for name in ("category", "l2-category", "split", "setting", "task_type", "subject")
}


class Surroundings(Frozen):
    """What gives the scenario, and the section of the judges (None if none), of a recipe."""

    scenario: Callable[[], Scenario]
    judges: Callable[[], JudgeSection | None]

    def at(self, of: Path) -> Place:
        """The place of a metric that scores the answers in a run folder, or in a file."""
        from chef.judge.stored import REPLIES
        from chef.scoring.surroundings import RecipeJudge, StoredEvaluations, evaluating

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


class MetricRun:
    """One metric, and the names that its results carry.

    ``random_accuracy`` is what guessing scores, in 0..1, ``groupings`` the fields of the samples by
    which results are grouped, by name, and ``surroundings`` the scenario and the judges, if known.
    """

    def __init__(
        self,
        recipe: str,
        scenario: str,
        spec: Spec[Metric],
        random_accuracy: float | None,
        groupings: Mapping[str, str] = USUAL_GROUPINGS,
        *,
        surroundings: Surroundings | None = None,
    ) -> None:
        self._surroundings = surroundings
        self.recipe, self.scenario, self.spec = recipe, scenario, spec
        self.random_accuracy, self.groupings = random_accuracy, with_crossing(groupings)
        self.metric = spec.build(scenario)
        self._taken: set[Path] = set()
        if self.metric.is_own:  # a class of a user's may change while its name stays
            kind = type(self.metric)
            keys = digest([spec.effective(), scenario])
            by = f"{kind.__module__}:{kind.__qualname__} {keys}"
            self.metric.kept_readings = Readings(self.metric.policy, by)

    @property
    def label(self) -> str:
        """Its name in the summary: ``scenario/recipe``."""
        return f"{self.scenario}/{self.recipe}"

    def take_readings(self, file: Path) -> None:
        """Take from an earlier results file how answers were read by the same rules."""
        from chef.scoring.result import score_file_of

        scores = score_file_of(file)
        if self.metric.kept_readings is None or scores in self._taken:
            return
        self._taken.add(scores)
        try:
            self.metric.kept_readings.take(stored_lines(scores, key=READING))
        except (ChefError, OSError, ValueError, RecursionError):  # damaged: the answers are read
            return

    def score(
        self,
        predictions: Iterable[Prediction],
        expected: int | None,
        of: Path,
        judging: Judging | None = None,
    ) -> Report:
        """Score the answers; each entry of a sample also tells its question, answer and reference.

        ``expected`` is how many there should be (None: as there are), ``of`` their file or folder,
        for errors. DependencyError: a package is missing. RunError: the metric fails as a whole.
        """
        from chef.scoring.stopping import Stopping

        answers = predictions if isinstance(predictions, Sequence) else list(predictions)
        stop = Stopping.read(of)
        if stop is not None and (asked := stop.asked_of(answers)):
            answers, expected = asked, len(asked)
        else:
            stop = None
        # A class of a user's may have an `evaluate` of its own, from before there were judges.
        judged = {} if judging is None else {"judging": judging}
        try:
            with self._placed(of):
                report = self.metric.evaluate(answers, expected, self.groupings, **judged)
        except DependencyError:
            raise
        except RunError as error:  # metric_func returned something else than values
            again = "the same command scores again and asks the model nothing"
            raise RunError(
                f"the metric {self.spec.name} failed: {error.what}",
                where=error.where or str(of),
                hint=f"{error.hint}; {again}" if error.hint else again,
            ) from error
        except Exception as error:
            why, remedy = f"{type(error).__name__}: {message_of(error)}", "correct the metric"
            if isinstance(error, ChefError):
                why, remedy = error.what, error.hint or remedy
            raise RunError(
                f"the metric {self.spec.name} failed: {why}",
                where=str(of),
                hint=f"{remedy}; the same command scores again and asks the model nothing",
            ) from error
        report = report if stop is None else stop.applied(report, self.metric)
        return _with_exchanges(report, latest_of(answers))

    @contextmanager
    def _placed(self, of: Path) -> Iterator[None]:
        """Tell a metric that needs it where it scores; what it has opened is closed after."""
        from chef.scoring.surroundings import RecipeJudge, StoredEvaluations

        if not isinstance(self.metric, PlacedMetric) or self._surroundings is None:
            yield
            return
        place = self._surroundings.at(of)
        self.metric.place = place
        try:
            yield
        finally:
            self.metric.place = None
            place.models.close()
            if isinstance(place.judge, RecipeJudge):
                place.judge.close()
            if isinstance(place.kept, StoredEvaluations):
                place.kept.close()

    def refuse_unscored(self, report: Report, of: Path) -> None:
        """RunError for a metric that fails on every answer, or whose judgements are all missing."""
        if report.coverage.scored:
            return
        if report.coverage.unjudged:
            unjudged = next(entry for entry in report.samples if "unjudged" in entry)
            asked = "`chef score RUN_DIR --judge FILE` asks a judge about the answers of a run"
            if unjudged.get("judgements"):
                asked = "judgements.jsonl of the run has the replies; use another judge, another "
                asked += "judge_cfg.wording, or a larger judge_cfg.max_new_tokens"
            raise RunError(
                f"none of the {report.coverage.unjudged} answers has a judgement that the metric "
                f"{self.spec.name} uses: {unjudged['unjudged']}",
                where=str(of),
                hint=f"{asked}; or choose a metric that needs none with --metric. Nothing was "
                "written",
            )
        failed = [group for group in group_errors(report.samples) if group.stage == "metric"]
        if not failed:
            return
        first, count = failed[0], sum(len(group.ids) for group in failed)
        raise RunError(
            f"the metric {self.spec.name} can score none of the {count} answers: {first.message}",
            where=str(of),
            hint=f"{first.hint}; or choose another metric with --metric. Nothing was written",
        )

    def result(self, report: Report, **names: Any) -> RunResult:
        """What `score` gave, as the result of a run, with ``model``, ``file`` and other fields."""
        from chef.scoring.result import RunResult

        prompts = {str(item[WORDED_BY]) for item in report.samples if WORDED_BY in item}
        return RunResult.of(
            report,
            recipe=self.recipe,
            scenario=self.scenario,
            metric_type=self.spec.name,
            random_accuracy=self.chance_of(report),
            worded_by=tuple(sorted(prompts)),
            **names,
        )

    def write_files(self, result: RunResult) -> None:
        """Write the results, and next to them the scores of the samples and the errors.

        Where nothing can be written, a warning says that they are not kept.
        """
        from chef.scoring.result import score_file_of, write_result

        if not may_write(result.file.parent):
            _log.warning(
                "%s cannot be written, so these scores are not kept; a copy in another folder can "
                "be scored", result.file,
            )  # fmt: skip
            return
        scores = score_file_of(result.file)
        note_changed_readings(result.file, scores, result)
        readings = self.metric.kept_readings
        lines = result.samples if readings is None else map(readings.noted, result.samples)
        write_lines(scores, lines)
        write_errors(result.error_file, result.errors)
        write_result(result)

    def chance_of(self, report: Report) -> float | None:
        """What guessing scores, in 0..1; None where it is not known.

        It is the number of the scenario, or that of the scored questions if some of them have
        several right options.
        """
        return self.random_accuracy if report.scored_chance is None else report.scored_chance


def metric_runs(
    recipe: str,
    scenario: str,
    specs: Sequence[Spec[Metric]],
    random_accuracy: float | None,
    groupings: Mapping[str, str],
    *,
    surroundings: Surroundings | None = None,
    main: str | None = None,
) -> list[MetricRun]:
    """Each metric, as of `MetricRun`; what guessing scores is known of the main one alone."""
    main = specs[0].name if main is None else main
    return [
        MetricRun(
            recipe,
            scenario,
            spec,
            random_accuracy if spec.name == main else None,
            groupings,
            surroundings=surroundings,
        )
        for spec in specs
    ]


def _with_exchanges(report: Report, answers: Mapping[str, Prediction]) -> Report:
    """The report whose entries say what was asked and answered, and figures over the questions."""
    rows, sampled, remarks = PackedRows(), [], Remarks()
    for entry in report.samples:
        answer = answers[entry["id"]]
        remarks.add(answer)
        rows.append(sample_line(answer, entry))
        if QUESTION in answer.sample and "metric_result" in entry:
            sampled.append({**answer.to_record(), **entry})
    found = figures_of_questions(sampled) if sampled else {}
    return msgspec.structs.replace(
        report,
        metrics={**report.metrics, **found},
        samples=rows,
        details={**report.details, **remarks.details()},
    )


def suffixes(names: Sequence[str]) -> list[str]:
    """What the names of the files of each metric of a recipe end with.

    >>> suffixes(["VQA", "Accuracy", "VQA", "Accuracy"])
    ['', '_Accuracy', '_VQA', '_Accuracy_2']
    """
    suffixes = [""]
    for name in names[1:]:
        suffixes.append(free_suffix(name, suffixes))
    return suffixes


def free_suffix(name: str, taken: Collection[str]) -> str:
    """The suffix of a metric, with a number where another metric has it."""
    return next(
        suffix
        for number in itertools.count(1)
        if (suffix := f"_{name}" + (f"_{number}" if number > 1 else "")) not in taken
    )


#: So many ids are named in the note; the file has all.
_NAMED = 5


def note_changed_readings(results: Path, scores: Path, report: Report) -> None:
    """Say which answers are read otherwise than at the last scoring, and list them in a file.

    Nothing is said if the rules have the same name (``details.policy`` of the results) or every
    answer is read as before. The file is ``reread.jsonl`` next to the results, of further metrics
    ``reread_<metric>.jsonl``: a line an answer with ``id, answer, truth``, and ``parsed`` and
    ``score`` before and now. It stays until rules of another name score the run again.
    """
    try:
        before = read_json(results).get("details")
        old = before.get("policy") if isinstance(before, Mapping) else None
        new = report.details.get("policy")
        if not old or not new or old == new or not is_there(scores):
            return
        known = {str(line.get("id")): line for line in score_lines(scores)}
    except (ChefError, OSError, ValueError):  # damaged; what is written now replaces it
        return
    changed = [
        _change(known[line["id"]], line)
        for line in report.samples
        if line["id"] in known and _differs(known[line["id"]], line)
    ]
    file = results.with_name(scores.name.replace("scores", "reread", 1))
    if not changed:
        if is_there(file):
            remove(file)
        return
    write_lines(file, changed)
    moved = sum(line["score_before"] != line["score"] for line in changed)
    names = ", ".join(str(line["id"]) for line in changed[:_NAMED])
    _log.warning(
        "%s: %d of %d answers are read otherwise by %s than by %s (%d scores change): %s%s; all "
        "of them: %s",
        results.parent, len(changed), len(report.samples), new, old, moved, names,
        ", ..." if len(changed) > _NAMED else "", file.name,
    )  # fmt: skip


def _differs(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether the same answer is read otherwise; an answer that is new is no change of rules."""
    same = old.get("answer") == new.get("answer")
    return same and any(old.get(key) != new.get(key) for key in ("parsed", "score"))


def _change(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": new["id"],
        "answer": new.get("answer"),
        "truth": new.get("truth"),
        "parsed_before": old.get("parsed"),
        "parsed": new.get("parsed"),
        "score_before": old.get("score"),
        "score": new.get("score"),
    }
