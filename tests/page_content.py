"""Pages for the tests of pages: a few samples with everything, and any number of random ones."""

from __future__ import annotations

import io
import random
from functools import cache

from chef.report.page.content import (
    Cell,
    PageContent,
    PageKind,
    Plot,
    RunCell,
    SampleRow,
    Table,
    Words,
)
from chef.report.sample_view import (
    VERDICTS,
    AnswerView,
    BoxView,
    ImageView,
    JudgementView,
    MessageView,
    OptionView,
    SampleView,
    Verdict,
)

CATEGORIES = ("count", "colour", "position", "text & signs")
COLOURS = ("red", "green", "blue", "orange")


@cache
def picture(key: str) -> bytes:
    """A thumbnail: a few coloured squares."""
    from PIL import Image, ImageDraw

    chance = random.Random(key)
    image = Image.new("RGB", (240, 180), "#e9e6df")
    draw = ImageDraw.Draw(image)
    for _ in range(4):
        x, y, side = chance.randrange(190), chance.randrange(130), chance.randrange(20, 60)
        draw.rectangle((x, y, x + side, y + side), fill=chance.choice(COLOURS))
    encoded = io.BytesIO()
    image.save(encoded, "WEBP", quality=60)
    return encoded.getvalue()


def thumbnail(key: str) -> bytes | None:
    """As `PageContent.thumbnail`: one of nine pictures; none for ``missing``."""
    return None if key == "missing" else picture(f"picture {sum(map(ord, key)) % 9}")


def random_cell(chance: random.Random) -> RunCell:
    """A sample in a run; what has no answer has no score and no confidence."""
    verdict: Verdict = chance.choices(VERDICTS, weights=(60, 25, 4, 4, 3, 2, 2))[0]
    score = {"right": 1.0, "wrong": 0.0, "partly": 0.5, "unread": 0.0}.get(verdict)
    confidence = None if verdict in ("error", "unread") else round(chance.random(), 3)
    answer = "" if verdict == "error" else f"({chance.choice('ABCD')}) {chance.choice(COLOURS)}"
    return RunCell(verdict, score, confidence, answer)


def random_row(number: int, runs: int) -> SampleRow:
    """The row of a sample, the same for the same number."""
    chance = random.Random(number)
    letter = chance.choice("ABCD")
    return SampleRow(
        id=f"q{number}",
        question=f"What colour is shape {number} of the picture, and which one is left of it?",
        truth=f"({letter}) {COLOURS['ABCD'.index(letter)]}",
        fields={"category": chance.choice(CATEGORIES), "level": str(chance.randint(1, 3))},
        runs=[random_cell(chance) for _ in range(runs)],
    )


def random_view(row: SampleRow, run: int) -> SampleView | None:
    """A view that agrees with its row: two examples, an image, options."""
    cell = row.runs[run]
    if cell is None:
        return None
    images = [
        ImageView(
            f"{row.id}-{n}",
            f"image {n} of sample {row.id!r}",
            f"{n}.png",
            f"images/{n}.png",
            640,
            480,
            is_example=n > 0,
        )
        for n in range(3)
    ]
    messages = [
        MessageView("system", ["You answer questions about pictures of shapes."]),
        *(
            message
            for n in (1, 2)
            for message in (
                MessageView("user", [n, "What colour is the largest shape?"], "example"),
                MessageView("assistant", [f"({'AB'[n - 1]}) {COLOURS[n - 1]}"], "example"),
            )
        ),
        MessageView("user", [0, f"{row.question}\n(A) red\n(B) green\n(C) blue\n(D) orange"]),
        MessageView("assistant", [cell.answer], "reply"),
    ]
    chosen = cell.answer[1:2]
    share = 0.25 if cell.confidence is None else cell.confidence
    options = [
        OptionView(
            letter,
            colour,
            share if letter == chosen else (1 - share) / 3,
            letter == chosen,
            row.truth[1] == letter,
        )
        for letter, colour in zip("ABCD", COLOURS, strict=True)
    ]
    answer = AnswerView(
        cell.answer,
        (0, 3) if cell.answer else None,
        "letter in brackets",
        chosen,
        row.truth,
        options,
    )
    failed = cell.verdict == "error"
    return SampleView(
        row.id,
        "error" if failed else "ok",
        cell.verdict,
        cell.score,
        messages,
        "",
        images,
        () if failed else (answer,),
        (),
        dict(row.fields),
        cell.confidence,
        "the server does not answer\n  -> start it again" if failed else "",
    )


