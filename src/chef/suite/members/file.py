"""The YAML file of a suite, checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import msgspec

from chef.common.checks import whole_number
from chef.common.digest import digest
from chef.common.yaml_text import load
from chef.config.document import Document, read_document
from chef.config.lookup import find_what, form_of
from chef.config.signature import check_value
from chef.errors import ConfigError, nearest
from chef.suite.formula import Figure, Formula, figures, read_formula
from chef.suite.members.figures import AGAINST, CHOSEN

_KEYS = ("title", "limit", "values", "members", "figures", "lists")
#: What a figure of a member may be.
FIELDS = ("accuracy", "score", *AGAINST, CHOSEN, "ece", "ece_debiased", "chance")


class _Member(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A member as the file has it; see `Member`."""

    recipe: str
    keys: list[str] = []
    each: dict[str, list[Any] | str] = {}
    judged: bool = False


class _Figure(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A figure as the file has it; see `SuiteFigure`."""

    score: dict[str, Any]
    shown: dict[str, dict[str, Any]] = {}
    unit: str = ""
    by: str = ""
    each: dict[str, list[Any] | str] = {}


class _List(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A list as the file has it; see `SampleList`."""

    right: list[str]
    others: str = ""


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
        by: ``category`` where it is also shown of each category; else empty.
    """

    name: str
    formula: Formula
    shown: Mapping[str, Formula]
    unit: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class SampleList:
    """A list of samples that is written beside the figures.

    Attributes:
        name: of the file, which ends with it.
        right: it has the samples that are right in all of these members.
        others: the name of the list of the others that all of these have asked; empty for none.
    """

    name: str
    right: tuple[str, ...]
    others: str = ""


@dataclass(frozen=True, slots=True)
class SuiteFile:
    """A suite as its file describes it.

    Attributes:
        document: the file.
        title: what it is.
        members: its runs, by name.
        figures: what is made of them.
        limit: the number of samples of each run; None for all.
        lists: the lists of samples that are written.
        changed: the values of its file that were replaced, by their names.
        overrides: the other ``key=value``, which are for all members.
    """

    document: Document
    title: str
    members: Mapping[str, Member]
    figures: tuple[SuiteFigure, ...]
    limit: int | None = None
    lists: tuple[SampleList, ...] = ()
    changed: Mapping[str, Any] = field(default_factory=dict)
    overrides: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the file and the values replaced, with which run folders of it end."""
        parts = (
            value if isinstance(value, str) else digest(value)[:8]
            for value in self.changed.values()
        )
        return re.sub(r"[^\w.-]+", "-", "-".join([self.document.path.stem, *parts]))


def read_suite(source: str | Path | Mapping[str, Any], overrides: Sequence[str] = ()) -> SuiteFile:
    """Read and check the file of a suite.

    Args:
        source: the file, the name of one of chef's (``desiderata``), or its content.
        overrides: ``NAME=VALUE`` of its ``values``, and ``key=value`` of its members.

    Raises:
        ConfigError: what is wrong, with file, line, key and the nearest valid name.
    """
    content = source if isinstance(source, Mapping) else find_what(source, ("suites",)).source
    document = read_document(content, name="suite" if isinstance(source, Mapping) else None)
    values = document.values
    for key in values:
        if key not in _KEYS:
            raise ConfigError("unknown key", where=document.where(key), hint=nearest(key, _KEYS))
    chosen, others = _overrides(document, overrides)
    given = {**values.get("values", {}), **chosen}
    members: dict[str, Member] = {}
    for member in _members(document, given):
        if member.name in members:
            where = document.where("members")
            raise ConfigError(f"two members are called {member.name}", where=where)
        members[member.name] = member
    limit = values.get("limit")
    return SuiteFile(
        document,
        _filled(
            check_value(values.get("title") or document.path.stem, str, document.where("title")),
            given,
        ),
        members,
        tuple(_figures(document, members, given)),
        None if limit is None else whole_number(limit, document.where("limit"), 1),
        tuple(_lists(document, members)),
        {name: value for name, value in chosen.items() if value != values["values"][name]},
        tuple(others),
    )


def _overrides(document: Document, overrides: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """The values of the file that are replaced, and what is for its members."""
    from yaml import YAMLError

    where = document.where("values")
    values = check_value(document.values.get("values") or {}, dict[str, Any], where)
    chosen: dict[str, Any] = {}
    others = []
    for item in overrides:
        name, _, text = item.partition("=")
        if name not in values:
            others.append(item)
        elif isinstance(values[name], list):
            try:
                given = load(text)
            except (YAMLError, ValueError) as error:
                hint = f"give a list: {name}=[{', '.join(map(str, values[name][:2]))}]"
                raise ConfigError(str(error), where=f"override '{name}=...'", hint=hint) from None
            chosen[name] = given if isinstance(given, list) else [given]
        else:
            chosen[name] = text
    return chosen, others


def value_names(source: str | Path) -> frozenset[str]:
    """The names of the values of a suite that ``NAME=VALUE`` replaces; none of what is no suite."""
    if form_of(str(source)) != "suite":
        return frozenset()
    values = read_document(find_what(source, ("suites",)).source).values.get("values")
    return frozenset(values) if isinstance(values, dict) else frozenset()


def _section(document: Document, name: str) -> dict[str, Any]:
    given = document.values.get(name)
    section: dict[str, Any] = check_value(given or {}, dict[str, Any], document.where(name))
    if not section:
        raise ConfigError(f"a suite needs '{name}'", where=str(document.path))
    return section


def _members(document: Document, given: Mapping[str, Any]) -> Iterator[Member]:
    """Every member; one with ``each`` stands for a run of each combination of its values."""
    for name, item in _section(document, "members").items():
        at = ("members", name)
        member = _read(item, _Member, document, at)
        for values in _combinations(member.each, given, document, at):
            yield Member(
                _filled(name, values),
                _filled(member.recipe, values),
                tuple(_filled(key, values) for key in member.keys),
                member.judged,
            )


def _combinations(
    each: Mapping[str, list[Any] | str],
    given: Mapping[str, Any],
    document: Document,
    at: tuple[str, ...],
) -> Iterator[dict[str, Any]]:
    """The values of the file with each combination of those of ``each``.

    A text in the place of a list names one of the values of the file.
    """
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


def _filled(part: Any, values: Mapping[str, Any]) -> Any:
    """Plain data with the values at the places of their names in braces.

    >>> _filled({"of": "shapes_{n}"}, {"n": 2})
    {'of': 'shapes_2'}
    """
    if isinstance(part, dict):
        return {_filled(key, values): _filled(item, values) for key, item in part.items()}
    if isinstance(part, list):
        return [_filled(item, values) for item in part]
    if isinstance(part, str):
        for name, value in values.items():
            part = part.replace(f"{{{name}}}", str(value))
    return part


def _figures(
    document: Document, members: Mapping[str, Member], given: Mapping[str, Any]
) -> Iterator[SuiteFigure]:
    for name, item in _section(document, "figures").items():
        at = ("figures", name)
        figure = _read(item, _Figure, document, at)
        if figure.by not in ("", "category"):
            hint = "write category, or leave it out"
            raise ConfigError(f"by is '{figure.by}'", where=document.where(*at, "by"), hint=hint)
        for values in _combinations(figure.each, given, document, at):
            score = _formula(_filled(figure.score, values), document, (*at, "score"), members)
            shown = {
                _filled(title, values): _formula(
                    _filled(one, values), document, (*at, "shown", title), members
                )
                for title, one in figure.shown.items()
            }
            yield SuiteFigure(_filled(name, values), score, shown, figure.unit, figure.by)


def _lists(document: Document, members: Mapping[str, Member]) -> Iterator[SampleList]:
    where = document.where("lists")
    for name, item in check_value(
        document.values.get("lists") or {}, dict[str, Any], where
    ).items():
        read = _read(item, _List, document, ("lists", name))
        for member in read.right:
            if member not in members:
                hint = nearest(member, members)
                where = document.where("lists", name, "right")
                raise ConfigError(f"there is no member '{member}'", where=where, hint=hint)
        yield SampleList(name, tuple(read.right), read.others)


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
        hint = "docs/background/many_runs.md lists the forms of formulas"
        raise ConfigError(str(error), where=where, hint=hint) from None
    for item in figures(formula):
        for name, known in ((item.field, FIELDS), *_named(item, members)):
            if name not in known:
                what = {id(FIELDS): "figure", id(members): "member"}.get(id(known), "option")
                hint = nearest(name, known)
                raise ConfigError(f"there is no {what} '{name}'", where=where, hint=hint)
    return formula


def _named(item: Figure, members: Mapping[str, Member]) -> Iterator[tuple[str, Any]]:
    yield item.dataset, members
    if item.field in AGAINST:
        yield item.subset, members
    if item.field == CHOSEN:
        yield item.subset, ascii_uppercase
