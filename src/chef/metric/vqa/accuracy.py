"""Accuracy: the share of correct answers, also of parts; which option an answer chose."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal

from chef.errors import DataError
from chef.metric.base import Metric
from chef.metric.records import (
    Record,
    answer_text,
    by_score,
    has_options,
    missing_choice,
    names,
    references_of,
    required_choices,
    required_references,
    scored_choice,
    scored_entry,
    true_choices,
)
from chef.metric.verdicts import verdict
from chef.reading.text import POLICY, Reading
from chef.stats import figures
from chef.stats.arrays import Array, np
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate
from chef.stats.figures import of_sums

OPTION, EQUIVALENCE = "option", "equivalence"
#: The reading of a judge that finds that an answer means none of the options.
NONE_OF_THEM = -1


def read_choice(record: dict[str, Any], *, content_only: bool = False) -> Reading[int]:
    """The option that an answer chose by its index, its judge, else `choice_by_rule`.

    Raises UnjudgedError without a judgement that it needs, DataError where there is no such option.
    """
    choice = scored_choice(record)
    if choice is not None:
        return by_score(choice, record)
    said = verdict(record)
    if said is None:
        return choice_by_rule(record, content_only=content_only)
    if said.kind != OPTION:
        raise DataError(f"the judgement is of kind {said.kind}, and not of kind {OPTION}")
    count = len(names(record, "choices") or names(record, "options"))
    if said.value >= count:
        raise DataError(f"the judge chose option {said.value}, and there are {count} options")
    return said.as_extraction(None if said.value == NONE_OF_THEM else said.value)


def choice_by_rule(record: dict[str, Any], *, content_only: bool = False) -> Reading[int]:
    """The option chosen by its score or named in the text, by label (of ``labels``) or words; no
    judges. ``content_only``: ignore letters, and match only the words of the options.
    """
    choice = scored_choice(record)
    if choice is not None:
        return by_score(choice, record)
    choices = tuple(names(record, "choices"))
    # A recipe that scores options reads no text, and loads none of its rules.
    from chef.reading.labels import option_names
    from chef.reading.options import extract_option

    labels, texts = option_names(names(record, "options"), choices)
    lettered = tuple(names(record, "labels"))
    if lettered and len(lettered) == len(choices):
        labels, texts = lettered, choices
    if content_only:
        labels, texts = (), choices or texts
    question = str(record.get("question") or "")
    return extract_option(answer_text(record), texts, labels, question)


def score_choice(record: dict[str, Any], *, content_only: bool = False) -> dict[str, Any]:
    """The findings about a multiple-choice answer (`read_choice`); raises MissingTruthError."""
    right = required_choices(record)
    choice = read_choice(record, content_only=content_only)
    return {
        **scored_entry(choice, right=choice.value in right),
        "match": match_kind(choice, record),
    }


def match_kind(
    found: Reading[int], record: dict[str, Any]
) -> Literal["option", "content", "judge"] | None:
    """``option`` for a match by a label or a score, ``content`` by words, or ``judge``."""
    if found.value is None:
        return None
    if record.get("judgements") is not None:
        return "judge"
    if found.rule == "option scores":
        return "option"
    choices = names(record, "choices")
    from chef.reading.mentions import normal

    text = normal(choices[found.value]).casefold() if found.value < len(choices) else ""
    worded = bool(text) and text in normal(found.text).casefold()
    return "content" if worded or found.rule.startswith("number") else "option"


def choice_kind(record: dict[str, Any]) -> str | None:
    """``option`` where a judge can say which one an answer means, of a known truth, or None."""
    try:
        asked = scored_choice(record) is None and true_choices(record)
    except DataError:  # it is not scored
        return None
    return OPTION if asked else None


def equivalence_by_rule(found: Mapping[str, Any]) -> bool | None:
    """Whether an answer is equivalent to the reference, by the findings of a rule; None: unread."""
    return None if found["parsed"] is None else bool(found["metric_result"])


def equivalence(record: dict[str, Any]) -> dict[str, Any] | None:
    """The findings by judges that compared an answer with the reference; None if not asked."""
    given = record.get("judgements")
    if not given or given[0]["kind"] != EQUIVALENCE:
        return None
    said = verdict(record)
    assert said is not None
    return scored_entry(said.as_extraction(answer_text(record)), right=bool(said.value))


#: How free answers are compared, as the table and the results say it.
#: In what figures are made of: whether a rule compared an answer without options.
_IS_OPEN = "is_open_by_rule"
OPEN_ANSWERS = "right where they contain a reference as a phrase; numbers by value and unit"


class Accuracy(Metric):
    """Share of correct answers.

    An option chosen by its score is compared by index. Text is searched for an option's label or
    words (`extract_option`). Without options, an answer is right where it contains a reference as a
    whole phrase that it does not negate; numbers are compared by value and unit (`compare`). Other
    comparisons are metrics of their own: `ExactMatch`, `VQAAccuracy`, `ANLS`, `RelaxedAccuracy`.

    Where the recipe has a judge, it says which option a text means, or whether an answer without
    options is equivalent to the reference.

    Metrics:
        ``ACC``: correct answers, in % of all scored; unparsed ones are not correct.
        ``match_ratio``: answers that could be read, in % of all scored.
    """

    primary = mean_figure = "ACC"
    chance_for: Sequence[str] = ("ACC",)
    aggregates = ("metric_result", "parsed")
    policy = POLICY
    judge_kinds: ClassVar[Sequence[str]] = (OPTION, EQUIVALENCE)

    def judge_kind(self, record: dict[str, Any]) -> str | None:
        """``option`` where there are options, otherwise ``equivalence``; None without truth."""
        return answer_kind(record)

    def rule_reading(self, record: dict[str, Any]) -> int | bool | None:
        """The index of the option; without options, whether the answer is right."""
        reading = self.rule_findings(record)
        return equivalence_by_rule(reading) if not true_choices(record) else reading["parsed"]

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is 1 or 0; ``parsed`` is the index of the option, or the text."""
        right = true_choices(record)
        if judged := equivalence(record):
            return judged
        if right:
            choice = read_choice(record)
            return scored_entry(choice, right=choice.value in right)
        if scored_choice(record) is not None or has_options(record):
            raise missing_choice(record)
        return _score_open(record)

    def figured(self, record: dict[str, Any]) -> dict[str, Any]:
        """See `Metric.figured`; it also says whether a rule compared an open answer."""
        return {**super().figured(record), _IS_OPEN: _is_open_by_rule(record)}

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        found = accuracy(answers)
        marks = {answer.get(_IS_OPEN) for answer in answers}
        by_rule = True in marks or (None in marks and any(map(_is_open_by_rule, answers)))
        return {**found, **({"open_answers": OPEN_ANSWERS} if by_rule else {})}


