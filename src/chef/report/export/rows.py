"""The samples of a run as rows: what was asked, answered, true and scored; also VLMEvalKit's.

VLMEvalKit and the servers that take its files (those of MMBench's test split, say) read an option
as its letter. Its columns are ``index, question, hint, A, B, ..., answer, category, l2-category,
split, g_index, prediction`` and those of MMMU; a column that no sample fills is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from chef.common.circular import main_index
from chef.common.options import by_letter, letters, unlettered
from chef.errors import DataError
from chef.scoring.answers import FAILED, FURTHER
from chef.scoring.record import RunRecord
from chef.scoring.result import RESULTS, score_file_of
from chef.scoring.sample_line import (
    chosen_option,
    exchange_of,
    option_texts,
    right_options,
    sample_line,
    score_lines,
)
from chef.types import Prediction, Status

Row: TypeAlias = dict[str, Any]

#: The columns that every row has, in order; the categories come before `LAST`.
FIRST = (
    "model", "scenario", "recipe", "run", "id", "question", "options", "answer", "parsed",
    "chosen_option", "truth", "true_option", "score", "status",
)  # fmt: skip
#: What judges say, where a run has judges; see `_judged`.
JUDGED = ("judged_by", "judge_reading", "judge_reply", "unjudged")
#: What the answers took, where that is known; see `effort_of`.
EFFORT = ("tokens", "prompt_tokens", "seconds", "requests", "retries")
LAST = ("image", "image_digest", "error")
#: The fields of samples that put them into groups; a column each, where a run has it.
CATEGORIES = (
    "category", "l2-category", "split", "subject", "subfield", "task_type", "question_type",
    "question_type_id",
)  # fmt: skip


def rows_of(record: RunRecord, predictions: Sequence[Prediction]) -> list[Row]:
    """One row for each prediction, in their order; all have the same keys.

    What a metric found comes from scores.jsonl (DataError if damaged), and is None for answers that
    are newer. Each further metric has a column ``score_<metric>``; `EFFORT` and `JUDGED` are there
    where they are known.
    """
    entries = entries_of(record.path / RESULTS, predictions)
    further = {
        f"score_{name}": entries_of(file, predictions) for name, file in _further(record).items()
    }
    given = [name for name in CATEGORIES if any(item.sample.get(name) for item in predictions)]
    taken = {name for item in predictions for name in effort_of(item)}
    given += [name for name in EFFORT if name in taken]
    if any("judgements" in entry or "unjudged" in entry for entry in entries.values()):
        given += JUDGED
    run = {
        "model": record.model_name,
        "scenario": record.scenario_name,
        "recipe": record.recipe_name,
        "run": record.path.resolve().name,
    }
    return [
        _row(
            run,
            item,
            entries.get(item.sample_id, {}),
            {key: found.get(item.sample_id, {}).get("score") for key, found in further.items()},
            given,
        )
        for item in predictions
    ]


def _further(record: RunRecord) -> dict[str, Path]:
    """The results files of the recipe's other metrics, by what their names end with."""
    names = () if record.result is None else record.result.further_results
    return {
        name.removesuffix(".json").removeprefix("results_"): record.path / name for name in names
    }


def _row(
    run: Mapping[str, str],
    prediction: Prediction,
    entry: Mapping[str, Any],
    further: Mapping[str, Any],
    given: Iterable[str],
) -> Row:
    line = sample_line(prediction, entry)
    record = prediction.to_record()
    named = {
        **run,
        **line,
        "options": option_texts(record) or None,
        **{name: record.get(name) for name in given},
        **effort_of(prediction),
        **_judged(entry),
        "image": _one_or_all([place_of(image) for image in prediction.images])
        or record.get("image_path"),
        "image_digest": _one_or_all([image.get("digest") for image in prediction.images]),
        "error": (line.get("error") or prediction.error or {}).get("message"),
    }
    return {
        **{name: named.get(name) for name in FIRST},
        **further,
        **{name: named.get(name) for name in (*given, *LAST)},
    }


def effort_of(prediction: Prediction) -> dict[str, float]:
    """What an answer took: by columns of `EFFORT`, only those that are known.

    ``tokens`` were generated; HTTP requests, retries and their time are known behind a server.
    """
    effort = prediction.effort
    tokens = prediction.trace.get("tokens") or effort.get("completion_tokens")
    known = {"tokens": tokens, "prompt_tokens": effort.get("prompt_tokens")}
    of_server = {name: effort[name] for name in EFFORT[2:] if name in effort}
    return {name: value for name, value in known.items() if value} | of_server


