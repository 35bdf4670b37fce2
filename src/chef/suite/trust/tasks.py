"""The score sheet of MMTrustEval: its sub-aspects, their tasks, and the formula of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.frozen import Frozen
from chef.suite.formula import Formula, number, read_formula


class Task(Frozen):
    """One of the 32 tasks, ``T1`` to ``P6``, with the formula of its score, 0 to 100."""

    name: str
    title: str
    formula: Formula


class SubAspect(Frozen):
    """One of the ten sub-aspects, with the aspect that it is part of and its weighted tasks."""

    aspect: str
    name: str
    tasks: tuple[tuple[float, Task], ...]


def read_sheet(given: Mapping[str, Any]) -> list[SubAspect]:
    """The sub-aspects of sheet.yaml; ValueError if a formula is malformed or weights are not 1."""
    found = []
    for aspect, parts in given.items():
        if aspect == "version":
            continue
        for name, part in parts.items():
            weights = {task: number(weight) for task, weight in part["weights"].items()}
            if abs(sum(weights.values()) - 1) > 1e-9 or set(weights) != set(part["tasks"]):
                raise ValueError(f"the weights of {name} do not fit its tasks")
            tasks = (
                (weights[key], Task(key, task["title"], read_formula(task["score"])))
                for key, task in part["tasks"].items()
            )
            found.append(SubAspect(aspect, name, tuple(tasks)))
    return found
