"""The texts of a record that a judge is shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from chef.common.options import letters
from chef.common.yaml_text import shipped
from chef.errors import DataError
from chef.metric.judge_kind import Wording
from chef.metric.records import names, required_references

#: What every kind says in the same words: ``{rules}`` and ``{form}`` stand for it.
_SHARED = "shared"


@cache
def pool(kind: str) -> Mapping[str, Wording]:
    """The wordings of a kind of chef's own, by name."""
    shared = _content(_SHARED)
    found: dict[str, Wording] = {}
    for name, entry in _content(kind).items():
        verdicts = entry.get("verdicts", "")  # a kind that reads the whole reply has none
        form = shared["form"].strip().replace("{verdicts}", verdicts)
        prompt = entry["prompt"].replace("{rules}", shared["rules"].strip())
        reminder = shared["reminder"].strip().replace("{form}", form)
        found[name] = Wording(prompt.replace("{form}", form).strip(), reminder)
    return found


def _content(name: str) -> Mapping[str, Any]:
    content: Mapping[str, Any] = shipped("chef.judge", "pools", f"{name}.yaml")
    return content


def question_of(record: Mapping[str, Any]) -> str:
    """The question; for a sample without one, what the model was asked."""
    return str(record.get("question") or record.get("query") or "")


def answer_of(record: Mapping[str, Any], key: str = "answer") -> str:
    """The answer as text; several answers, such as those of several turns, as JSON."""
    answer = record.get(key)
    if answer is None or isinstance(answer, str):
        return answer or ""
    return json.dumps(answer, ensure_ascii=False, default=str)


def references_text(record: Mapping[str, Any]) -> str:
    """The references, one on each line, several numbered; raises MissingTruthError."""
    found = required_references(dict(record))
    if len(found) == 1:
        return found[0]
    return "\n".join(f"{number}. {text}" for number, text in enumerate(found, 1))


def compared_with_reference(record: Mapping[str, Any]) -> dict[str, str]:
    """The texts ``question``, ``reference`` and ``answer``; raises MissingTruthError."""
    return {
        "question": question_of(record),
        "reference": references_text(record),
        "answer": answer_of(record),
    }


def options_of(record: Mapping[str, Any]) -> dict[str, str]:
    """The options by letter, the metric's, else the sample's; raises DataError."""
    known = dict(record)
    keys = ("judge_options", "options", "choices")
    found = next(filter(None, (names(known, key) for key in keys)), [])
    if not found:
        raise DataError(
            "the sample has no options",
            where=f"sample '{record.get('id', '?')}'",
            hint="use another kind of judgement, such as kind: equivalence",
        )
    return dict(zip(letters(len(found)), found, strict=True))