def entries_of(results: Path, predictions: Iterable[Prediction]) -> dict[str, Mapping[str, Any]]:
    """The scores in a results file by id, without those of answers changed since."""
    file = score_file_of(results)
    try:
        found = {line["id"]: line for line in score_lines(file)}
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(
            f"the scores are damaged ({type(error).__name__}: {error})",
            where=str(file),
            hint="score the run again with chef score FOLDER",
        ) from error
    now = {item.sample_id: exchange_of(item.to_record()).answer for item in predictions}
    return {
        name: line
        for name, line in found.items()
        if name in now and line.get("answer", now[name]) == now[name]
    }


def _judged(entry: Mapping[str, Any]) -> Row:
    """The judges, what was read of their replies, the replies, and why an answer has no verdict."""
    judgements = entry.get("judgements") or []
    columns = {"judged_by": "judge", "judge_reading": "reading", "judge_reply": "reply"}
    found = {
        name: _one_or_all([item.get(key) for item in judgements]) for name, key in columns.items()
    }
    return {**found, "unjudged": entry.get("unjudged")}


def place_of(image: Mapping[str, Any]) -> str:
    """Where an image comes from, as one text: ``mine.tsv, row 3``.

    >>> place_of({"path": "mine.tsv", "row": 3, "digest": "0f"})
    'mine.tsv, row 3'
    """
    named = next((str(image[key]) for key in ("path", "url", "name") if key in image), "")
    inside = [f"{key} {image[key]}" for key in ("row", "column", "image") if key in image]
    return ", ".join([named, *inside])


def _one_or_all(items: Sequence[Any]) -> Any:
    """The only item, a list of several, None of none."""
    if len(items) > 1:
        return list(items)
    return items[0] if items else None


_GROUPS = ("category", "l2-category", "split", *FURTHER, "g_index")


def vlmevalkit_rows(predictions: Sequence[Prediction]) -> list[dict[str, Any]]:
    """One row for each prediction; rows with whole numbers for an index are sorted by it."""
    rows = [_vlmevalkit_row(item) for item in predictions]
    if all(_is_whole(row["index"]) for row in rows):
        rows = sorted(
            ({**row, "index": int(row["index"])} for row in rows), key=lambda row: int(row["index"])
        )
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


def _vlmevalkit_row(prediction: Prediction) -> dict[str, Any]:
    record = prediction.to_record()
    exchange = exchange_of(record)
    if isinstance(exchange.question, list):  # several turns, as lists
        asked = {"question": exchange.question, "answer": exchange.truth}
        options: Mapping[str, str] = {}
    else:
        options = by_letter(option_texts(record), record.get("labels"))
        asked = _asked(record, options, exchange.truth)
    group = record.get("circular_group")
    own = prediction.sample_id, main_index(prediction.sample_id)
    return {
        "index": prediction.sample_id,
        **asked,
        **{name: record.get(name) for name in _GROUPS},
        # An index that shows its question, as MMBench's do, needs no name of its group.
        "g_index": None if group in own else group,
        "prediction": _prediction(prediction, [*options]),
    }


def _asked(record: dict[str, Any], options: Mapping[str, str], truth: Any) -> dict[str, Any]:
    """Question, hint, options and answer."""
    question = record.get("question") or ""
    if not options:
        return {"question": question, "answer": _reference(truth)}
    labels = [*options]
    hint, bare = unlettered(question, options)
    right = ", ".join(labels[index] for index in right_options(record))
    return {
        "question": bare,
        "hint": hint,
        **options,
        "answer": right or None,
    }


def _prediction(prediction: Prediction, labels: Sequence[str]) -> Any:
    """The letter of an option that was chosen by its score, else the answer as it is."""
    if prediction.status is Status.ERROR:
        return FAILED
    record = prediction.to_record()
    if labels and "choice" in record and (chosen := chosen_option(record, {})) is not None:
        return labels[chosen]
    return prediction.answer


def _reference(truth: Any) -> Any:
    """The cell of a reference: a text; several accepted ones are a list."""
    if isinstance(truth, list) and len(truth) == 1 and isinstance(truth[0], str):
        (truth,) = truth
        return json.dumps([truth], ensure_ascii=False) if truth.startswith("[") else truth
    return truth


def _is_whole(index: str) -> bool:
    return index.isascii() and index.isdecimal() and str(int(index)) == index
