"""A sample as a row of a data set of VLMEvalKit, which a model's own prompt is built from."""

from __future__ import annotations

from typing import Any

from chef.common.options import letters, unlettered, yes_or_no
from chef.models.hooks.vlmevalkit.image_files import image_path
from chef.types import Sample

_GROUPS = ("category", "l2-category", "split")


def line_of(sample: Sample) -> Any:
    """The row: a pandas Series, or a dict where pandas is not there; without the right answer."""
    row = columns_of(sample)
    try:
        import pandas as pd
    except ImportError:
        return row
    return pd.Series(row, dtype=object)


def columns_of(sample: Sample) -> dict[str, Any]:
    """The columns of the row by name.

    >>> columns_of(Sample("7", question="Which?", options=("cat", "dog")))
    {'index': 7, 'question': 'Which?', 'A': 'cat', 'B': 'dog'}
    """
    labels = _labelled(sample)
    hint, question = unlettered(sample.question, labels) if labels else ("", sample.question)
    hint = hint or str(sample.fields.get("hint") or "")
    paths = [image_path(image) for image in sample.images]
    is_number = sample.id.isascii() and sample.id.isdecimal()
    row: dict[str, Any] = {"index": int(sample.id) if is_number else sample.id}
    row["question"] = question
    if hint:
        row["hint"] = hint
    row |= labels
    if paths:
        row["image_path"] = paths[0] if len(paths) == 1 else paths
    return row | {name: sample.fields[name] for name in _GROUPS if sample.fields.get(name)}


def _labelled(sample: Sample) -> dict[str, str]:
    """The options of a multiple-choice question by letter; none of a yes/no question."""
    texts = [str(text) for text in sample.fields.get("choices") or sample.options]
    if not 2 <= len(texts) <= 26 or all(map(yes_or_no, texts)):
        return {}
    given = [str(label) for label in sample.fields.get("labels") or ()]
    usual = letters(26)
    fits = len(given) == len(texts) and set(given) <= set(usual)
    return dict(zip(given if fits else usual, texts, strict=False))
