"""The YAML file of a sweep, checked: its factors, their values, and short names of usual ones."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from chef.common.checked import whole_number
from chef.common.digest import digest
from chef.config.document import Document, read_document
from chef.config.lookup import find_what
from chef.config.spec import check_value
from chef.errors import ConfigError, nearest
from chef.frozen import Frozen

#: ``choice``: of a recipe's author. ``nuisance``: a good recipe does not depend on it.
Role: TypeAlias = Literal["choice", "nuisance"]

_INSTRUCTION = "eval_cfg.instruction_cfg"
_EXAMPLES = f"{_INSTRUCTION}.incontext_cfg"
#: The short names of keys.
KEYS = {
    "wording": f"{_INSTRUCTION}.prompt_assigned_ids",
    "template": f"{_INSTRUCTION}.template_assigned_ids",
    "inferencer": "eval_cfg.inferencer_cfg",
    "examples": f"{_EXAMPLES}.ice_num",
    "retriever": f"{_EXAMPLES}.retriever_type",
    "rotation": "scenario_cfg.rotation",
}
SEED, MODEL, RECIPE = "seed", "model", "recipe"
NAMES = (*KEYS, SEED, MODEL, RECIPE)
#: What a good recipe does not depend on, unless the sweep says otherwise.
_NUISANCES = ("wording", "template", "rotation", SEED, MODEL)
#: The factors whose values may be all entries of the pool.
FROM_POOL = ("wording", "template")
ALL = "all"
#: Longer values get a label that is cut.
_LONGEST = 24
MODEL_KEYS = "model_cfg."


class FactorValue(Frozen):
    """One value of a factor: its label in tables and folders, and what it stands for.

    ``overrides`` are ``key.path=value``, those of the model beginning with ``model_cfg.``;
    ``place`` is ``file:line: key``; ``file`` is of a model or a recipe.
    """

    label: str
    overrides: tuple[str, ...] = ()
    place: str = ""
    file: str = ""
    seed: int | None = None

    @property
    def line(self) -> str:
        """``file:line`` of it."""
        return self.place.rpartition(": ")[0] or self.place


class Factor(Frozen):
    """What is varied, by at least one value, with different labels.

    ``role`` says whether it is a choice of the recipe's author, ``wants_all`` whether its values
    are still to be read from the pool, and ``place`` where it is written.
    """

    name: str
    values: tuple[FactorValue, ...]
    role: Role
    wants_all: bool = False
    place: str = ""

    @property
    def labels(self) -> list[str]:
        """The labels of its values, in order."""
        return [value.label for value in self.values]


def factors_of(document: Document) -> list[Factor]:
    """The factors under ``vary``; ConfigError for a form that is not documented."""
    given: dict[str, Any] = check_value(
        document.values.get("vary") or {}, dict[str, Any], document.where("vary")
    )
    return [_factor(name, content, document) for name, content in given.items()]


def _factor(name: str, content: Any, document: Document) -> Factor:
    at: tuple[str, ...] = ("vary", name)
    where = document.where(*at)
    role: Role = "nuisance" if name in _NUISANCES else "choice"
    key = name if "." in name else KEYS.get(name)
    if isinstance(content, Mapping):
        content = dict(content)
        role = check_value(content.pop("role", role), Role, document.where(*at, "role"))
        if "values" in content or "key" in content or set(content) == set():
            key = check_value(content.pop("key", key), str | None, document.where(*at, "key"))
            if content.keys() - {"values"}:
                other = next(iter(content.keys() - {"values"}))
                hint = nearest(other, ("key", "values", "role"))
                raise ConfigError("unknown key", where=document.where(*at, other), hint=hint)
            at, content = (*at, "values"), content.get("values")
        else:
            return Factor(name, _sets(content, at, document), role, place=where)
    if key is None and name not in (SEED, MODEL, RECIPE):
        raise ConfigError(
            f"'{name}' is no short name of a key",
            where=where,
            hint=f"{nearest(name, NAMES)}; or write {name}: {{key: eval_cfg..., values: [...]}}",
        )
    if content == ALL and name in FROM_POOL:
        return Factor(name, (), role, wants_all=True, place=where)
    items = list(content) if isinstance(content, list) else []
    if not items:
        what = f"needs a list of values{', or all' if name in FROM_POOL else ''}"
        raise ConfigError(what, where=where, hint=f"for example {name}: [0, 1]")
    places = [document.where(*at, str(number)) for number in range(len(items))]
    pairs = zip(items, places, strict=True)
    values = tuple(value_of(name, key or "", item, place) for item, place in pairs)
    return Factor(name, _different(values), role, place=where)


def value_of(name: str, key: str, item: Any, place: str) -> FactorValue:
    """One value of a factor as YAML has it, its key path empty of a seed, a model and a recipe."""
    if name == SEED and not key:
        if isinstance(item, bool) or not isinstance(item, int) or not 0 <= item < 2**32:
            hint = "give whole numbers from 0 to 2^32 - 1"
            raise ConfigError(f"{item!r} is no seed", where=place, hint=hint)
        return FactorValue(str(item), place=place, seed=item)
    if name in (MODEL, RECIPE) and not key:
        if not isinstance(item, str):
            raise ConfigError(f"{item!r} is no name of a {name}", where=place)
        return FactorValue(item, place=place, file=item)
    if key == KEYS["inferencer"]:  # its keys are those of its kind, so the others go
        section = {"inferencer_type": item} if isinstance(item, str) else item
        overrides = (f"{key}=null", override(key, section))
        shown = section.get("inferencer_type") if isinstance(section, Mapping) else None
        return FactorValue(label_of(shown or item), overrides, place)
    return FactorValue(label_of(item), (override(key, item),), place)


def _sets(
    content: Mapping[str, Any], at: tuple[str, ...], document: Document
) -> tuple[FactorValue, ...]:
    """Labelled sets of overrides."""
    values = []
    for label, section in content.items():
        where = document.where(*at, str(label))
        if not isinstance(section, Mapping):
            raise ConfigError(
                "must be a mapping of keys and values",
                where=where,
                hint=f"for example {label}: {{eval_cfg.inferencer_cfg.inferencer_type: PPL}}; a "
                "list of values stands under 'values'",
            )
        overrides = tuple(override(key, item) for key, item in section.items())
        values.append(FactorValue(str(label), overrides, where))
    return tuple(values)


def override(key: str, item: Any) -> str:
    """``key=value``; JSON is YAML too."""
    return f"{key}={json.dumps(item, ensure_ascii=False)}"


def label_of(item: Any) -> str:
    """What a value is called.

    >>> label_of(2), label_of(True), label_of("PPL")
    ('2', 'true', 'PPL')
    """
    text = item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST - 5].strip()}~{digest(item)[:4]}"


def _different(values: tuple[FactorValue, ...]) -> tuple[FactorValue, ...]:
    """The values, of which no two have the same label; ConfigError for a value given twice."""
    seen: dict[str, FactorValue] = {}
    for value in values:
        if value.label in seen:
            raise ConfigError(
                f"two values are called '{value.label}'",
                where=value.place,
                hint="leave one of them out, or name them: {first: {key: value}, second: ...}",
            )
        seen[value.label] = value
    return values


def named(given: Sequence[str], name: str, place: str) -> Factor:
    """The factor ``model`` or ``recipe`` of several files."""
    values = _different(tuple(value_of(name, "", item, place) for item in given))
    return Factor(name, values, "nuisance" if name in _NUISANCES else "choice", place=place)


_KEYS = ("name", MODEL, RECIPE, "limit", "seed", "sample", "exclude", "vary")
#: Part of a combination: the labels that a factor may have, by its name.
Partial = Mapping[str, Sequence[str]]


class SweepFile(Frozen):
    """A sweep as its file describes it; its run folders end with its name.

    The models and recipes are factors too, perhaps of one value. ``seed`` is that of the subset and
    of the combinations, of which ``sample`` are drawn (None: all) without those of ``exclude``.
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
    if unknown := sorted({*values}.difference(_KEYS), key="save_dir".__eq__):
        hint = nearest(unknown[0], _KEYS)
        if "vary" not in values:
            hint += "; a file with model and recipe, and without vary, may have save_dir besides"
        raise ConfigError("unknown key", where=document.where(unknown[0]), hint=hint)
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
