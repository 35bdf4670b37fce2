"""OCRBench: does an answer contain the text that is in the image?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chef.metric.vqa.accuracy import share_of
from chef.metric.vqa.open.base import OpenAnswerMetric
from chef.stats.estimate import Estimate

Record = dict[str, Any]

FORMULAS = "Handwritten Mathematical Expression Recognition"
#: The categories that are reported together.
RECOGNITION = (
    "Regular Text Recognition",
    "Irregular Text Recognition",
    "Artistic Text Recognition",
    "Handwriting Recognition",
    "Digit String Recognition",
    "Non-Semantic Text Recognition",
)
PARTS: Mapping[str, Sequence[str]] = {
    "Text Recognition": RECOGNITION,
    "Scene Text-centric VQA": ("Scene Text-centric VQA",),
    "Doc-oriented VQA": ("Doc-oriented VQA",),
    "Key Information Reading": ("Key Information Reading",),
    FORMULAS: (FORMULAS,),
}


class OCRBench(OpenAnswerMetric):
    """Answers that contain a reference, of ten categories in five parts.

    Source: Liu et al. 2024, "OCRBench: On the Hidden Mystery of OCR in Large Multimodal Models".
    Case does not count, and line breaks are blanks; of formulas case counts and blanks do not.

    Metrics:
        ``Final Score Norm``: right answers, in % of all scored.
        ``Final Score`` (a count): right answers; of 1000 where the benchmark is complete.
        ``{part}``: right answers, in % of those scored, of Text Recognition (six categories),
        Scene Text-centric VQA, Doc-oriented VQA, Key Information Reading and Handwritten
        Mathematical Expression Recognition. ``{category}``: the same of the six categories.
    """

    primary = "Final Score Norm"
    compared = "right where they contain a reference (OCRBench)"

    def score(self, answer: str, references: list[str]) -> float:
        """1 or 0, of texts that are no formulas."""
        return float(contains_any(answer, references, formula=False))

    def score_record(self, record: Record, answer: str, references: list[str]) -> float:
        """1 or 0."""
        is_formula = record.get("category") == FORMULAS
        return float(contains_any(answer, references, formula=is_formula))

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        names = {str(answer.get("category") or "") for answer in answers}
        known = {name for part in PARTS.values() for name in part}
        parts = {**PARTS, **{name: (name,) for name in sorted(names & {*RECOGNITION})}}
        parts |= {name: (name,) for name in sorted(names - known - {""})}
        return {
            **final_score(answers),
            **{
                name: share_of(rows, "metric_result")
                for name, part in parts.items()
                if (rows := [row for row in answers if row.get("category") in part])
            },
            "open_answers": self.compared,
        }

    def group_metrics(self, answers: list[Record]) -> dict[str, Any]:
        """``Final Score Norm`` and ``Final Score`` of the group."""
        return dict(final_score(answers))


def final_score(answers: list[Record]) -> dict[str, Estimate]:
    """The right answers in % and as a count."""
    right = sum(answer["metric_result"] for answer in answers)
    return {
        "Final Score Norm": share_of(answers, "metric_result"),
        "Final Score": Estimate(right, len(answers), unit="count"),
    }


def contains_any(answer: str, references: Sequence[str], *, formula: bool) -> bool:
    r"""Whether an answer contains one of the references, even inside a word.

    Args:
        answer: the answer.
        references: the accepted texts.
        formula: compare with case and without blanks.

    >>> contains_any("It says STOP.", ["stop"], formula=False)
    True
    >>> contains_any(r"\frac { 1 } { x }", [r"\frac{1}{x}"], formula=True)
    True
    """
    return any(
        _plain(item, formula=formula) in _plain(answer, formula=formula) for item in references
    )


def _plain(text: str, *, formula: bool) -> str:
    bare = text.strip().replace("\n", " ")
    return bare.replace(" ", "") if formula else bare.lower()
