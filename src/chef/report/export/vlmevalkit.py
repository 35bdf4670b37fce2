"""The table that VLMEvalKit writes for a model and a data set: its columns, and ``prediction``.

VLMEvalKit and the servers that take its files (those of MMBench's test split, say) read an option
as its letter. The columns are ``index, question, hint, A, B, ..., answer, category, l2-category,
split, g_index, prediction`` and those of MMMU; a column that no sample fills is left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from chef.common.circular import main_index
from chef.common.options import letters, unlettered, yes_or_no
from chef.scoring.answers.tables import FAILED, FURTHER
from chef.scoring.sample_line import chosen_option, exchange_of, option_texts, right_options
from chef.types import Prediction, Status

_GROUPS = ("category", "l2-category", "split", *FURTHER, "g_index")


def vlmevalkit_rows(predictions: Sequence[Prediction]) -> list[dict[str, Any]]:
    """One row for each prediction; rows with whole numbers for an index are sorted by it."""
    rows = [_row(item) for item in predictions]
    if all(_is_whole(row["index"]) for row in rows):
        rows = sorted(({**row, "index": int(row["index"])} for row in rows), key=_index)
    return rows


def columns_of(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The columns of these rows, in VLMEvalKit's order."""
    order = ["index", "question", "hint", *letters(26), "answer", *_GROUPS, "prediction"]
    always = {"index", "question", "prediction"}
    return [
        name
        for name in order
        if name in always or any(row.get(name) not in (None, "") for row in rows)
    ]


def _row(prediction: Prediction) -> dict[str, Any]:
    record = prediction.to_record()
    exchange = exchange_of(record)
    if isinstance(exchange.question, list):  # several turns, as lists
        asked = {"question": exchange.question, "answer": exchange.truth}
        texts = []
    else:
        texts = _lettered_texts(record)
        asked = _asked(record, texts, exchange.truth)
    group = record.get("circular_group")
    own = prediction.sample_id, main_index(prediction.sample_id)
    return {
        "index": prediction.sample_id,
        **asked,
        **{name: record.get(name) for name in _GROUPS},
        # An index that shows its question, as MMBench's do, needs no name of its group.
        "g_index": None if group in own else group,
        "prediction": _prediction(prediction, texts),
    }


def _asked(record: dict[str, Any], texts: Sequence[str], truth: Any) -> dict[str, Any]:
    """Question, hint, options and answer."""
    question = record.get("question") or ""
    if not texts:
        return {"question": question, "answer": _reference(truth)}
    labels = _labels(record, texts)
    hint, bare = unlettered(question, dict(zip(labels, texts, strict=True)))
    right = ", ".join(labels[index] for index in right_options(record))
    return {
        "question": bare,
        "hint": hint,
        **dict(zip(labels, texts, strict=True)),
        "answer": right or None,
    }


def _lettered_texts(record: dict[str, Any]) -> list[str]:
    """The options of a multiple-choice question; none of a yes/no question, or beyond Z."""
    texts = option_texts(record)
    is_verdict = all(map(yes_or_no, texts))
    return [] if is_verdict or len(texts) < 2 or len(texts) > 26 else texts


def _labels(record: Mapping[str, Any], texts: Sequence[str]) -> list[str]:
    """The letters of the question's own options, or A, B, ..."""
    usual = letters(26)
    given = [str(label) for label in record.get("labels") or ()]
    fits = len(given) == len(texts) and set(given) <= set(usual)
    return given if fits else usual[: len(texts)]


def _prediction(prediction: Prediction, texts: Sequence[str]) -> Any:
    """The letter of an option that was chosen by its score, else the answer as it is."""
    if prediction.status is Status.ERROR:
        return FAILED
    record = prediction.to_record()
    if texts and "choice" in record and (chosen := chosen_option(record, {})) is not None:
        return _labels(record, texts)[chosen]
    return prediction.answer


def _reference(truth: Any) -> Any:
    """The cell of a reference: a text; several accepted ones are a list."""
    if isinstance(truth, list) and len(truth) == 1 and isinstance(truth[0], str):
        (truth,) = truth
        return json.dumps([truth], ensure_ascii=False) if truth.startswith("[") else truth
    return truth


def _is_whole(index: str) -> bool:
    return index.isascii() and index.isdecimal() and str(int(index)) == index


def _index(row: Mapping[str, Any]) -> int:
    return int(row["index"])
