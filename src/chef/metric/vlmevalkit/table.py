"""VLMEvalKit's figures: its table of accuracies, and the ratings of yes/no benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from chef.metric.records import Record
from chef.metric.vlmevalkit.scores import RANDOM
from chef.metric.vqa.accuracy import parts_of, share, share_of, shares_of
from chef.metric.vqa.blocks import SCORES, by_image, complete, points_of, subtask_of
from chef.metric.vqa.texts_in_images import PARTS
from chef.metric.vqa.yesno import f1_score
from chef.stats.estimate import Estimate, undefined

#: The row of all splits in MMT-Bench's table.
_ALL = "ALL"
#: How the categories of MMBench are called in its tables.
_MMBENCH = {
    "coarse_perception": "CP",
    "finegrained_perception (instance-level)": "FP-S",
    "finegrained_perception (cross-instance)": "FP-C",
    "logic_reasoning": "LR",
    "relation_reasoning": "RR",
    "attribute_reasoning": "AR",
}


def overall(rows: Sequence[Record], key: str = "metric_result") -> dict[str, Any]:
    """``Overall`` of all rows (VLMEvalKit has none), and of each split where there are several."""
    splits = parts_of(rows, _splits)
    found: dict[str, Any] = {"Overall": share_of(list(rows), key, "0-1")}
    if len(splits) > 1:
        for split, part in splits.items():
            found[split] = {"Overall": share_of(part, key, "0-1")}
    return found


def random_options(rows: list[Record]) -> dict[str, Estimate]:
    """How many answers have a random option, where there are any (a count)."""
    count = sum(row.get("match") == RANDOM for row in rows)
    found = Estimate(count, len(rows), unit="count", higher_is_better=False)
    return {"random_options": found} if count else {}


def open_answers(rows: Sequence[Record], name: str = "Overall") -> dict[str, Any]:
    """The mean score in %: of all rows and of each split, where none has one, category."""
    column = "split" if any(row.get("split") for row in rows) else "category"
    parts = shares_of(rows, column)
    return {
        name: share_of(list(rows), "metric_result"),
        **{part: {name: it} for part, it in parts.items()},
    }


def accuracy_table(
    rows: Sequence[Record], key: str = "metric_result", dataset_name: str = ""
) -> list[dict[str, Any]]:
    """A row for each split, ``none`` if missing, with the mean of ``key`` in 0..1, None of no rows.
    Columns: ``split``, ``Overall``, each l2-category, each category (which replaces one of its
    name).

    Splits are sorted here; their order in VLMEvalKit depends on a hash seed. By ``dataset_name``:
    "MMBench" abbreviates categories, "MMT-Bench" has a last row ``ALL`` in which an l2-category is
    the mean of its categories whatever their sizes, and "MMSci" a column for each ``setting``.
    """
    columns = ("l2-category", "category", *(("setting",) if "MMSci" in dataset_name else ()))
    names = {
        column: sorted({str(row[column]) for row in rows if row.get(column)}) for column in columns
    }
    short = _MMBENCH if "MMBench" in dataset_name else {}
    found = []
    for split, part in parts_of(rows, _splits).items():
        found.append({"split": split, **_line(part, names, key, short)})
    if "MMT-Bench" in dataset_name and rows:
        found.append({"split": _ALL, **_line(rows, names, key, short), **_macro(rows, key)})
    return found


def _line(
    rows: Sequence[Record], names: Mapping[str, Sequence[str]], key: str, short: Mapping[str, str]
) -> dict[str, float | None]:
    """The mean of all rows, and of those with each name in each column."""
    line = {"Overall": _mean(rows, key)}
    for column, values in names.items():
        for name in values:
            part = [row for row in rows if str(row.get(column)) == name]
            line[short.get(name, name)] = _mean(part, key)
    return line


def _macro(rows: Sequence[Record], key: str) -> dict[str, float | None]:
    """Each l2-category as the mean of its categories; rows without one are a category, too."""
    parts: dict[str, dict[str, list[Record]]] = {}
    for row in rows:
        if row.get("l2-category"):
            categories = parts.setdefault(str(row["l2-category"]), {})
            categories.setdefault(str(row.get("category", "")), []).append(row)
    taken = {str(row["category"]) for row in rows if row.get("category")}  # they keep their columns
    return {
        name: fmean(fmean(row[key] for row in part) for part in categories.values())
        for name, categories in parts.items()
        if name not in taken
    }


def _splits(row: Record) -> list[str]:
    return [str(row.get("split") or "none")]


def _mean(rows: Sequence[Record], key: str) -> float | None:
    return fmean(row[key] for row in rows) if rows else None


def default_rating(rows: list[Record]) -> dict[str, Any]:
    """The share of right answers, in %: of all rows, of each category and of each l2-category."""
    parts = {**shares_of(rows, "category"), **shares_of(rows, "l2-category")}
    return {"Overall": share_of(rows, "metric_result"), **parts}


def by_category(
    figures: Callable[[list[Record]], dict[str, Any]], rows: list[Record]
) -> dict[str, Any]:
    """The figures of all rows, and those of each category and l2-category under its name."""
    parts = {**parts_of(rows, "category"), **parts_of(rows, "l2-category")}
    return {**figures(rows), **{name: figures(part) for name, part in parts.items()}}


def vsr_rating(rows: list[Record]) -> dict[str, Any]:
    """Precision, recall and accuracy in %; the F1 score is in 0..1."""
    scores = binary_scores(rows)
    f1 = scores.pop("f1_score").scaled(0.01, "0-1")
    return {"f1_score": f1, **scores, "acc": share_of(rows, "metric_result")}


def binary_scores(rows: list[Record]) -> dict[str, Estimate]:
    """``f1_score``, ``precision`` and ``recall`` of yes in ``parsed``, in %; unknown is no."""
    predicted = [row for row in rows if row["parsed"] == "yes"]
    true = [row for row in rows if row["truth"] == "yes"]
    return {
        "f1_score": _or_zero(f1_score(rows).scaled(100.0, "%")),
        "precision": _or_zero(share([row["truth"] == "yes" for row in predicted], predicted)),
        "recall": _or_zero(share([row["parsed"] == "yes" for row in true], true)),
    }


def _or_zero(estimate: Estimate) -> Estimate:
    return estimate if estimate.value is not None else replace(estimate, value=0.0)


def pope_rating(rows: list[Record]) -> dict[str, Any]:
    """The four figures of all rows, and of each category by its name."""
    pairs = exploded(rows)
    names = sorted({name for _, name in pairs if name is not None})
    found: dict[str, Any] = pope_scores([row for row, _ in pairs])
    return {
        **found,
        **{name: pope_scores([row for row, one in pairs if one == name]) for name in names},
    }


def exploded(rows: list[Record]) -> list[tuple[Record, str | None]]:
    """Each row once for each category between the commas of its field ``category``.

    >>> [name for _, name in exploded([{"category": "random,popular"}, {}])]
    ['random', 'popular', None]
    """
    return [
        (row, name)
        for row in rows
        for name in (str(row["category"]).split(",") if row.get("category") else [None])
    ]


def pope_scores(rows: list[Record]) -> dict[str, Any]:
    """The four figures of some rows."""
    scores = binary_scores(rows)
    f1 = scores.pop("f1_score")
    return {"Overall": f1, "acc": share_of(rows, "metric_result"), **scores}


def mme_rating(rows: list[Record]) -> dict[str, Any]:
    """The two sums, and the score of each subtask (``category``, or ``task_type``)."""
    subtasks = parts_of(rows, lambda row: [subtask_of(row)])
    parts = {name: mme_subtask(part) for name, part in subtasks.items()}
    scores = {name: part[2] for name, part in parts.items()}
    left_out = sum(part[3] for part in parts.values())
    return {
        "perception": _sum(SCORES["perception"], scores),
        "reasoning": _sum(SCORES["cognition"], scores),
        **scores,
        "incomplete_images": Estimate(left_out, len(rows), unit="count", higher_is_better=False),
    }


def mme_subtask(rows: list[Record]) -> tuple[Estimate, Estimate, Estimate, int]:
    """``acc``, ``acc_plus``, their sum, and the number of images that are left out."""
    images = by_image(rows)
    pairs = complete(images)
    paired = [row for pair in pairs for row in pair]
    acc = share_of(paired, "metric_result")
    right = [float(all(row["metric_result"] == 1 for row in pair)) for pair in pairs]
    plus = share(right, [pair[0] for pair in pairs])
    score = replace(points_of([paired]), n=len(pairs)) if pairs else undefined("points")
    return acc, plus, score, len(images) - len(pairs)


def _sum(names: tuple[str, ...], scores: dict[str, Estimate]) -> Estimate:
    values = [scores[name].value for name in names if name in scores]
    known = [value for value in values if value is not None]
    n = sum(scores[name].n for name in names if name in scores)
    return Estimate(sum(known) if len(known) == len(names) else None, n, unit="points")


def ocrbench_parts(rows: list[Record]) -> dict[str, Estimate]:
    """The right answers of each part, as counts; 0 where it has none."""
    parts = {}
    for name, categories in PARTS.items():
        part = [row["metric_result"] for row in rows if row.get("category") in categories]
        parts[name] = Estimate(sum(part), len(part), unit="count")
    return parts
