"""The columns of data sets on the hub, and their conversion to records in ChEF's format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from chef.common.options import letters
from chef.errors import ConfigError

#: The columns of ScienceQA by which its questions are grouped.
SCIENCE_GROUPS = ("subject", "topic", "category", "grade")
#: The origin of a scenario's records: files in ChEF's layout, or a data set of the hub.
Origin: TypeAlias = Literal["files", "hub"]


@dataclass(frozen=True, slots=True)
class Schema:
    """The meaning of the columns of a data set.

    Attributes:
        example: the name of a data set with this schema.
        split: the split that is used.
        columns: the columns that are needed, including ``image``.
        record: converts the cells of a row and its number to a record; None leaves the row out.
        config: the configuration of the data set; None if it has only one.
        optional: further columns that are read where the data set has them.
    """

    example: str
    split: str
    columns: Sequence[str]
    record: Callable[[Mapping[str, Any], int], dict[str, Any] | None]
    config: str | None = None
    optional: Sequence[str] = ()


def scienceqa(cells: Mapping[str, Any], number: int) -> dict[str, Any] | None:
    r"""Convert a row of ScienceQA; rows without an image are left out, as in LAMM.

    >>> cells = {"question": "Which?", "hint": "", "choices": ["x", "y"], "answer": 1, "image": "i"}
    >>> scienceqa(cells, 3)["query"]
    'Which?\nContext: N/A\nOptions: (A) x (B) y'
    """
    if cells["image"] is None:
        return None
    choices = cells["choices"]
    options = zip(letters(len(choices)), choices, strict=True)
    listed = " ".join(f"({letter}) {text}" for letter, text in options)
    return {
        "id": str(number),
        "image": cells["image"],
        "query": f"{cells['question']}\nContext: {cells['hint'] or 'N/A'}\nOptions: {listed}",
        "gt_choice": cells["answer"],
        "gt_choices": choices,
        **{name: cells[name] for name in SCIENCE_GROUPS if cells.get(name)},
    }


def pope(category: str) -> Callable[[Mapping[str, Any], int], dict[str, Any] | None]:
    """A function that converts the rows of POPE in one category."""

    def record(cells: Mapping[str, Any], _number: int) -> dict[str, Any] | None:
        if cells["category"] != category:
            return None
        return {
            "question_id": cells["question_id"],
            "image": cells["image"],
            "text": cells["question"],
            "label": cells["answer"],
        }

    return record


def unchanged(cells: Mapping[str, Any], _number: int) -> dict[str, Any]:
    """Convert a row whose columns already have the names that the scenario expects."""
    return dict(cells)


_POPE = ("question_id", "question", "answer", "category", "image")
#: The schemas by scenario.
SCHEMAS: Mapping[str, Schema] = {
    "ScienceQA": Schema(
        "derek-thomas/ScienceQA", "test", ("question", "hint", "choices", "answer", "image"),
        scienceqa, optional=SCIENCE_GROUPS,
    ),
    **{
        f"POPE_COCO_{category}": Schema("lmms-lab/POPE", "test", _POPE, pope(category))
        for category in ("random", "popular", "adversarial")
    },
    "MME": Schema(
        "lmms-lab/MME", "test", ("question_id", "question", "answer", "category", "image"),
        unchanged,
    ),
    "SEEDBench": Schema(
        "lmms-lab/SEED-Bench", "test",
        ("question_id", "question", "answer", "data_type", "question_type_id", "choice_a",
         "choice_b", "choice_c", "choice_d", "image"),
        unchanged,
    ),
}  # fmt: skip


def schema_of(scenario: str) -> Schema:
    """The schema of a scenario's data set on the hub.

    Raises:
        ConfigError: the scenario has no schema.
    """
    if scenario not in SCHEMAS:
        raise ConfigError(
            f"no data set of the hub is known for {scenario}",
            where="scenario_cfg.source",
            hint=f"remove it; it is known for: {', '.join(SCHEMAS)}",
        )
    return SCHEMAS[scenario]
