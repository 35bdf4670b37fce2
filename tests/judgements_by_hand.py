"""Judgements made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from chef.common.judgements import Judgement, JudgementStatus, Judging

ONE, TWO, THREE = (("one", "1" * 32), ("two", "2" * 32), ("three", "3" * 32))
JUDGES = (ONE, TWO, THREE)
#: What stands for a judgement without a reading.
UNPARSED, ERROR, SKIPPED = (
    JudgementStatus.UNPARSED, JudgementStatus.ERROR, JudgementStatus.SKIPPED,
)  # fmt: skip


def said(
    sample_id: str, kind: str, reading: Any, judge: tuple[str, str] = ONE, order: int = 0
) -> Judgement:
    """One judgement; a status stands for one without a reading."""
    status = reading if isinstance(reading, JudgementStatus) else JudgementStatus.OK
    ok = status == JudgementStatus.OK
    return Judgement(
        sample_id, kind, *judge, status,
        reading=reading if ok else None,
        order=order,
        reply=f"Verdict: [[{reading}]]" if status in (JudgementStatus.OK, UNPARSED) else "",
        error={"type": "RunError", "message": "no answer in 60 s"} if status == ERROR else None,
    )  # fmt: skip


def judging(
    kind: str,
    readings: Mapping[str, Any],
    when: Literal["unread", "always"] = "always",
    judges: Sequence[tuple[str, str]] = (ONE,),
) -> Judging:
    """``judging("option", {"7": 1})``; of several judges, a list with the reading of each."""
    found = {}
    for name, given in readings.items():
        each = given if isinstance(given, list) else [given]
        if kind == "preference":
            found[name] = [
                said(name, kind, reading, judge, order)
                for judge, pair in zip(judges, each, strict=True)
                for order, reading in enumerate(pair)
            ]
        else:
            found[name] = [
                said(name, kind, reading, judge)
                for judge, reading in zip(judges, each, strict=True)
            ]
    return Judging(when, judges, found)
