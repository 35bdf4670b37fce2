"""The facts of a sample besides the conversation: its fields, what judges said, what failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chef.common.judgements import Judgement
from chef.report.export.rows import CATEGORIES, effort_of
from chef.report.sample_view import JudgementView
from chef.report.views.answers import plain
from chef.scoring.errors import group_errors
from chef.types import Prediction, Status

#: Fields of samples that the view shows elsewhere.
_SHOWN = frozenset(
    ("id", "question", "options", "choices", "gt_answers", "gt_choice", "multi_turn_prefix")
)
#: What a line of scores.jsonl has that the view shows elsewhere.
_OF_SCORES = frozenset(
    (
        "id", "status", "question", "answer", "truth", "score", "chosen_option", "true_option",
        "metric_result", "parsed", "evidence", "judgements", "error", "worded_by", "no_truth",
        "skipped", "matches",
    )
)  # fmt: skip
#: Longer texts and lists are no facts that a table shows.
_LONGEST = 500


def fields_of(
    prediction: Prediction, entry: Mapping[str, Any], groupings: Mapping[str, str]
) -> dict[str, Any]:
    """The groupings of a sample, its further fields, and what the metric says besides its score."""
    sample, trace = prediction.sample, prediction.trace
    first = {name: name for name in CATEGORIES} | dict(groupings)
    found = {name: sample[key] for name, key in first.items() if sample.get(key) not in (None, "")}
    found |= {key: value for key, value in sample.items() if key not in _SHOWN | found.keys()}
    found |= {
        key: value for key, value in entry.items() if key not in _OF_SCORES and key not in found
    }
    if prediction.status is Status.TRUNCATED:
        found["truncated"] = "the reply reached the token limit"
    for key in ("worded_by", "ices", "prompts"):
        if trace.get(key):
            found[_NAMES.get(key, key)] = trace[key]
    return {
        key: value if isinstance(value, str | bool | int | float) else plain(value)
        for key, value in found.items()
        if value is not None and (key in _NAMES.values() or len(plain(value)) <= _LONGEST)
    }


#: What fields of the trace are called for people.
_NAMES = {"worded_by": "worded by", "ices": "examples", "prompts": "text as sent"}


def effort_words(prediction: Prediction) -> str:
    """What an answer took, in words; empty where nothing is known.

    >>> effort = {"requests": 3, "retries": 2, "seconds": 1.234, "prompt_tokens": 812}
    >>> effort_words(Prediction("1", Status.OK, "B", trace={"tokens": 5}, effort=effort))
    '5 tokens, prompt 812 tokens, 1.23 s in 3 requests (2 sent again)'
    """
    effort = effort_of(prediction)
    found = []
    if "tokens" in effort:
        found.append(_number(effort["tokens"], "token"))
    if "prompt_tokens" in effort:
        found.append(f"prompt {_number(effort['prompt_tokens'], 'token')}")
    if "requests" in effort:
        again = f" ({effort['retries']:,} sent again)" if effort.get("retries") else ""
        requests = _number(effort["requests"], "request")
        found.append(f"{effort.get('seconds', 0.0):.3g} s in {requests}{again}")
    return ", ".join(found)


def _number(number: float, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def judgements_of(
    stored: Sequence[Judgement], entry: Mapping[str, Any], outputs: Sequence[tuple[str, Any]]
) -> list[JudgementView]:
    """What judges and evaluators said about an answer; from its scores where the file is gone."""
    found = [
        JudgementView(
            item.judge,
            item.kind,
            str(item.status),
            plain(item.reading),
            item.reply or str((item.error or {}).get("message", "")),
        )
        for item in stored
    ]
    short = entry.get("judgements")
    for line in short if isinstance(short, list) and not found else []:
        names = {key: plain(line.get(key)) for key in ("judge", "kind", "status", "reading")}
        found.append(JudgementView(**names, reply=plain(line.get("reply") or line.get("error"))))
    return [*found, *(JudgementView(name, "evaluator", "ok", plain(v), "") for name, v in outputs)]


def error_of(prediction: Prediction, entry: Mapping[str, Any]) -> str:
    """What failed, where, and how to fix it; empty if nothing did."""
    error = entry.get("error") or prediction.error
    if not error:
        return ""
    group = group_errors(
        [{"id": prediction.sample_id, "status": str(Status.ERROR), "error": dict(error)}]
    )[0]
    return "\n".join(
        line.removeprefix("    ") for line in group.lines() if not line.startswith("    samples: ")
    ).removeprefix("  1 x ")
