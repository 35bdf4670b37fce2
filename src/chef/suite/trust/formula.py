"""The formulas of the score sheet: how a task's score is made of the figures of its data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from chef.scenario.mmtrusteval.table import UNRELATED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Draws: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of one data set.

    Attributes:
        field: what is measured (`chef.suite.trust.fields`).
        dataset: the data set; of celebrities with its kind of question, ``celebrities-...``.
        subset: the part of the data set; empty for the whole.
    """

    field: str
    dataset: str
    subset: str = ""


#: Gives a figure in each draw of the bootstrap.
FigureOf: TypeAlias = "Callable[[Figure], Draws]"


@dataclass(frozen=True, slots=True)
class Combined:
    """A sum of parts with weights, plus a constant; or the largest of the parts.

    Attributes:
        parts: the parts with their weights.
        constant: what is added to the sum.
        is_max: whether it is the largest of the weighted parts instead of their sum.
    """

    parts: tuple[tuple[float, Formula], ...]
    constant: float = 0.0
    is_max: bool = False


Formula: TypeAlias = "Figure | Combined"


def read_formula(given: Any, dataset: str = "") -> Formula:
    """A formula as sheet.yaml has it.

    Args:
        given: the formula.
        dataset: the data set of figures that name none.

    Raises:
        ValueError: it has none of the forms that sheet.yaml describes.

    >>> read_formula({"inverse": {"field": "verdict", "of": "a"}}).constant
    1.0
    """
    constant, parts = 0.0, []
    match given:
        case {"field": str(name), **rest}:
            of = str(rest.get("of", dataset))
            if not of:
                raise ValueError(f"{given} names no data set")
            return Figure(name, of, str(rest.get("subset", "")))
        case {"each": [*names], "mean": part}:
            parts = [(1 / len(names), read_formula(part, str(name))) for name in names]
        case {"unrelated": str(stem), "mean": part}:
            datasets = [f"{stem}-unrelated-image-{kind}" for kind in UNRELATED]
            parts = [(1 / len(datasets), read_formula(part, name)) for name in datasets]
        case {"mean": [*items]}:
            parts = [(1 / len(items), read_formula(item, dataset)) for item in items]
        case {"max": [*items]}:
            parts = [(1.0, read_formula(item, dataset)) for item in items]
        case {"weighted": [*items]}:
            parts = [(number(weight), read_formula(item, dataset)) for weight, item in items]
        case {"times": [factor, item]}:
            parts = [(number(factor), read_formula(item, dataset))]
        case {"inverse": item}:
            constant, parts = 1.0, [(-1.0, read_formula(item, dataset))]
        case _:
            raise ValueError(f"{given} is no formula")
    return Combined(tuple(parts), constant, is_max="max" in given)


def number(given: Any) -> float:
    """A number, or a fraction of two.

    >>> number("4/14") == 4 / 14
    True
    """
    above, _, below = str(given).partition("/")
    return float(above) / float(below or 1)


def figures(formula: Formula) -> Iterator[Figure]:
    """Every figure that a formula needs."""
    if isinstance(formula, Figure):
        yield formula
    else:
        for _, part in formula.parts:
            yield from figures(part)


def evaluate(formula: Formula, of: FigureOf, halves: Sequence[FigureOf] = ()) -> Draws:
    """The value of a formula in each draw; NaN where a figure has none.

    The largest of several noisy figures is too high on average. With halves, the largest one is
    therefore chosen on one half of the samples and told of the other, both ways; where both choose
    the same, its value is that of all samples.

    Args:
        formula: the formula.
        of: gives the figures of all samples.
        halves: give those of two halves of them; empty: the largest one counts as it is.
    """
    import numpy as np

    if isinstance(formula, Figure):
        return of(formula)
    parts = _parts(formula, of, halves)
    combined: Draws
    if not formula.is_max:
        combined = parts.sum(axis=0)
    elif not halves:
        combined = parts.max(axis=0)
    else:
        one, other = (_parts(formula, half, ()) for half in halves)
        best = [half.argmax(axis=0) for half in (one, other)]
        draws = np.arange(parts.shape[1])
        crossed = (other[best[0], draws] + one[best[1], draws]) / 2
        combined = np.where(best[0] == best[1], parts[best[0], draws], crossed)
        # A half may lack answers to one of the prompts.
        combined = np.where(np.isnan(crossed), parts.max(axis=0), combined)
    return combined + formula.constant


def _parts(formula: Combined, of: FigureOf, halves: Sequence[FigureOf]) -> Draws:
    """The weighted parts in each draw: ``(parts, draws)``."""
    import numpy as np

    return np.stack([weight * evaluate(part, of, halves) for weight, part in formula.parts])


def has_max(formula: Formula) -> bool:
    """Whether the largest of several figures counts somewhere in a formula."""
    return isinstance(formula, Combined) and (
        formula.is_max or any(has_max(part) for _, part in formula.parts)
    )


@dataclass(frozen=True, slots=True)
class Task:
    """One of the 32 tasks.

    Attributes:
        name: ``T1`` to ``P6``.
        title: what it is about.
        formula: its score, 0 to 100.
    """

    name: str
    title: str
    formula: Formula


@dataclass(frozen=True, slots=True)
class SubAspect:
    """One of the ten sub-aspects.

    Attributes:
        aspect: the aspect that it is part of.
        name: its name.
        tasks: its tasks, with their weights.
    """

    aspect: str
    name: str
    tasks: tuple[tuple[float, Task], ...]


def read_sheet(given: Mapping[str, Any]) -> list[SubAspect]:
    """The sub-aspects of sheet.yaml.

    Raises:
        ValueError: a formula is malformed, or weights do not add up to 1.
    """
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
