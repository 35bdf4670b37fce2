"""Score a file of answers, by the truth in its own records or by the samples of a scenario.

Answers are joined with samples by id, by position, or by content. ChEF numbers the samples of a
data set without ids (MME, POPE) by their positions. Where these are not the ids of the scenario, a
position counts only if question and image confirm it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path, PurePath
from typing import Any

from chef.common.circular import PLACE
from chef.common.digest import content_digest
from chef.common.logs import logger
from chef.config import Recipe
from chef.config.document import Document
from chef.config.metric import metric_spec, named_metric
from chef.errors import ConfigError, DataError, ImageError, SampleError
from chef.frozen import Frozen
from chef.image import Image
from chef.metric.chef_answers import choice_of
from chef.metric.records import MISSING_CELLS, STORED_HIT, STORED_QUESTION
from chef.run.configuration import part_of_run
from chef.scenario import Scenario
from chef.scoring.answers import read_answers
from chef.scoring.override import MetricOverride
from chef.scoring.result import RunResult
from chef.scoring.scoring import MetricRun, Surroundings, free_suffix, metric_runs
from chef.stats.clusters import DIGESTS
from chef.types import Prediction, Status

_log = logger(__name__)
#: What the file of the answers says of them, and no sample does.
_OF_FILE = (PLACE, MISSING_CELLS, STORED_HIT)
#: So many characters of a question are shown in messages.
_SHOWN = 60


def score_file(path: Path, override: MetricOverride) -> RunResult:
    """Score the answers in a file; writes ``<name>_results_<metric>.json`` and ``_scores_`` there.

    With a recipe, the truth comes from its scenario, by sample id. Without one, or where the data
    of the scenario is missing, the records have to carry it. DataError if the file is unreadable,
    of another scenario, or without truth; ConfigError for no metric or an unknown one.
    """
    file = read_file(path, override)
    if file.expected is not None and (missing := file.expected - len(file.answers)):
        name = file.runs[0].scenario
        _log.warning(
            "%s: %d of %d samples of %s have no answer", path, missing, file.expected, name
        )
    return _score(path, file.answers, file.runs, file.expected)


class AnswerFile(Frozen):
    """A file of answers with references, its metrics, and how many answers there should be."""

    answers: Sequence[Prediction]
    runs: Sequence[MetricRun]
    expected: int | None


def read_file(path: Path, override: MetricOverride) -> AnswerFile:
    """Read a file of answers and make its metrics as `score_file`; nothing is scored or written."""
    answers = read_answers(path)
    if override.recipe is None:
        return AnswerFile(answers, [_without_recipe(path, override)], None)
    scenario, problem = _build(override.recipe)
    sections = override.sections(override.recipe.metrics)
    handed = {"compat": override.recipe.compat}
    kind = scenario or override.recipe.scenario.kind
    specs = [metric_spec(one, override.recipe.document, kind, handed) for one in sections]
    name = (scenario or override.recipe.scenario).name
    chance = scenario.random_accuracy if scenario is not None else None
    built, recipe = scenario, override.recipe
    around = None if built is None else Surroundings(lambda: built, lambda: recipe.judge)
    grouped = kind.grouped_by(override.recipe.scenario.options)
    runs = metric_runs(override.recipe.name, name, specs, chance, grouped, surroundings=around)
    if scenario is None:
        _log.warning(
            "%s: scored by the truth in its records, as the data cannot be read: %s", path, problem
        )
        return AnswerFile(answers, runs, None)
    return AnswerFile(with_truth(answers, scenario, path), runs, len(scenario))


def _score(
    path: Path, answers: Sequence[Prediction], runs: Sequence[MetricRun], expected: int | None
) -> RunResult:
    done: list[tuple[MetricRun, RunResult]] = []
    taken = [""]
    for run in runs:
        report = run.score(answers, expected, path)
        if expected is None and report.coverage.no_truth and not report.coverage.scored:
            raise DataError(
                "no record carries its truth",
                where=str(path),
                hint="name a recipe whose scenario knows it, with --recipe_cfg",
            )
        run.refuse_unscored(report, path)
        taken.append(free_suffix(run.spec.name, taken))
        file = path.with_name(f"{path.stem}_results{taken[-1]}.json")
        result = run.result(report, model=str(path), file=file, answer_path=path.name)
        done.append((run, result))
    others = [result for _, result in done[1:]]
    main = done[0][1].with_further(others, [item.file for item in others])
    for (run, _), result in zip(done, [main, *others], strict=True):
        run.write_files(result)
    return main


def _without_recipe(path: Path, override: MetricOverride) -> MetricRun:
    if override.metric is None:
        known = "or a metric with --metric (`chef list metrics` shows them)"
        raise ConfigError(
            "a file of answers does not say how it is scored",
            where=str(path),
            hint=part_of_run(path) or f"name the recipe with --recipe_cfg, {known}",
        )
    document = Document(path, {}, {}, {(): "command line"})
    (section,) = override.sections(())
    return MetricRun(path.stem, path.stem, named_metric(section, document, {}), None)


def _build(recipe: Recipe) -> tuple[Scenario | None, str]:
    """The scenario of a recipe, or why its data cannot be read."""
    try:
        scenario = recipe.scenario.build()
        len(scenario)
    except DataError as error:
        return None, f"{error.where}: {error.what}"
    return scenario, ""


def with_truth(answers: Sequence[Prediction], scenario: Scenario, path: Path) -> list[Prediction]:
    """The answers, each with its sample of the scenario (by `Matching`), whose id it gets.

    Answers to no sample are left out, and how many these are is logged; DataError if that is all. A
    scored option is looked up among the options of the sample by its text, because these may be in
    another order.
    """
    matching = Matching(answers, scenario)
    places = matching.places(path)
    known = [
        (replace(answer, sample_id=scenario.sample_id(place)), place)
        for answer, place in zip(answers, places, strict=True)
        if place is not None
    ]
    if not known:
        raise _no_sample(answers, scenario, path, matching.problem())
    if len(known) < len(answers):
        strange = next(
            answer.sample_id for answer, place in zip(answers, places, strict=True) if place is None
        )
        _log.warning(
            "%s: %d of %d answers are to no sample of %s and left out, for example '%s'",
            path, len(answers) - len(known), len(answers), scenario.name, strange,
        )  # fmt: skip
    return [_join(answer, scenario, place) for answer, place in known]


def _no_sample(
    answers: Sequence[Prediction], scenario: Scenario, path: Path, problem: str
) -> DataError:
    theirs = ", ".join(f"'{answer.sample_id}'" for answer in answers[:3])
    ours = ", ".join(f"'{scenario.sample_id(place)}'" for place in range(min(3, len(scenario))))
    numbered = f". As positions they do not fit either: {problem}" if problem else ""
    return DataError(
        f"none of its {len(answers)} ids is a sample of {scenario.name}: it has {theirs}, "
        f"the scenario {ours}{numbered}",
        where=str(path),
        hint="is it the right recipe, with the right split?",
    )


def _join(answer: Prediction, scenario: Scenario, number: int) -> Prediction:
    try:
        question = scenario[number]
        sample = question.to_record()
        _check_order(answer, sample)
        sample |= {DIGESTS: list(_image_names(question.images))}
        sample |= {key: answer.sample[key] for key in _OF_FILE if key in answer.sample}
        scores, trace = _replaced(answer, sample)
    except (SampleError, DataError) as error:
        if answer.status is Status.ERROR:
            return answer
        failure = {"type": type(error).__name__, "message": str(error)}
        return Prediction(answer.sample_id, Status.ERROR, sample=answer.sample, error=failure)
    return replace(answer, sample=sample, scores=scores, trace=trace)


def _image_names(images: Iterable[Image]) -> Iterator[str]:
    """What links the images of a sample to those of others: digests of their files, as nothing is
    decoded here, and addresses, as nothing is fetched. Of images that are drawn there is none.
    """
    for shown in images:
        image = shown
        while image.of is not None:
            image = image.of
        if address := image.where.get("url"):
            yield str(address)
            continue
        try:
            content = image.encoded()
        except ImageError:  # whose sample has an answer all the same
            continue
        if content is not None:
            yield content_digest(content)


def _check_order(answer: Prediction, sample: Mapping[str, Any]) -> None:
    """SampleError for a letter of options that stand in another order than those of the sample."""
    theirs, ours = answer.sample.get("choices"), sample.get("choices")
    if "choice" in answer.scores or not isinstance(theirs, list) or not isinstance(ours, list):
        return
    if theirs != ours and sorted(map(str, theirs)) == sorted(map(str, ours)):
        raise SampleError(
            "the options of the record stand in another order than those of the sample",
            hint="score the file without a recipe: it has its own options",
        )


def _replaced(
    answer: Prediction, sample: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Scores and trace, with choices as indices of the options of the sample."""
    scores, trace = dict(answer.scores), dict(answer.trace)
    ours = sample.get("options", [])
    if "choice" in scores and answer.sample.get("options") != ours:
        # The scores of another list of options do not apply to these.
        scores = {"prob": scores["prob"]} if "prob" in scores else {}
        if ours:
            scores["choice"] = choice_of(answer.answer, ours)
    if "turn_answer" in trace:
        asked = sample.get("multi_turn_prefix", [])
        trace["turn_answer"] = [_replaced_turn(turn, asked) for turn in trace["turn_answer"]]
    return scores, trace


