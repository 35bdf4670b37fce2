"""A multiple-choice sample, its options listed by hand."""

from __future__ import annotations

from typing import Any

from chef.types import Sample

LABELS = ("A", "B", "C", "D")

TEXTS = ["ant", "bee", "cat", "dog"]


def sample(name: str = "7", texts=TEXTS, correct: int | None = 0, **given: Any) -> Sample:
    listed = "\n".join(f"({label}) {text}" for label, text in zip(LABELS, texts, strict=False))
    fields = {"choices": list(texts), "labels": list(LABELS[: len(texts)]), "gt_choice": correct}
    return Sample(
        **{
            "id": name,
            "question": f"Question: Which?\nOptions:\n{listed}",
            "options": tuple(f"({label}" for label in LABELS[: len(texts)]),
            "answer": None if correct is None else f"({LABELS[correct]})",
            **given,
            "fields": {**fields, **given.get("fields", {})},
        }
    )