def _is_open_by_rule(answer: dict[str, Any]) -> bool:
    known: bool | None = answer.get(_IS_OPEN)
    if known is not None:
        return known
    return not true_choices(answer) and answer.get("judgements") is None


def answer_kind(record: dict[str, Any]) -> str | None:
    """``option`` or ``equivalence``: what a judge can be asked; None of nothing, or no truth."""
    try:
        right = true_choices(record)
        if scored_choice(record) is not None or not (right or references_of(record)):
            return None
        if not right and has_options(record):
            return None
    except DataError:  # it is not scored
        return None
    return OPTION if right else EQUIVALENCE


def accuracy(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """``ACC`` and ``match_ratio`` of scored records, in %, with clustered intervals."""
    return {
        "ACC": share_of(answers, "metric_result"),
        "match_ratio": match_ratio(answers),
    }


def match_ratio(answers: list[dict[str, Any]], unit: str = "%") -> Estimate:
    """The share of answers that could be read."""
    return share([answer["parsed"] is not None for answer in answers], answers, unit)


def share(hits: Sequence[float], answers: list[dict[str, Any]], unit: str = "%") -> Estimate:
    """The share of hits, one per answer, with an interval by the clusters of the answers."""
    return figures.share(hits, clusters_of(answers), unit)


def ratio_of(answers: Sequence[Mapping[str, Any]], top: str, bottom: str) -> Estimate:
    """The sum of one finding over that of another, in %; 0 where an answer lacks it."""
    tops, bottoms = ([answer.get(key, 0) for answer in answers] for key in (top, bottom))
    return figures.ratio(tops, bottoms, clusters_of(answers))


def share_of(answers: list[dict[str, Any]], key: str, unit: str = "%") -> Estimate:
    """The mean of ``key`` over the answers, as `share` computes it; its values are 0..1."""
    return share([answer[key] for answer in answers], answers, unit)


class MeanMetric(Metric):
    """The mean of ``metric_result`` over the answers, which is in 0..1, named ``primary``."""

    #: ``%`` or ``0-1``.
    unit: ClassVar[Literal["%", "0-1"]] = "%"

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {self.primary: share_of(answers, "metric_result", self.unit)}


def _score_open(record: dict[str, Any]) -> dict[str, Any]:
    references = required_references(record, "gt_choice and no gt_answers")
    verdict(record)  # an answer that was to be judged is not compared by rule
    from chef.reading.free_answers import compare

    compared = compare(answer_text(record), references, str(record.get("question") or ""))
    return scored_entry(compared.reading, right=compared.right)


def parts_of(
    answers: Sequence[Record], names: Callable[[Record], Iterable[str]] | str
) -> dict[str, list[Record]]:
    """The answers of each part by name, in alphabetical order; a field that is empty names none."""
    parts: dict[str, list[Record]] = {}
    for answer in answers:
        if isinstance(names, str):
            names_of_it = [str(answer[names])] if answer.get(names) else []
        else:
            names_of_it = [*dict.fromkeys(names(answer))]
        for name in names_of_it:
            parts.setdefault(name, []).append(answer)
    return dict(sorted(parts.items()))


def shares_of(
    answers: Sequence[Record],
    names: Callable[[Record], Iterable[str]] | str,
    key: str = "metric_result",
) -> dict[str, Estimate]:
    """The mean of ``key``, in 0..1, of each of `parts_of`, in %."""
    return {name: share_of(part, key) for name, part in parts_of(answers, names).items()}


def sum_of_shares(
    rows: Sequence[tuple[int, Sequence[float]]],
    clusters: Sequence[Hashable],
    unit: str,
    *,
    parts: int,
    most: float,
) -> Estimate:
    """The sum of the shares of several parts, ``most`` where all are 1.

    A row has the place of an item's part, and its hits and its weight, of one share of the part or
    of several in turn.
    """
    width = len(rows[0][1])
    table = []
    for place, numbers in rows:
        row = [0.0] * width * parts
        row[width * place : width * (place + 1)] = numbers
        table.append(row)

    def total(sums: Array) -> Array:
        weights = np.where(sums[:, 1::2] > 0, sums[:, 1::2], np.nan)
        values: Array = most * (sums[:, ::2] / weights).mean(axis=1)
        return values

    return of_sums(table, total, clusters, unit, least=0, most=most)
