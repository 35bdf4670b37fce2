"""The YAML file of a suite, checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import field

from chef.common.checked import whole_number
from chef.common.digest import digest
from chef.common.yaml_text import load
from chef.config.document import Document, read_document
from chef.config.lookup import find_what, form_of
from chef.config.spec import check_value
from chef.config.tasks import shipped_tasks
from chef.errors import ConfigError, nearest
from chef.frozen import Frozen
from chef.suite.members.parts import (
    ChefRoles,
    Curve,
    SampleList,
    SuiteFigure,
    combinations,
    curves_of,
    figures_of,
    filled,
    lists_of,
    read_part,
    roles_of,
    section,
)
from chef.suite.trust.scores import sheet_datasets

_KEYS = ("title", "limit", "values", "members", "figures", "curves", "lists", "chef", "sheet")
#: The score sheet that a suite may ask for: of its data sets each is a member.
TRUST = "trust"


class _Member(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A member as the file has it; see `Member`."""

    recipe: str
    keys: list[str] = []
    each: dict[str, list[Any] | str] = {}
    judged: bool = False
    optional: str = ""


class Member(Frozen):
    """One run of a suite: a recipe with ``key=value``.

    ``is_judged``: scored by a judge, without which it is left out. ``optional`` says why it is left
    out where it cannot be asked, which is then no failure; empty for one that must be asked.
    """

    name: str
    recipe: str
    keys: tuple[str, ...] = ()
    is_judged: bool = False
    optional: str = ""


class SuiteFile(Frozen):
    """A suite as its file describes it.

    Attributes:
        members: its runs, by name.
        figures: what is made of them.
        curves: figures against numbers.
        limit: the number of samples of each run; None for all.
        lists: the lists of samples that are written.
        changed: the values of its file that were replaced, by their names.
        overrides: the other ``key=value``, which are for all members.
        chef: which members ChEF's result files are made of, by data set.
        has_sheet: whether its figures are the score sheet of MMTrustEval.
    """

    document: Document
    title: str
    members: Mapping[str, Member]
    figures: tuple[SuiteFigure, ...]
    curves: tuple[Curve, ...] = ()
    limit: int | None = None
    lists: tuple[SampleList, ...] = ()
    changed: Mapping[str, Any] = field(default_factory=dict)
    overrides: tuple[str, ...] = ()
    chef: Mapping[str, ChefRoles] = field(default_factory=dict)
    has_sheet: bool = False

    @property
    def name(self) -> str:
        """The name of the file and the values replaced, with which run folders of it end."""
        parts = (
            value if isinstance(value, str) else digest(value)[:8]
            for value in self.changed.values()
        )
        return re.sub(r"[^\w.-]+", "-", "-".join([self.document.path.stem, *parts]))


def read_suite(source: str | Path | Mapping[str, Any], overrides: Sequence[str] = ()) -> SuiteFile:
    """A checked suite: from a file, the name of one of chef's (``desiderata``), or its content.

    Overrides are ``NAME=VALUE`` of its ``values`` and ``key=value`` of members; ConfigError has
    file, line, key and the nearest valid name.
    """
    content = source if isinstance(source, Mapping) else find_what(source, ("suites",)).source
    document = read_document(content, name="suite" if isinstance(source, Mapping) else None)
    values = document.values
    for key in values:
        if key not in _KEYS:
            raise ConfigError("unknown key", where=document.where(key), hint=nearest(key, _KEYS))
    chosen, others = _overrides(document, overrides)
    given = {**values.get("values", {}), **chosen}
    wanted = check_value(values.get("sheet") or "", str, document.where("sheet"))
    if wanted not in ("", TRUST):
        raise ConfigError(
            f"there is no sheet '{wanted}'", where=document.where("sheet"), hint=f"write {TRUST}"
        )
    members: dict[str, Member] = {}
    for member in _of_sheet() if wanted else _members(document, given):
        if member.name in members:
            where = document.where("members")
            raise ConfigError(f"two members are called {member.name}", where=where)
        members[member.name] = member
    limit = values.get("limit")
    return SuiteFile(
        document,
        filled(
            check_value(values.get("title") or document.path.stem, str, document.where("title")),
            given,
        ),
        members,
        () if wanted else tuple(figures_of(document, members, given)),
        tuple(curves_of(document, members, given)),
        None if limit is None else whole_number(limit, document.where("limit"), 1),
        tuple(lists_of(document, members)),
        {name: value for name, value in chosen.items() if value != values["values"][name]},
        tuple(others),
        dict(roles_of(document, members)),
        bool(wanted),
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


def is_suite(given: object) -> bool:
    """Whether a path, a name or a mapping is a suite."""
    if isinstance(given, Mapping):
        return "members" in given or "sheet" in given
    return isinstance(given, str | Path) and form_of(str(given)) == "suite"


def value_names(source: str | Path) -> frozenset[str]:
    """The names of the values of a suite that ``NAME=VALUE`` replaces; none of what is no suite."""
    if not is_suite(source):
        return frozenset()
    values = read_document(find_what(source, ("suites",)).source).values.get("values")
    return frozenset(values) if isinstance(values, dict) else frozenset()


def _of_sheet() -> Iterator[Member]:
    """Every data set that the score sheet is made of, as its task asks it."""
    wanted = sheet_datasets()
    for name, task in shipped_tasks().items():
        for title, keys in task.runs():
            if title in wanted:
                yield Member(title, name, tuple(keys), is_judged=task.needs == "judge")


def _members(document: Document, given: Mapping[str, Any]) -> Iterator[Member]:
    """Every member; one with ``each`` stands for a run of each combination of its values."""
    for name, item in section(document, "members").items():
        at = ("members", name)
        member = read_part(item, _Member, document, at)
        for values in combinations(member.each, given, document, at):
            yield Member(
                filled(name, values),
                filled(member.recipe, values),
                tuple(filled(key, values) for key in member.keys),
                member.judged,
                filled(member.optional, values),
            )
