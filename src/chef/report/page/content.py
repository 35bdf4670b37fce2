"""What a page shows, before it is HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from chef.document.sections import Cell, Plot, Section, Table, Words
from chef.report.sample_view import SampleView, Verdict

__all__ = ["Cell", "PageContent", "PageKind", "Plot", "Row", "RunCell", "Section", "Table", "Words"]

PageKind: TypeAlias = Literal["run", "comparison", "sweep", "suite"]


@dataclass(frozen=True, slots=True)
class RunCell:
    """A sample in one run, as the list of samples shows it.

    Attributes:
        verdict: what became of the answer.
        score: as the metric gives it; None where it has none.
        confidence: 0 to 1; None where unknown.
        answer: the answer, or its beginning; of scored options the likeliest in words; of a failed
            sample what failed.
    """

    verdict: Verdict
    score: float | None = None
    confidence: float | None = None
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A sample in the list.

    Attributes:
        id: of the sample.
        question: the question, or its beginning.
        truth: the reference answer.
        fields: what it can be filtered by, such as ``category``.
        runs: how it went in each run of the page; None where a run has no such sample.
    """

    id: str
    question: str
    truth: str
    fields: Mapping[str, str]
    runs: Sequence[RunCell | None]


@dataclass(frozen=True, slots=True)
class PageContent:
    """A page.

    Attributes:
        kind: of what it is.
        title: its heading, such as ``Shapes/ppl · tiny``.
        subtitle: a line of facts below; may be empty.
        made: the date and time when it was made.
        sections: figures, tables and drawings, in order; they stand above the samples.
        runs: what the runs are called, in the order of `Row.runs`.
        rows: the samples; none for a page without a list of samples.
        views: the views of a sample in each run, by its id; called once for each row, in order.
        thumbnail: the encoded thumbnail (WebP) of an image, by its key; None where there is none.
    """

    kind: PageKind
    title: str
    subtitle: str = ""
    made: str = ""
    sections: Sequence[Section] = ()
    runs: Sequence[str] = ()
    rows: Sequence[Row] = ()
    views: Callable[[str], Sequence[SampleView | None]] = field(default=lambda _: ())
    thumbnail: Callable[[str], bytes | None] = field(default=lambda _: None)
