"""What a page shows, before it is HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import field

from chef.document.sections import Cell, Plot, Table, Words
from chef.frozen import Frozen
from chef.report.sample_view import SampleView, Verdict
from chef.report.views.thumbnails import Picture

__all__ = [
    "Cards",
    "Cell",
    "Headline",
    "PageContent",
    "PageKind",
    "Part",
    "Plot",
    "RunCell",
    "SampleRow",
    "Section",
    "Table",
    "Words",
]  # fmt: skip

PageKind: TypeAlias = Literal["run", "comparison", "sweep", "suite", "labels"]


class Part(Frozen):
    """A part of a whole, such as the wrong answers: where it begins and how much it is, as shares.

    ``name`` is its class in the style sheet, ``cell`` its number with the samples it leads to.
    """

    name: str
    start: float
    share: float
    cell: Cell


class Headline(Frozen):
    """What a run achieved, in a sentence and a drawing.

    Attributes:
        title: its heading: which figure it is.
        value: the score, with its unit.
        interval: its 95% interval; may be empty.
        finding: how that is against guessing; empty where it is not known what guessing scores.
        tone: ``good`` or ``bad`` where the interval shows that it is above or below guessing.
        bar: low, value and high as shares of the scale, 0 to 1; None for figures without one.
        chance: what guessing scores, likewise; None where that is not known.
        counts: what became of the answers.
        paragraphs: what else belongs to it: coverage, the weakest groups.
    """

    title: str
    value: str
    interval: str = ""
    finding: str = ""
    tone: Literal["", "good", "bad"] = ""
    bar: tuple[float, float, float] | None = None
    chance: float | None = None
    counts: Sequence[Part] = ()
    paragraphs: Sequence[str] = ()


class Cards(Frozen):
    """Some samples of the page, as cards with their pictures; the note says why these.

    ``filter`` has the samples that they stand for, as in `Cell`, and ``all`` the text of that link.
    """

    title: str
    ids: Sequence[str]
    note: str = ""
    filter: Mapping[str, str] | None = None
    all: str = ""


Section: TypeAlias = Table | Plot | Words | Headline | Cards


class RunCell(Frozen):
    """A sample in one run, as the list of samples shows it.

    ``confidence`` is 0 to 1. ``answer`` is the beginning of the answer, of scored options the
    likeliest in words, and of a failed sample what failed.
    """

    verdict: Verdict
    score: float | None = None
    confidence: float | None = None
    answer: str = ""


class SampleRow(Frozen):
    """A sample in the list, with the beginnings of its texts.

    ``fields`` are what it can be filtered by, such as ``category``; ``runs`` how it went in each
    run of the page; None where a run has no such sample.
    """

    id: str
    question: str
    truth: str
    fields: Mapping[str, str]
    runs: Sequence[RunCell | None]


class PageContent(Frozen):
    """A page.

    Attributes:
        title: its heading, such as ``Shapes/ppl · tiny``.
        subtitle: a line of facts below; may be empty.
        made: the date and time when it was made.
        sections: figures, tables and drawings, in order; they stand above the samples.
        runs: what the runs are called, in the order of `SampleRow.runs`.
        rows: the samples; none for a page without a list of samples.
        views: the views of a sample in each run, by its id; called once for each row, in order.
        thumbnail: the encoded thumbnail (WebP) of an image, by its key; None where there is none.
        picture: an image of the views made last in full, by its key; None where there is none.
        commands: of each run, the command that asks one of its samples again, but for
            the sample's id, with which it ends; of an overview, the folder of each.
        links: of an overview, the page of each run, which has its samples in full.
        live: the state of the runs on a page that is served while they go on; empty for a file.
        choices: of a page on which a person labels the samples, the replies: key and text of each.
    """

    kind: PageKind
    title: str
    subtitle: str = ""
    made: str = ""
    sections: Sequence[Section] = ()
    runs: Sequence[str] = ()
    rows: Sequence[SampleRow] = ()
    views: Callable[[str], Sequence[SampleView | None]] = field(default=lambda _: ())
    thumbnail: Callable[[str], bytes | None] = field(default=lambda _: None)
    picture: Callable[[str], Picture | None] = field(default=lambda _: None)
    commands: Sequence[str] = ()
    links: Sequence[str] = ()
    live: str = ""
    choices: Sequence[tuple[str, str]] = ()
