"""The YAML file of a sweep, checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chef.common.checked import whole_number
from chef.config.document import Document, read_document
from chef.config.lookup import find_what
from chef.config.signature import check_value
from chef.errors import ConfigError, nearest
from chef.suite.sweep.factors import MODEL, RECIPE, Factor, factors_of, label_of, named

_KEYS = ("name", MODEL, RECIPE, "limit", "seed", "sample", "exclude", "vary")
#: Part of a combination: the labels that a factor may have, by its name.
Partial = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class SweepFile:
    """A sweep as its file describes it.

    Attributes:
        name: of the sweep, with which its run folders end.
        factors: what is varied; the models and recipes are factors too, perhaps of one value.
        limit: the number of samples of each run; None for all.
        seed: of the subset, and of the combinations that are drawn.
        sample: how many combinations are drawn; None for all.
        exclude: parts of combinations that are left out.
    """

    document: Document
    name: str
    factors: tuple[Factor, ...]
    limit: int | None = None
    seed: int = 0
    sample: int | None = None
    exclude: tuple[Partial, ...] = ()

    @property
    def folder(self) -> Path:
        """The folder of the file, in which relative paths begin."""
        return self.document.path.parent

    def factor(self, name: str) -> Factor:
        """The factor of that name."""
        return next(factor for factor in self.factors if factor.name == name)


def read_sweep(
    source: str | Path | Mapping[str, Any], *, models: Sequence[str] = (), limit: int | None = None
) -> SweepFile:
    """A checked sweep: from a file, the name of one of chef's (``Shapes``), or its content.

    ``models`` and ``limit`` replace those of the file. ConfigError has file, line, key and the
    nearest valid name.
    """
    content = source if isinstance(source, Mapping) else find_what(source, ("sweeps",)).source
    document = read_document(content, name="sweep" if isinstance(source, Mapping) else None)
    values = document.values
    if "scenario_cfg" in values or "model_name" in values:
        kind = "recipe" if "scenario_cfg" in values else "model file"
        hint = f"a sweep names it: {kind.partition(' ')[0]}: {document.path.name}"
        raise ConfigError(f"is a {kind}, no sweep", where=str(document.path), hint=hint)
    for key in values:
        if key not in _KEYS:
            raise ConfigError("unknown key", where=document.where(key), hint=nearest(key, _KEYS))
    factors = factors_of(document)
    for kind, given in ((RECIPE, ()), (MODEL, models)):
        factors = _with_files(kind, given, factors, document)
    exclude = _exclusions(document, factors)
    return SweepFile(
        document,
        _name(document),
        tuple(factors),
        limit if limit is not None else _number(document, "limit", 1),
        _number(document, "seed", 0) or 0,
        _number(document, "sample", 1),
        exclude,
    )


def _with_files(
    kind: str, given: Sequence[str], factors: list[Factor], document: Document
) -> list[Factor]:
    """The factors, of which one is the ``model`` or ``recipe``: files given, or the sweep's."""
    varied = [factor for factor in factors if factor.name == kind]
    own = document.values.get(kind)
    if given:
        return [*(item for item in factors if item.name != kind), named(given, kind, "")]
    if varied and own is not None:
        hint = f"leave out '{kind}' or 'vary.{kind}'"
        raise ConfigError("is given twice", where=document.where(kind), hint=hint)
    if varied:
        return factors
    where = document.where(kind)
    files: Any = check_value(own, str | list[str] | None, where)
    files = [files] if isinstance(files, str) else files or []
    if not files:
        example = "Shapes/ppl" if kind == RECIPE else "tiny"
        option = " (or give --model_cfg)" if kind == MODEL else ""
        hint = f"for example {kind}: {example}{option}"
        raise ConfigError(f"a sweep needs a {kind}", where=str(document.path), hint=hint)
    return [*factors, named(files, kind, where)]


def _name(document: Document) -> str:
    """Its name: that of the file, if it gives none."""
    where = document.where("name")
    given: str | None = check_value(document.values.get("name"), str | None, where)
    name = given or document.path.stem
    if not re.fullmatch(r"[\w.+-]*\w[\w.+-]*", name) or name.startswith("."):
        hint = "write letters, digits and hyphens: the runs have folders of that name"
        raise ConfigError(f"{name!r} is no name of a sweep", where=where, hint=hint)
    return name


def _number(document: Document, key: str, least: int) -> int | None:
    given = document.values.get(key)
    return None if given is None else whole_number(given, document.where(key), least, 2**32 - 1)


def _exclusions(document: Document, factors: Sequence[Factor]) -> tuple[Partial, ...]:
    """The parts of combinations left out; ConfigError for a factor or value that is not there."""
    where = document.where("exclude")
    given: list[Any] = check_value(document.values.get("exclude") or [], list[Any], where)
    known = {factor.name: factor for factor in factors}
    found = []
    for number, part in enumerate(given):
        at = ("exclude", str(number))
        if not isinstance(part, Mapping) or not part:
            hint = "for example - {inferencer: PPL, examples: [2, 4]}"
            raise ConfigError("names no factors", where=document.where(*at), hint=hint)
        chosen = {}
        for name, labels in part.items():
            place = document.where(*at, name)
            if name not in known:
                raise ConfigError("is no factor of it", where=place, hint=nearest(name, known))
            chosen[name] = [
                _label(known[name], item, place)
                for item in (labels if isinstance(labels, list) else [labels])
            ]
        found.append(chosen)
    return tuple(found)


def _label(factor: Factor, item: Any, place: str) -> str:
    label = label_of(item)
    if label not in factor.labels and not factor.wants_all:
        hint = nearest(label, factor.labels)
        raise ConfigError(f"'{label}' is no value of {factor.name}", where=place, hint=hint)
    return label
