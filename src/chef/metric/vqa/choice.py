"""Find the option that an answer chose, by its score or by reading its text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from chef.errors import DataError
from chef.metric.records import (
    answer_text,
    by_score,
    names,
    required_choices,
    scored_choice,
    scored_entry,
    true_choices,
)
from chef.metric.verdicts import verdict
from chef.reading.text import Reading

OPTION, EQUIVALENCE = "option", "equivalence"
#: The reading of a judge that finds that an answer means none of the options.
NONE_OF_THEM = -1


def read_choice(record: dict[str, Any], *, content_only: bool = False) -> Reading[int]:
    """The option that an answer chose.

    An option chosen by its score is taken by its index. Of an answer that was judged it is the one
    that the judge says it means; otherwise see `choice_by_rule`, whose arguments these are.

    Raises:
        UnjudgedError: the answer was to be judged and has no judgement.
        DataError: the judge chose an option that there is not.
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
    """The option that an answer chose by its score or names in its text, whatever judges say.

    Text is searched for an option's label or words; its chain of thought is ignored.

    Args:
        record: the record of one sample; ``labels`` lists the letters used in the question when
            the options themselves are texts.
        content_only: ignore letters, and match only the words of the options.
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
    """The findings about a multiple-choice answer; the arguments are those of `read_choice`.

    Raises:
        MissingTruthError: the record does not say which option is correct.
    """
    right = required_choices(record)
    found = read_choice(record, content_only=content_only)
    return {**scored_entry(found, right=found.value in right), "match": match_kind(found, record)}


def match_kind(
    found: Reading[int], record: dict[str, Any]
) -> Literal["option", "content", "judge"] | None:
    """How an answer was matched: by a label or a score (``option``), or by words (``content``).

    ``judge``: a judge has read it.
    """
    if found.value is None:
        return None
    if record.get("judgements") is not None:
        return "judge"
    choices = names(record, "choices")
    from chef.reading.mentions import normal

    text = normal(choices[found.value]).casefold() if found.value < len(choices) else ""
    worded = bool(text) and text in normal(found.text).casefold()
    by_text = found.rule != "option scores" and (worded or found.rule.startswith("number"))
    return "content" if by_text else "option"


def choice_kind(record: dict[str, Any]) -> str | None:
    """``option`` where a judge can say which of the options an answer means; otherwise None.

    It cannot where an option was chosen by its score, and need not where the correct one is not
    known.
    """
    try:
        asked = scored_choice(record) is None and true_choices(record)
    except DataError:  # it is not scored
        return None
    return OPTION if asked else None


def equivalence_by_rule(found: Mapping[str, Any]) -> bool | None:
    """Whether an answer is equivalent to the reference, by the findings of a rule; None: unread."""
    return None if found["parsed"] is None else bool(found["metric_result"])


def equivalence(record: dict[str, Any]) -> dict[str, Any] | None:
    """The findings about an answer of which judges say whether it is equivalent to the reference.

    None where they were not asked that.
    """
    given = record.get("judgements")
    if not given or given[0]["kind"] != EQUIVALENCE:
        return None
    said = verdict(record)
    assert said is not None
    return scored_entry(said.as_extraction(answer_text(record)), right=bool(said.value))
