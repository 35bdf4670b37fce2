"""The YAML file of a suite, checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import msgspec

from chef.common.checks import whole_number
from chef.config.document import Document, read_document
from chef.config.lookup import find_what
from chef.config.signature import check_value
from chef.errors import ConfigError, nearest
from chef.suite.formula import Figure, Formula, figures, read_formula

_KEYS = ("title", "limit", "members", "figures")
#: What a figure of a member may be.
FIELDS = ("accuracy", "score", "same", "ece", "ece_debiased", "chance")


class _Member(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A member as the file has it; see `Member`."""

    recipe: str
    keys: list[str] = []
    each: dict[str, list[Any]] = {}
    judged: bool = False


class _Figure(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A figure as the file has it; see `SuiteFigure`."""

    score: dict[str, Any]
    shown: dict[str, dict[str, Any]] = {}
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """One run of a suite.

    Attributes:
        name: what formulas call it.
        recipe: the name or the file of its recipe.
        keys: ``key=value`` of the recipe.
        is_judged: whether it is scored by a judge, without which it is left out.
    """

    name: str
    recipe: str
    keys: tuple[str, ...] = ()
    is_judged: bool = False


@dataclass(frozen=True, slots=True)
class SuiteFigure:
    """A figure of a suite.

    Attributes:
        name: what it is called.
        formula: how it is made of the members' figures.
        shown: further formulas that are shown with it, by name.
        unit: what it is shown in; empty where the formula tells.
    """

    name: str
    formula: Formula
    shown: Mapping[str, Formula]
    unit: str = ""


@dataclass(frozen=True, slots=True)
class SuiteFile:
    """A suite as its file describes it.

    Attributes:
        document: the file.
        title: what it is.
        members: its runs, by name.
        figures: what is made of them.
        limit: the number of samples of each run; None for all.
    """

    document: Document
    title: str
    members: Mapping[str, Member]
    figures: tuple[SuiteFigure, ...]
    limit: int | None = None

    @property
    def name(self) -> str:
        """The name of the file, with which run folders of the suite end."""
        return self.document.path.stem


def read_suite(source: str | Path | Mapping[str, Any]) -> SuiteFile:
    """Read and check the file of a suite.

    Args:
        source: the file, the name of one of chef's (``desiderata``), or its content.

    Raises:
        ConfigError: what is wrong, with file, line, key and the nearest valid name.
    """
    content = source if isinstance(source, Mapping) else find_what(source, ("suites",)).source
    document = read_document(content, name="suite" if isinstance(source, Mapping) else None)
    values = document.values
    for key in values:
        if key not in _KEYS:
            raise ConfigError("unknown key", where=document.where(key), hint=nearest(key, _KEYS))
    members: dict[str, Member] = {}
    for member in _members(document):
        if member.name in members:
            where = document.where("members")
            raise ConfigError(f"two members are called {member.name}", where=where)
        members[member.name] = member
    limit = values.get("limit")
    return SuiteFile(
        document,
        check_value(values.get("title") or document.path.stem, str, document.where("title")),
        members,
        tuple(_figures(document, members)),
        None if limit is None else whole_number(limit, document.where("limit"), 1),
    )


def _section(document: Document, name: str) -> dict[str, Any]:
    given = document.values.get(name)
    section: dict[str, Any] = check_value(given or {}, dict[str, Any], document.where(name))
    if not section:
        raise ConfigError(f"a suite needs '{name}'", where=str(document.path))
    return section


def _members(document: Document) -> Iterator[Member]:
    """Every member; one with ``each`` stands for a run of each combination of its values."""
    for name, given in _section(document, "members").items():
        member = _read(given, _Member, document, ("members", name))
        for values in product(*member.each.values()):
            filled = dict(zip(member.each, values, strict=True))
            yield Member(
                _filled(name, filled),
                _filled(member.recipe, filled),
                tuple(_filled(key, filled) for key in member.keys),
                member.judged,
            )


def _filled(text: str, values: Mapping[str, Any]) -> str:
    """A text with the values at the places of their names in braces.

    >>> _filled("shapes_{n}", {"n": 2})
    'shapes_2'
    """
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text


def _figures(document: Document, members: Mapping[str, Member]) -> Iterator[SuiteFigure]:
    for name, given in _section(document, "figures").items():
        at = ("figures", name)
        figure = _read(given, _Figure, document, at)
        score = _formula(figure.score, document, (*at, "score"), members)
        shown = {
            title: _formula(item, document, (*at, "shown", title), members)
            for title, item in figure.shown.items()
        }
        yield SuiteFigure(name, score, shown, figure.unit)


def _read(given: Any, kind: Any, document: Document, at: tuple[str, ...]) -> Any:
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise ConfigError(str(error), where=document.where(*at)) from None


def _formula(
    given: Any, document: Document, at: tuple[str, ...], members: Mapping[str, Member]
) -> Formula:
    where = document.where(*at)
    try:
        formula = read_formula(given)
    except (ValueError, TypeError) as error:
        hint = "docs/suites.md lists the forms of formulas"
        raise ConfigError(str(error), where=where, hint=hint) from None
    for item in figures(formula):
        for name, known in ((item.field, FIELDS), *_named(item, members)):
            if name not in known:
                what = "figure" if known is FIELDS else "member"
                hint = nearest(name, known)
                raise ConfigError(f"there is no {what} '{name}'", where=where, hint=hint)
    return formula


def _named(item: Figure, members: Mapping[str, Member]) -> Iterator[tuple[str, Any]]:
    yield item.dataset, members
    if item.field == "same":
        yield item.subset, members
