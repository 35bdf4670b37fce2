"""Formulas of suites: how a score is made of the figures of several runs or data sets."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from chef.errors import nearest, similar
from chef.frozen import Frozen
from chef.scenario.mmtrusteval.table import UNRELATED
from chef.stats.arrays import Array, np


class Figure(Frozen):
    """One figure of one member of a suite.

    Attributes:
        field: what is measured (`chef.suite.trust.fields`, `chef.suite.members.parts`).
        dataset: the member; of the trust sheet a data set, of celebrities with its kind of
            question, ``celebrities-...``.
        subset: the part of it; empty for the whole. Of ``same`` and ``changed``: the member
            that it is held against; of ``chosen``: the letter of the option.
    """

    field: str
    dataset: str
    subset: str = ""


#: Gives a figure in each draw of the bootstrap.
FigureOf: TypeAlias = "Callable[[Figure], Array]"


class Combined(Frozen):
    """A weighted sum of parts plus a constant, or the largest part, kept between two bounds."""

    parts: tuple[tuple[float, Formula], ...]
    constant: float = 0.0
    is_max: bool = False
    least: float | None = None
    most: float | None = None


class Ratio(Frozen):
    """A quotient, undefined over 0 or less, that says something only above chance.

    ``chance`` is the figure of chance that must be exceeded, ``clean`` the one that must exceed it.
    """

    top: Formula
    bottom: Formula
    clean: Figure | None = None
    chance: Figure | None = None


Formula: TypeAlias = "Figure | Combined | Ratio"
#: What a model gets right by guessing, as a field.
CHANCE = "chance"
#: The scores of a metric, as a field, which need not lie between 0 and 1.
SCORE = "score"
#: What a formula may begin with.
_FORMS = (
    "field", "each", "unrelated", "mean", "max", "weighted", "times", "inverse", "plus", "riam",
    "rrm", "rr", "gain", "leakage", "beyond",
)  # fmt: skip


def read_formula(given: Any, dataset: str = "") -> Formula:
    """A formula as the YAML of a suite has it.

    Besides the forms that ``trust/sheet.yaml`` describes: ``{plus: [NUMBER, FORMULA]}``, and the
    figures of ChEF, of accuracies ``a`` and of chance ``r``:

        ``{riam: {zero: M, shots: [M, ...]}}``: ``(mean of a with examples - a) / (a - r)``.
        ``{rrm: {clean: M, corrupted: M}}``: ``(a corrupted - r) / (a - r)``.
        ``{rr: {clean: M, corrupted: M}}``: ``a corrupted / a``.

    And those of what a model knows without looking, after Chen et al. 2024 ("Are We on the Right
    Way for Evaluating Large Vision-Language Models?", MMStar):

        ``{gain: {seen: M, blind: M}}``: multimodal gain, ``a seen - a blind``.
        ``{leakage: {blind: M}}``: multimodal leakage, ``max(0, a blind - r)``. Theirs subtracts
            the score of the language model that the model was made of; here chance stands in its
            place, so that what that model knew of the questions counts, too.
        ``{beyond: {blind: M}}``: ``(a blind - r) / (1 - r)``: the share of questions that are
            known without looking, where the others are guessed.

    Args:
        given: the formula.
        dataset: the data set of figures that name none.

    Raises:
        ValueError: it has none of these forms.

    >>> read_formula({"inverse": {"field": "verdict", "of": "a"}}).constant
    1.0
    """
    constant, parts = 0.0, []
    match given:
        case {"field": str(name), **rest}:
            return _figure(name, rest, dataset)
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
            return _times(number(factor), read_formula(item, dataset))
        case {"inverse": item}:
            constant, parts = 1.0, [(-1.0, read_formula(item, dataset))]
        case _:
            return _of_chef(given, dataset)
    return Combined(tuple(parts), constant, is_max="max" in given)


def _figure(name: str, rest: dict[Any, Any], dataset: str) -> Figure:
    """``{field: NAME, of: MEMBER, subset: MEMBER}``."""
    if others := [key for key in rest if key not in ("of", "subset")]:
        hint = nearest(str(others[0]), ("field", "of", "subset"))
        raise ValueError(f"'{others[0]}' is no key of a figure; {hint}")
    of = str(rest.get("of", dataset))
    if not of:
        raise ValueError(f"{{'field': '{name}'}} names no data set")
    return Figure(name, of, str(rest.get("subset", "")))


def _of_chef(given: Any, dataset: str) -> Formula:
    """The forms of ChEF's desiderata."""
    match given:
        case {"riam": {"zero": str(zero), "shots": [*shots]}}:
            mean = [(1 / len(shots), Figure("accuracy", str(name))) for name in shots]
            return _above_chance(zero, [*mean, (-1.0, Figure("accuracy", zero))])
        case {"rrm": {"clean": str(clean), "corrupted": str(corrupted)}}:
            top = [(1.0, Figure("accuracy", corrupted)), (-1.0, Figure(CHANCE, clean))]
            return _above_chance(clean, top)
        case {"rr": {"clean": str(clean), "corrupted": str(corrupted)}}:
            bottom = Figure("accuracy", clean)
            return Ratio(Figure("accuracy", corrupted), bottom, bottom)
        case {"plus": [constant, item]}:
            return Combined(((1.0, read_formula(item, dataset)),), number(constant))
    return _of_mmstar(given)


def _of_mmstar(given: Any) -> Formula:
    """The forms of MMStar."""
    match given:
        case {"gain": {"seen": str(seen), "blind": str(blind)}}:
            gain = _difference(Figure("accuracy", seen), Figure("accuracy", blind))
            return replace(gain, least=-1.0, most=1.0)
        case {"leakage": {"blind": str(blind)}}:
            over = _difference(Figure("accuracy", blind), Figure(CHANCE, blind))
            return replace(over, least=0.0, most=1.0)
        case {"beyond": {"blind": str(blind)}}:
            chance = Figure(CHANCE, blind)
            rest_of = Combined(((-1.0, chance),), 1.0)
            quotient = Ratio(_difference(Figure("accuracy", blind), chance), rest_of)
            return Combined(((1.0, quotient),), most=1.0)
    near = [similar(str(key), _FORMS) for key in given] if isinstance(given, dict) else []
    hint = f"; did you mean '{near[0]}'?" if near and near[0] else ""
    raise ValueError(f"{given} is no formula{hint}")


def _above_chance(clean: str, top: Sequence[tuple[float, Formula]]) -> Ratio:
    """A difference of accuracies as a share of what the clean run has above chance."""
    accuracy, chance = Figure("accuracy", clean), Figure(CHANCE, clean)
    bottom = Combined(((1.0, accuracy), (-1.0, chance)))
    return Ratio(Combined(tuple(top)), bottom, accuracy, chance)


def _times(factor: float, part: Formula) -> Combined:
    """A product; between which ends the part lies, the product does."""
    if not isinstance(part, Combined) or part.least is None or part.most is None:
        return Combined(((factor, part),))
    least, most = sorted((factor * part.least, factor * part.most))
    inner = replace(part, least=None, most=None)
    return Combined(((factor, inner),), least=least, most=most)


def _difference(one: Figure, other: Figure) -> Combined:
    return Combined(((1.0, one), (-1.0, other)))


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
    elif isinstance(formula, Ratio):
        yield from figures(formula.top)
        yield from figures(formula.bottom)
    else:
        for _, part in formula.parts:
            yield from figures(part)


def without(formula: Formula, missing: Collection[Figure]) -> Formula | None:
    """A formula of the figures that are there: in a sum the weights of the others are scaled up.

    None where nothing is left, or a quotient lacks something.

    >>> both = read_formula({"each": ["a", "b"], "mean": {"field": "f"}})
    >>> without(both, [Figure("f", "a")]).parts
    ((1.0, Figure(field='f', dataset='b', subset='')),)
    """
    if not isinstance(formula, Combined):
        return None if missing and {*figures(formula)} & {*missing} else formula
    rest = [(weight, without(part, missing)) for weight, part in formula.parts]
    kept = [(weight, part) for weight, part in rest if part is not None]
    whole, there = (sum(weight for weight, _ in parts) for parts in (formula.parts, kept))
    if not kept or len(kept) == len(rest) or formula.is_max:
        return replace(formula, parts=tuple(kept)) if kept else None
    return replace(formula, parts=tuple((weight * whole / there, part) for weight, part in kept))


def evaluate(formula: Formula, of: FigureOf, halves: Sequence[FigureOf] = ()) -> Array:
    """The value of a formula in each draw; NaN where a figure has none.

    The largest of several noisy figures is too high on average. With halves, the largest one is
    therefore chosen on one half of the samples and told of the other, both ways; where both choose
    the same, its value is that of all samples.

    Args:
        formula: the formula.
        of: gives the figures of all samples.
        halves: give those of two halves of them; empty: the largest one counts as it is.
    """
    if isinstance(formula, Figure):
        return of(formula)
    if isinstance(formula, Ratio):
        top, bottom = (evaluate(part, of, halves) for part in (formula.top, formula.bottom))
        divided: Array = np.where(bottom > 0, top, np.nan) / np.where(bottom > 0, bottom, 1.0)
        return divided
    parts = _parts(formula, of, halves)
    combined: Array
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
    whole: Array = combined + formula.constant
    if formula.least is None and formula.most is None:
        return whole
    clipped: Array = np.clip(whole, formula.least, formula.most)
    return clipped


def _parts(formula: Combined, of: FigureOf, halves: Sequence[FigureOf]) -> Array:
    """The weighted parts in each draw: ``(parts, draws)``."""
    return np.stack([weight * evaluate(part, of, halves) for weight, part in formula.parts])


def bounds(formula: Formula) -> tuple[float, float]:
    """Between which values a formula lies, of figures from 0 to 1; infinite where none is known.

    >>> bounds(read_formula({"times": [100, {"field": "same", "of": "a", "subset": "b"}]}))
    (0.0, 100.0)
    """
    if isinstance(formula, Figure):
        return (-math.inf, math.inf) if formula.field == SCORE else (0.0, 1.0)
    if isinstance(formula, Ratio):
        return -math.inf, math.inf
    ends = [sorted(weight * end for end in bounds(part)) for weight, part in formula.parts]
    whole = max if formula.is_max else sum
    least, most = (whole(each) + formula.constant for each in zip(*ends, strict=True))
    return (
        least if formula.least is None else max(least, formula.least),
        most if formula.most is None else min(most, formula.most),
    )


def ratios(formula: Formula) -> Iterator[Ratio]:
    """Every quotient within a formula."""
    if isinstance(formula, Ratio):
        yield formula
        yield from ratios(formula.top)
        yield from ratios(formula.bottom)
    elif isinstance(formula, Combined):
        for _, part in formula.parts:
            yield from ratios(part)


def has_max(formula: Formula) -> bool:
    """Whether the largest of several figures counts somewhere in a formula."""
    return isinstance(formula, Combined) and (
        formula.is_max or any(has_max(part) for _, part in formula.parts)
    )
