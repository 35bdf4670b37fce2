"""Multiple choice as LAMM counts it."""

from __future__ import annotations

import re
from typing import Any

from chef.extraction import Extraction
from chef.metric.records import missing_truth, names, true_choices, verdict_of
from chef.metric.vqa.accuracy import share
from chef.metric.vqa.choice import upstream_text
from chef.metric.vqa.vqa import VQA

_STATED = re.compile(r"[Tt]he answer is \(?([A-E])\)?\W")
_MARKED = re.compile(r"ANSWER: ([A-E])")
_ENCLOSED = re.compile(r"\(([A-E])\)")


class LammVQA(VQA):
    """Share of right options, on a scale of 0 to 1.

    Figures:
        ``vision_acc``: right options, of all scored.

    With ``compat: upstream`` an answer is right if the right letter is among those stated in it
    (`lamm_option`), as in LAMM.
    """

    primary = "vision_acc"

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        if self.compat == "corrected":
            return super().judge(record)
        right = true_choices(record)
        if not right:
            raise missing_truth(record, "gt_choice")
        found = lamm_option(upstream_text(record), names(record, "choices"), min(right))
        return verdict_of(found, right=found.value in right)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        hits = [answer["metric_result"] for answer in answers]
        return {"vision_acc": share(hits, answers, "0-1"), "policy": self.policy}

    @property
    def policy(self) -> str:
        """The name of the rules by which texts are read."""
        return super().policy if self.compat == "corrected" else "LAMM"


def lamm_option(answer: str, choices: list[str], truth: int) -> Extraction[int]:
    """What LAMM takes a text for: the right option, wherever it can be found.

    The first of these that occurs decides, and is right if the right letter is among its matches:
    all of "the answer is (A)"; the first "ANSWER: A"; all letters in brackets. Else the text is
    right if it holds the words of the right choice and of no other.

    >>> lamm_option("(A) or (B)", ["cat", "dog"], 1).value
    1
    """
    letter = chr(65 + truth)
    for rule, hits in (
        ("stated", _STATED.findall(answer)),
        ("marked", _MARKED.findall(answer)[:1]),
        ("brackets", _ENCLOSED.findall(answer)),
    ):
        if hits:
            said = letter if letter in hits else hits[0]
            return Extraction(ord(said) - 65, rule, said)
    held = [place for place, choice in enumerate(choices) if choice in answer]
    return Extraction(truth if held == [truth] else None, "content")
