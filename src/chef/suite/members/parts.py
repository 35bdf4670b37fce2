"""Figures, curves and lists of samples of a suite, as its file describes them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product
from string import ascii_uppercase
from typing import Any

import msgspec

from chef.config.document import Document
from chef.config.spec import check_value
from chef.errors import ConfigError, nearest
from chef.frozen import Frozen
from chef.suite.formula import Figure, Formula, figures, read_formula
from chef.suite.members.figures import AGAINST, CHOSEN, CUT

#: What a figure of a member may be.
FIELDS = ("accuracy", "score", *AGAINST, CHOSEN, CUT, "ece", "ece_debiased", "chance")
#: What ChEF calls the settings of its robustness runs: (image corrupted, text corrupted).
CORRUPTED = {"origin": (False, False), "ic": (True, False), "tc": (False, True),
             "ictc": (True, True)}  # fmt: skip


class _Figure(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A figure as the file has it; see `SuiteFigure`."""

    score: dict[str, Any]
    shown: dict[str, dict[str, Any]] = {}
    unit: str = ""
    by: str = ""
    each: dict[str, list[Any] | str] = {}


class _Curve(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A curve as the file has it; see `Curve`."""

    over: dict[str, list[Any] | str]
    score: dict[str, Any]
    each: dict[str, list[Any] | str] = {}
    unit: str = ""
    reference: dict[str, Any] = {}


class _List(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A list as the file has it; see `SampleList`."""

    right: list[str]
    others: str = ""


class ChefRoles(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Which members of a suite stand for what of ChEF, for one data set.

    Attributes:
        calibration: whose confidences are looked at.
        shots: with 0, 1, 2, ... in-context examples.
        verbalizers: ``origin``, and by ``TYPE_ID`` those with other words for the letters.
        corrupted: by ``origin``, ``ic`` (image), ``tc`` (text) and ``ictc`` (both).
        hallucination: the one of POPE.
        language: the one that a judge rates, 0 to 10.
    """

    calibration: str = ""
    shots: list[str] = []
    verbalizers: dict[str, str] = {}
    corrupted: dict[str, str] = {}
    hallucination: str = ""
    language: str = ""

    @property
    def members(self) -> list[str]:
        """All of them."""
        several = [*self.shots, *self.verbalizers.values(), *self.corrupted.values()]
        return [
            name for name in (self.calibration, *several, self.hallucination, self.language) if name
        ]


class SuiteFigure(Frozen):
    """A figure of a suite, with further formulas that are ``shown`` with it, by name.

    ``unit`` is empty where the formula tells; ``by`` is ``category`` where each one is shown, too.
    """

    name: str
    formula: Formula
    shown: Mapping[str, Formula]
    unit: str = ""
    by: str = ""


class Curve(Frozen):
    """A figure against a number (``over``), with a line for each of several things (``of``).

    ``lines`` has the formula at each number, by the name of the line, which is empty for the only
    one; ``unit`` is empty where the formula tells; the drawing holds lines against ``reference``.
    """

    name: str
    over: str
    of: str
    lines: Mapping[str, Mapping[float, Formula]]
    unit: str = ""
    reference: Formula | None = None


class SampleList(Frozen):
    """A list, by the end of its file's name, of samples that are ``right`` in all of some members.

    ``others`` names the list of the others that all of these have asked; empty for none.
    """

    name: str
    right: tuple[str, ...]
    others: str = ""


def section(document: Document, name: str) -> dict[str, Any]:
    """A section of the file that must have entries; ConfigError if it has none."""
    if not (section := _optional(document, name)):
        raise ConfigError(f"a suite needs '{name}'", where=str(document.path))
    return section


def _optional(document: Document, name: str) -> dict[str, Any]:
    given = document.values.get(name) or {}
    section: dict[str, Any] = check_value(given, dict[str, Any], document.where(name))
    return section


def combinations(
    each: Mapping[str, list[Any] | str],
    given: Mapping[str, Any],
    document: Document,
    at: tuple[str, ...],
) -> Iterator[dict[str, Any]]:
    """The file's values with each combination of those of ``each`` (a list, or a value's name)."""
    lists = []
    for name, item in each.items():
        values = given.get(item) if isinstance(item, str) else item
        if not isinstance(values, list):
            hint = f"write a list, or the name of one of 'values': {', '.join(given)}"
            raise ConfigError(
                f"'{item}' is no list", where=document.where(*at, "each", name), hint=hint
            )
        lists.append(values)
    for combination in product(*lists):
        yield {**given, **dict(zip(each, combination, strict=True))}


def filled(part: Any, values: Mapping[str, Any]) -> Any:
    """Plain data with the values at the places of their names in braces.

    >>> filled({"of": "shapes_{n}"}, {"n": 2})
    {'of': 'shapes_2'}
    """
    if isinstance(part, dict):
        return {filled(key, values): filled(item, values) for key, item in part.items()}
    if isinstance(part, list):
        return [filled(item, values) for item in part]
    if isinstance(part, str):
        for name, value in values.items():
            part = part.replace(f"{{{name}}}", str(value))
    return part


def figures_of(
    document: Document, members: Mapping[str, Any], given: Mapping[str, Any]
) -> Iterator[SuiteFigure]:
    """The figures, those with ``each`` once for each combination; ConfigError for a wrong one."""
    if document.values.get("curves") and not document.values.get("figures"):
        return
    for name, item in section(document, "figures").items():
        at = ("figures", name)
        figure = read_part(item, _Figure, document, at)
        if figure.by not in ("", "category"):
            hint = "write category, or leave it out"
            raise ConfigError(f"by is '{figure.by}'", where=document.where(*at, "by"), hint=hint)
        for values in combinations(figure.each, given, document, at):
            score = _formula(filled(figure.score, values), document, (*at, "score"), members)
            shown = {
                filled(title, values): _formula(
                    filled(one, values), document, (*at, "shown", title), members
                )
                for title, one in figure.shown.items()
            }
            yield SuiteFigure(filled(name, values), score, shown, figure.unit, figure.by)


def curves_of(
    document: Document, members: Mapping[str, Any], given: Mapping[str, Any]
) -> Iterator[Curve]:
    """The curves; see `figures_of`."""
    for name, item in _optional(document, "curves").items():
        at = ("curves", name)
        curve = read_part(item, _Curve, document, at)
        if len(curve.over) != 1:
            hint = "name one value: over: {severity: [1, 3, 5]}"
            raise ConfigError("a curve is over one number", where=document.where(*at), hint=hint)
        (over,) = curve.over
        lines: dict[str, dict[float, Formula]] = {}
        for own in combinations(curve.each, given, document, at):
            line = lines.setdefault(", ".join(str(own[key]) for key in curve.each), {})
            for values in combinations(curve.over, own, document, at):
                place = check_value(values[over], float, document.where(*at, "over"))
                score = filled(curve.score, values)
                line[place] = _formula(score, document, (*at, "score"), members)
        reference = filled(curve.reference, given)
        yield Curve(
            filled(name, given), over, ", ".join(curve.each), lines, curve.unit,
            _formula(reference, document, (*at, "reference"), members) if reference else None,
        )  # fmt: skip


def lists_of(document: Document, members: Mapping[str, Any]) -> Iterator[SampleList]:
    """The lists of samples; see `figures_of`."""
    for name, item in _optional(document, "lists").items():
        read = read_part(item, _List, document, ("lists", name))
        for member in read.right:
            _known("member", member, members, document.where("lists", name, "right"))
        yield SampleList(name, tuple(read.right), read.others)


def read_part(given: Any, kind: Any, document: Document, at: tuple[str, ...]) -> Any:
    """An entry of the file as a struct; ConfigError for an unknown key or a wrong type."""
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        key = next((key for key in given if key not in kind.__struct_fields__), None)
        if key is None:
            raise ConfigError(str(error), where=document.where(*at)) from None
        hint = nearest(str(key), kind.__struct_fields__)
        raise ConfigError("unknown key", where=document.where(*at, str(key)), hint=hint) from None


def _formula(
    given: Any, document: Document, at: tuple[str, ...], members: Mapping[str, Any]
) -> Formula:
    where = document.where(*at)
    try:
        formula = read_formula(given)
    except (ValueError, TypeError) as error:
        hint = "docs/background/many_runs.md lists the forms of formulas"
        raise ConfigError(str(error), where=where, hint=hint) from None
    for item in figures(formula):
        for name, known in ((item.field, FIELDS), *_named(item, members)):
            what = {id(FIELDS): "figure", id(members): "member"}.get(id(known), "option")
            _known(what, name, known, where)
    return formula


def _known(what: str, name: str, known: Collection[str], where: str) -> None:
    """ConfigError for a name that is none of those known."""
    if name not in known:
        hint = nearest(name, known)
        named = f"{what} '{name}'".strip()
        raise ConfigError(f"there is no {named}", where=where, hint=hint)


def _named(item: Figure, members: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield item.dataset, members
    if item.field in AGAINST:
        yield item.subset, members
    if item.field == CHOSEN:
        yield item.subset, ascii_uppercase


def roles_of(document: Document, members: Mapping[str, Any]) -> Iterator[tuple[str, ChefRoles]]:
    """Which members ChEF's result files are made of, by data set; see `figures_of`."""
    for dataset, item in _optional(document, "chef").items():
        at = ("chef", dataset)
        roles = read_part(item, ChefRoles, document, at)
        for key, known in (("verbalizers", None), ("corrupted", CORRUPTED)):
            settings = getattr(roles, key)
            if settings and "origin" not in settings:
                raise ConfigError("names no origin", where=document.where(*at, key))
            for name in settings if known else ():
                _known("", name, CORRUPTED, document.where(*at))
        for name in roles.members:
            _known("member", name, members, document.where(*at))
        yield dataset, roles