def _replaced_turn(
    turn: Mapping[str, Any], asked: Sequence[Mapping[str, Any]]
) -> Mapping[str, Any]:
    number = turn.get("turn", len(asked))
    if "choice" not in turn or number >= len(asked):
        return turn
    ours = asked[number].get("options", [])
    return (
        turn
        if turn.get("options") == ours
        else {**turn, "options": ours, "choice": choice_of(turn.get("answer"), ours)}
    )


class Matching:
    """Which sample of a scenario each answer belongs to, also by question, image and task type."""

    def __init__(self, answers: Sequence[Prediction], scenario: Scenario) -> None:
        self._answers, self._scenario = answers, scenario
        #: The marks of a sample; empty for one that cannot be made.
        self._of_sample = cache(self._made)

    def places(self, where: object) -> list[int | None]:
        """The position of each answer's sample; None for an answer to no sample."""
        ids = {self._scenario.sample_id(place): place for place in range(len(self._scenario))}
        by_id = [ids.get(answer.sample_id) for answer in self._answers]
        pairs = self._pairs(by_id)
        others = [pair for pair in pairs if self._agree(*pair) is False]
        if pairs and not others:
            return by_id
        how, found = "position", self._by_position()
        if found is None or not self._all_agree(found):
            how, found = "question and image", self._by_content()
        if found is None:
            self._check(others, len(pairs), where)
            return by_id
        _log.warning(
            "%s: its ids are not those of the samples of %s, which were found by %s",
            where, self._scenario.name, how,
        )  # fmt: skip
        return list(found)

    def _check(self, others: Sequence[tuple[Prediction, int]], known: int, where: object) -> None:
        """Refuse answers of which some have another question than the sample of their id.

        If all have, their questions may only be worded in another way: then a warning says so.
        """
        if not others:
            return
        answer, place = others[0]
        theirs, ours = _marks(answer.sample), self._of_sample(place)
        key = next(key for key in theirs if theirs[key] != ours.get(key, theirs[key]))
        what = (
            f"record '{answer.sample_id}' has the {key} {theirs[key][:_SHOWN]!r}, and the sample "
            f"of this id in {self._scenario.name} has {ours[key][:_SHOWN]!r} "
            f"({len(others)} of {known} differ)"
        )
        if len(others) < known:
            hint = "is it the right recipe? without one the file is scored by what it has itself"
            raise DataError(what, where=str(where), hint=hint)
        _log.warning("%s: %s; the answers are matched by id", where, what)

    def problem(self) -> str:
        """Why answers that are numbered by position cannot be matched; empty for other ids."""
        found = self._by_position()
        if found is None:
            return ""
        for answer, place in self._pairs(found):
            if not self._of_sample(place):
                continue
            agree = self._agree(answer, place)
            if agree is None:
                return f"record '{answer.sample_id}' has no question or image to check it by"
            if not agree:
                return (
                    f"record '{answer.sample_id}' has another question or image than sample "
                    f"number {place} ('{self._scenario.sample_id(place)}')"
                )
        return ""

    def _by_position(self) -> list[int] | None:
        """The ids as positions; None if one of them cannot be a position."""
        ids = [answer.sample_id for answer in self._answers]
        if not all(name.isascii() and name.isdecimal() for name in ids):
            return None
        places = [int(name) for name in ids]
        return places if all(place < len(self._scenario) for place in places) else None

    def _by_content(self) -> list[int] | None:
        """The only sample with the marks of each answer; None if one has none or several."""
        by_question: dict[str, list[int]] = defaultdict(list)
        for place in range(len(self._scenario)):
            by_question[self._of_sample(place).get("question", "")].append(place)
        found = []
        for answer in self._answers:
            likely = by_question.get(_marks(answer.sample).get("question", ""), [])
            fitting = [place for place in likely if self._agree(answer, place)]
            if len(fitting) != 1:
                return None
            found += fitting
        return found if len(set(found)) == len(found) else None

    def _all_agree(self, places: Sequence[int]) -> bool:
        """Whether every sample that can be made agrees with its answer; there must be one."""
        pairs = [(answer, place) for answer, place in self._pairs(places) if self._of_sample(place)]
        return bool(pairs) and all(self._agree(*pair) for pair in pairs)

    def _pairs(self, places: Sequence[int | None]) -> list[tuple[Prediction, int]]:
        pairs = zip(self._answers, places, strict=True)
        return [(answer, place) for answer, place in pairs if place is not None]

    def _agree(self, answer: Prediction, place: int) -> bool | None:
        """Whether an answer and a sample have the same marks; None if they share no mark."""
        theirs, ours = _marks(answer.sample), self._of_sample(place)
        both = theirs.keys() & ours.keys()
        if not both - {"task_type"}:
            return None
        as_stored = {**theirs, **_marks({"question": answer.sample.get(STORED_QUESTION)})}
        return all(
            _same(key, theirs[key], ours[key]) or _same(key, as_stored[key], ours[key])
            for key in both
        )

    def _made(self, place: int) -> Mapping[str, str]:
        try:
            return _marks(self._scenario[place].to_record())
        except SampleError:
            return {}


def _same(key: str, theirs: str, ours: str) -> bool:
    """Whether two marks are equal; a question may stand in the other one, with its options."""
    return theirs == ours or (key == "question" and (theirs in ours or ours in theirs))


def _marks(record: Mapping[str, Any]) -> dict[str, str]:
    r"""What tells a sample from others, in a form that does not depend on folders and white space.

    >>> _marks({"id": "1", "question": "Is  it?\n", "image_path": "data/MME/color/images/7.jpg"})
    {'question': 'Is it?', 'image_path': '7'}
    """
    marks = {}
    if isinstance(text := record.get("question"), str) and text.strip():
        marks["question"] = " ".join(text.split())
    if isinstance(path := record.get("image_path"), str) and path:
        marks["image_path"] = PurePath(path).stem
    if isinstance(task := record.get("task_type"), str):
        marks["task_type"] = task
    return marks
