"""Rows of drawn benchmarks in VLMEvalKit's columns, and their files."""

from __future__ import annotations

import base64
import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from fixtures._draw import scene, yes_and_no

from chef.types import Sample


def write_rows(path: Path, rows: Sequence[Mapping[str, str]]) -> Path:
    """Write a file as VLMEvalKit does: all cells quoted, separated by tabs."""
    names = list(dict.fromkeys(key for row in rows for key in row))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(names)
        writer.writerows([row.get(key, "") for key in names] for row in rows)
    return path


def encoded(sample: Sample) -> str:
    """The image of a drawn scene in base64."""
    content = io.BytesIO()
    sample.images[0].load().save(content, "PNG")
    return base64.b64encode(content.getvalue()).decode()


def choice_row(number: int, **changes: str) -> dict[str, str]:
    """A row of multiple choice about a drawn scene."""
    drawn = scene(number)
    question = drawn.question.removeprefix("Question: ").partition("\n")[0]
    return {
        "index": str(number),
        "image": encoded(drawn),
        "question": question,
        **dict(zip("ABCD", drawn.fields["choices"], strict=True)),
        "answer": "ABCD"[drawn.fields["gt_choice"]],
        "category": f"c{number % 2}",
        "l2-category": "shapes",
        "split": "dev",
        **changes,
    }


def rotations(number: int) -> list[dict[str, str]]:
    """The four rotations of a question; only the first has the image."""
    first = choice_row(number)
    texts, right = [first[label] for label in "ABCD"], "ABCD".index(first["answer"])
    return [
        {
            **first,
            "index": str(number + 1_000_000 * turn),
            "image": first["image"] if not turn else str(number),
            **dict(zip("ABCD", texts[turn:] + texts[:turn], strict=True)),
            "answer": "ABCD"[(right - turn) % 4],
        }
        for turn in range(4)
    ]


def yes_no_rows(number: int) -> list[dict[str, str]]:
    """Two questions about a scene, one of them with a reference to the image of the other."""
    drawn, pairs = yes_and_no(number)
    return [
        {
            "index": str(2 * number + place),
            "image": str(2 * number) if place else encoded(drawn),
            "image_path": f"{number}.png",
            "question": question,
            "answer": answer,
            "category": "color",
        }
        for place, (question, answer) in enumerate(pairs)
    ]


def open_row(number: int, **changes: str) -> dict[str, str]:
    """An open question about a scene, with a list of references."""
    drawn = scene(number)
    right = drawn.fields["choices"][drawn.fields["gt_choice"]]
    question = drawn.question.removeprefix("Question: ").partition("\n")[0]
    answers = json.dumps([right, f"a {right}"])
    row = {"index": str(number), "image": encoded(drawn), "question": question, "answer": answers}
    return {**row, **changes}


def two_images(number: int) -> str:
    """A list of the images of two scenes."""
    return json.dumps([encoded(scene(2 * number)), encoded(scene(2 * number + 1))])
