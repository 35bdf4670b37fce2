"""The results of a run in the form of MMTrustEval's log: totals, and a line for each sample."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from chef.common.jsonable import to_jsonable
from chef.common.mmtrusteval import EXTRA, ImageTxtSample, TxtSample, content_of
from chef.metric.mmtrusteval.chain import PREDICTIONS, prefixes_of
from chef.metric.mmtrusteval.evaluators import ANSWERS, OUTPUTS, as_answer
from chef.stats.estimate import Estimate
from chef.types import Compat, Prediction

#: The columns that are left out by MMTrustEval's own rules where every value is falsy.
_COLUMNS = ("content", "pred", "label", "extra")
#: How the predictions end of the evaluator that gives NaN by MMTrustEval's own rules.
_GIVES_NAN = f"rule_match_and_score_eval:{PREDICTIONS}"


def log_form(
    metrics: Mapping[str, Estimate],
    predictions: Sequence[Prediction],
    entries: Sequence[Mapping[str, Any]],
    *,
    sequences: Sequence[Mapping[str, Any]],
    run: Mapping[str, Any],
    compat: Compat = "corrected",
) -> dict[str, Any]:
    """The content of the JSON file: ``total_results``, ``per_sample_results``, and ``run``.

    Samples that failed are in ``not_scored`` of ``run``, with the reasons. With ``upstream``,
    columns whose values are all falsy are left out, and what is undefined is NaN, not None.
    """
    found = {str(entry["id"]): entry for entry in entries}
    names = [*_names(sequences), *_metrics(found.values())]
    rows: list[dict[str, Any]] = []
    left_out: list[dict[str, Any]] = []
    for item in predictions:
        entry = found.get(item.sample_id, {})
        if OUTPUTS not in entry:
            left_out.append({"id": item.sample_id, "reason": _reason(entry)})
            continue
        outputs = entry[OUTPUTS]
        columns = _columns(as_answer(item, compat))
        rows.append({**{name: outputs.get(name) for name in names}, **columns})
    totals = {name: item.value for name, item in metrics.items() if name != ANSWERS}
    upstream = compat == "upstream"
    if upstream:
        totals = {name: math.nan if item is None else item for name, item in totals.items()}
        for name in names:
            if name.endswith(_GIVES_NAN) or not name.endswith(
                f":{PREDICTIONS}"
            ):  # in a run folder NaN is null
                rows = [{**row, name: math.nan if row[name] is None else row[name]} for row in rows]
        for column in _COLUMNS:
            if not any(row[column] for row in rows):
                rows = [{key: row[key] for key in row if key != column} for row in rows]
    content = {
        "total_results": totals,
        "per_sample_results": rows,
        "run": {**run, "not_scored": left_out},
    }
    return {key: to_jsonable(part, nan=upstream) for key, part in content.items()}


def _names(sequences: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names of the predictions that are told of each sample, in order."""
    found: list[str] = []
    for sequence in sequences:
        *before, last = prefixes_of(sequence) or [""]
        keys = list(sequence.values())[-1] if sequence else {}
        found += before
        if PREDICTIONS in ((keys or {}).get("metrics_cfg") or {}):
            found.append(last)
    return [f"{prefix}:{PREDICTIONS}" for prefix in dict.fromkeys(found)]


def _metrics(entries: Iterable[Mapping[str, Any]]) -> list[str]:
    """The names of the metrics that have a value for each sample."""
    names = dict.fromkeys(name for entry in entries for name in entry.get(OUTPUTS, ()))
    return [name for name in names if not name.endswith(f":{PREDICTIONS}")]


def _columns(item: Prediction) -> dict[str, Any]:
    text = str(item.sample.get("question", ""))
    path = next((_path(image) for image in item.images), None)
    asked = TxtSample(text) if path is None else ImageTxtSample(str(path), text)
    return {
        "content": content_of(asked),
        "pred": item.answer,
        "label": item.sample.get("gt_answers"),
        "extra": item.sample.get(EXTRA),
    }


def _path(image: Mapping[str, Any]) -> str:
    """The file of an image; of one that a method has changed, that of the image before."""
    return str(image.get("path") or (image.get("of") or {}).get("path") or "")


def _reason(entry: Mapping[str, Any]) -> str:
    if "unjudged" in entry:
        return str(entry["unjudged"])
    error = entry.get("error") or {}
    return str(error.get("message") or "it was not scored")