#: Texts that a model may write and a page must only show.
HOSTILE = (
    "<script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 2'>",
    "</script><script>window.hacked = 3</script>",
    "</textarea></title></style><svg onload='window.hacked = 4'>",
    "<!-- comment --> <!-- data -->",
    "{{7*7}} {% raw %} ${7*7} `${window.hacked = 5}`",
    "mixed \u202eright to left\u202c and \u0627\u0644\u0639\u0631\u0628\u064a\u0629 \u05e2\u05d1",
    "nul \x00 bell \x07 escape \x1b[31m lone \ud800 emoji \U0001f600 line\u2028break",
    "long" * 300,
    "&lt;b&gt; &amp; \" ' \\ \\u003c",
)


def hostile_row(number: int) -> SampleRow:
    """A row in which every text is hostile."""
    text = HOSTILE[number]
    fields = {"category": text, "page": "field of a reserved name", "__proto__": "x"}
    return SampleRow(f"h{number} {text}", text, text, fields, [RunCell("wrong", 0.0, 0.3, text)])


def hostile_view(row: SampleRow) -> SampleView:
    """A view in which every text is hostile; the links of its images are, too."""
    text = row.question
    images = [
        ImageView(
            "a",
            text,
            text,
            "javascript:window.hacked=6",
            10,
            10,
            [BoxView((0.1, 0.2, 0.6, 0.7), text), BoxView((0, 0, 1, 1), text, True)],
        ),
        ImageView("missing", text, text, "java\nscript:window.hacked=7"),
        ImageView("missing", "safe", "safe", "file:///images/safe.png"),
    ]
    return SampleView(
        row.id,
        text,
        "wrong",
        0.0,
        [MessageView(text, [text, 0, 1, 2])],
        text,
        images,
        [AnswerView(text, (0, len(text)), text, text, text, [OptionView(text, text, 0.5)])],
        [JudgementView(text, text, text, text, text)],
        {text: text, "__proto__": {"a": text}},
        0.3,
        text,
    )


def rich_row() -> SampleRow:
    """A sample with everything; the emoji makes UTF-16 positions differ from characters."""
    return SampleRow(
        "rich",
        "How many boxes hold a cat, and where?",
        "2",
        {"category": "count", "level": "3"},
        [RunCell("partly", 0.5, 0.42, "\U0001f600 I see two")],
    )


def rich_view() -> SampleView:
    """The view of `rich_row`: turns, boxes, a judge, options with probabilities, facts."""
    boxes = [
        BoxView((0.1, 0.15, 0.5, 0.7), "cat 0.91"),
        BoxView((0.12, 0.1, 0.55, 0.75), "cat", True),
    ]
    images = [
        ImageView(
            "rich",
            "image 1 of sample 'rich'",
            "images/cats.png",
            "images/cats.png",
            640,
            480,
            boxes,
        ),
        ImageView(
            "example",
            "image of example 'e1'",
            "images/e1.png",
            "file:///images/e1.png",
            64,
            64,
            is_example=True,
        ),
        ImageView("missing", "image 2 of sample 'rich'", "row 7 of table.parquet"),
    ]
    messages = [
        MessageView("system", ["Answer shortly."]),
        MessageView("user", [1, "How many dogs?"], "example"),
        MessageView("assistant", ["One."], "example"),
        MessageView("user", [0, "How many boxes hold a cat?", 2]),
        MessageView("assistant", ["\U0001f600 I see two boxes, I think."], "reply"),
        MessageView("user", ["And where?"]),
        MessageView("assistant", ["On the left."], "reply"),
    ]
    answers = [
        AnswerView(
            "\U0001f600 I see two boxes, I think.",
            (8, 11),
            "number word",
            "2",
            "2",
            [
                OptionView("A", "one", 0.18),
                OptionView("B", "two", 0.42, True, True),
                OptionView("C", "three", 0.3),
                OptionView("D", "", 0.1),
            ],
        ),
        AnswerView("On the left.", None, "", "", "left"),
    ]
    judge = JudgementView("gpt-4o", "same meaning", "ok", "0.5", "The number is right.\nScore: 0.5")
    return SampleView(
        "rich",
        "truncated",
        "partly",
        0.5,
        messages,
        "The examples were chosen by another model.",
        images,
        answers,
        [judge],
        {"category": "count", "level": 3, "source": {"page": 7}},
        0.42,
        effort="2 tokens, prompt 812 tokens, 1.23 s in 2 requests (1 sent again)",
    )


