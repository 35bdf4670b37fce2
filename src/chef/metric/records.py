"""Reading the flat records of the journal. What they lack is an error, never a wrong answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

from chef.errors import DataError
from chef.extraction import Extraction


def answer_text(record: dict[str, Any]) -> str:
    """The answer as text; empty when there is none."""
    answer = record.get("answer")
    return "" if answer is None else str(answer)


def scored_choice(record: dict[str, Any]) -> int | None:
    """The index of the option that was chosen by its score; None when the answer is free text.

    Raises:
        DataError: ``choice`` is no index of ``options``.
    """
    choice = record.get("choice")
    if choice is None:
        return None
    if isinstance(choice, bool) or not isinstance(choice, Integral):
        raise DataError(f"the scored choice is {choice!r}, not the index of an option")
    options = names(record, "options") or names(record, "choices")
    if options and not 0 <= int(choice) < len(options):
        raise DataError(f"the scored choice is {choice}, and there are {len(options)} options")
    return int(choice)


def names(record: dict[str, Any], key: str) -> list[str]:
    """A list of strings from the record; empty when it is not there."""
    return [str(item) for item in _items(record.get(key))]


def references_of(record: dict[str, Any]) -> list[Any]:
    """``gt_answers`` as a list without None; a scalar is a list of one."""
    return [item for item in _items(record.get("gt_answers")) if item is not None]


def true_choices(record: dict[str, Any]) -> set[int]:
    """The indices of the right options; empty when the record does not say.

    From ``gt_choice`` (one index or several), else from where ``gt_answers`` stands among
    ``options`` or ``choices``.
    """
    given = [item for item in _items(record.get("gt_choice")) if item is not None]
    if given:
        return {_index(item) for item in given}
    wanted = {str(item).strip() for item in references_of(record)}
    for key in ("options", "choices"):
        right = {i for i, name in enumerate(names(record, key)) if name.strip() in wanted}
        if right:
            return right
    return set()


def check_kind(wanted: str | None, kind: str, key: str = "inference_type") -> None:
    """Refuse answers of another kind than the recipe's metric is told to score.

    Args:
        wanted: what the recipe says; None for anything.
        kind: what the answers are.
        key: where the recipe says it.

    Raises:
        DataError: they differ.
    """
    if wanted is not None and wanted != kind:
        raise DataError(
            f"the answers are of {key} {kind}, and the recipe says {wanted}",
            mend=f"set metric_cfg.{key}: {kind}, or leave it out",
        )


def cluster(record: dict[str, Any]) -> str:
    """What the sample is not independent of others through: its question, its image, or nothing."""
    for key in ("circular_group", "image_path"):
        if isinstance(record.get(key), str):
            return f"{key} {record[key]}"
    return f"id {record['id']}"


class MissingTruthError(DataError):
    """Nobody knows the right answer (a test split, say): the sample is predicted, not scored."""


def missing_truth(record: dict[str, Any], keys: str) -> DataError:
    """The error for a record without a truth to compare with, or with one of the wrong form."""
    given = record.get("gt_answers") is not None or record.get("gt_choice") is not None
    kind = DataError if given else MissingTruthError
    return kind(
        f"the sample has no {keys}",
        where=f"sample '{record.get('id', '?')}'",
        mend="score a split that has its answers",
    )


def required_choices(record: dict[str, Any]) -> set[int]:
    """`true_choices`, of which there must be one.

    Raises:
        MissingTruthError: the record does not say which option is right.
    """
    right = true_choices(record)
    if not right:
        raise missing_truth(record, "gt_choice")
    return right


def required_references(record: dict[str, Any], what: str = "gt_answers") -> list[str]:
    """The texts of ``gt_answers``, of which there must be one.

    Args:
        record: of one sample.
        what: the name of what is missing, for the error.

    Raises:
        MissingTruthError: there are none.
    """
    references = [str(item) for item in references_of(record)]
    if not references:
        raise missing_truth(record, what)
    return references


def scored_entry(extraction: Extraction[Any], *, right: bool) -> dict[str, Any]:
    """The annotations that the metrics share: ``metric_result, parsed, evidence``."""
    return {
        "metric_result": float(right),
        "parsed": extraction.value,
        "evidence": extraction.evidence(),
    }


def by_score(choice: int, record: dict[str, Any]) -> Extraction[int]:
    """An option chosen by its score, in the form of an extraction."""
    options: Sequence[str] = names(record, "options")
    return Extraction(choice, "option scores", options[choice] if options else "")


def _index(item: Any) -> int:
    try:
        return int(item)
    except (TypeError, ValueError):
        raise DataError(f"gt_choice holds {item!r}, not the index of an option") from None


def _items(item: Any) -> list[Any]:
    if item is None:
        return []
    return list(item) if isinstance(item, list | tuple | set | frozenset) else [item]


Turns = Sequence[Mapping[str, Any]]


def turns_of(record: Mapping[str, Any]) -> Turns:
    """The answered turns of a record; empty when it was asked in one."""
    turns = record.get("turn_answer")
    return turns if isinstance(turns, list) else []


def is_scored(turns: Turns) -> bool:
    """Whether options were scored, or text written."""
    return any("choice" in turn for turn in turns)