PLOT = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 200" role="img">
<title>Reliability: confidence against accuracy</title>
<line class="grid" x1="40" y1="20" x2="310" y2="20"/>
<line class="grid" x1="40" y1="90" x2="310" y2="90"/>
<line class="ink" x1="40" y1="160" x2="310" y2="160"/>
<path class="muted" d="M40 160 L310 20" fill="none" stroke="currentColor" stroke-dasharray="4 4"/>
<rect class="series-1" x="60" y="120" width="40" height="40"/>
<rect class="series-2" x="120" y="90" width="40" height="70"/>
<rect class="series-3" x="180" y="70" width="40" height="90"/>
<rect class="series-4" x="240" y="40" width="40" height="120"/>
<text class="muted" x="175" y="186" font-size="12" text-anchor="middle">confidence</text>
<text class="ink" x="4" y="14" font-size="12">accuracy</text></svg>"""


def sections(of: str = "a model") -> list[Table | Plot | Words]:
    """A section of each kind."""
    figures = [
        [
            f"accuracy of {of}",
            Cell("61.5", interval=(0.575, 0.615, 0.655)),
            "57.5 to 65.5",
            "500",
            Cell("312", {"verdict": "right"}, tone="good"),
            Cell("127", {"verdict": "wrong"}, tone="bad"),
        ],
        [
            "calibration error",
            Cell("8.1", interval=(0.05, 0.081, 0.12)),
            "5.0 to 12.0",
            "489",
            "",
            "",
        ],
    ]
    categories: list[list[str | Cell]] = [
        [
            Cell(name, {"category": name}),
            Cell(f"{50 + 9 * n}.0", interval=(0.4, 0.5 + n / 11, 0.9)),
            f"{9 + n * 41}",
            Cell("wrong", {"category": name, "verdict": "wrong"}),
        ]
        for n, name in enumerate(CATEGORIES)
    ]
    return [
        Table(
            "Figures",
            ["figure", "value", "95 % interval", "n", "right", "wrong"],
            figures,
            "Intervals are bootstrapped by image.",
        ),
        Table("By category", ["category", "accuracy", "n", "samples"], categories),
        Plot("Reliability", PLOT, "Of the answers with 20 % confidence, 15 % are right."),
        Words(
            "How to read this", ["A figure without its interval says little.", "So look at both."]
        ),
    ]


def random_page(samples: int, runs: int = 1, kind: PageKind = "run") -> PageContent:
    """A page of random samples, made of nothing but their number."""
    rows = [random_row(number, runs) for number in range(samples)]
    by_id = {row.id: row for row in rows}
    names = ["tiny"] if runs == 1 else [f"tiny-{'abcdef'[n]} (Shapes/ppl)" for n in range(runs)]
    return PageContent(
        kind,
        "Shapes/ppl · tiny",
        f"{samples} samples · chef 0.1.0 · seed 0",
        "2026-11-22 15:00",
        sections(),
        names,
        rows,
        lambda name: [random_view(by_id[name], run) for run in range(runs)],
        thumbnail,
    )


def rich_page(samples: int = 240) -> PageContent:
    """A page of one run: the sample with everything, hostile ones, and random ones."""
    hostile = [hostile_row(number) for number in range(len(HOSTILE))]
    rows = [rich_row(), *hostile, *(random_row(number, 1) for number in range(samples))]
    by_id = {row.id: row for row in rows}
    of_hostile = {row.id for row in hostile}

    def views(name: str) -> list[SampleView | None]:
        if name == "rich":
            return [rich_view()]
        row = by_id[name]
        return [hostile_view(row) if name in of_hostile else random_view(row, 0)]

    title = f"Shapes/ppl · tiny {HOSTILE[0]}"
    return PageContent(
        "run",
        title,
        HOSTILE[1],
        "2026-11-22 15:00",
        sections(HOSTILE[2]),
        ["tiny"],
        rows,
        views,
        thumbnail,
    )


def suite_page() -> PageContent:
    """A page without samples: links to others."""
    rows: list[list[str | Cell]] = [
        [
            Cell(f"model {n}", href=f"model{n}/report.html"),
            Cell(f"{60 + n}.2", interval=(0.5, 0.6 + n / 100, 0.7)),
        ]
        for n in range(4)
    ]
    rows.append([Cell("hostile", href="javascript:window.hacked=8"), "-"])
    table = Table("Models", ["model", "accuracy"], rows)
    drawn = Table("Reliability", ["confidence", "right"], [["20 %", "15 %"]])
    return PageContent("suite", "Shapes suite", sections=[table, drawn, *sections()[2:]])
