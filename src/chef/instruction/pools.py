"""Instruction pools: the wordings of a kind of question, stored as data in ``pools/<name>.yaml``.

Ids are positions in the lists, and each has the same purpose as in ChEF. The words are our own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal, overload

from msgspec import field

from chef.common import yaml_text
from chef.errors import ConfigError, nearest
from chef.frozen import Frozen
from chef.guard.files import read_text

Pair = tuple[str, str]


class WordingPool(Frozen):
    """The wordings of one kind of question.

    Attributes:
        wording: its name.
        prompts: how a question is worded; ``{question}`` is replaced by the sample's question.
        multiturn_prompts: (first turn, every later turn); ``{prefix}`` is the earlier answer.
        templates: how an answer is worded; each ends with ``{option}``.
        multiturn_templates: (first turn, every later turn).
        forms: the prompts of other forms of question, by `chef.types.Sample.form`: as many as
            ``prompts``.
        known: False where there is no such pool, and these are the bare question and option.
    """

    wording: str
    prompts: tuple[str, ...]
    multiturn_prompts: tuple[Pair, ...]
    templates: tuple[str, ...]
    multiturn_templates: tuple[Pair, ...]
    known: bool = True
    forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def owner(self) -> str:
        """The pool in messages."""
        return f"pool '{self.wording}'" if self.wording else "a scenario without wordings"


@cache
def load_pool(wording: str, *, upstream: bool = False) -> WordingPool:
    """The pool of that name (empty: bare question and option); ``upstream`` has lists of ChEF's.

    `ConfigError` suggests the nearest name.

    >>> load_pool("POPE").prompts
    ('{question}',)
    >>> load_pool("").templates
    ('{option}',)
    """
    data = _read(wording, upstream=upstream) if wording else {}
    return WordingPool(
        wording=wording,
        prompts=tuple(data.get("prompts", ("{question}",))),
        multiturn_prompts=_pairs(data.get("multiturn_prompts", ())),
        templates=tuple(data.get("templates", ("{option}",))),
        multiturn_templates=_pairs(data.get("multiturn_templates", ())),
        known=bool(data),
        forms={form: tuple(prompts) for form, prompts in data.get("forms", {}).items()},
    )


def read_pool(path: Path, pool: WordingPool) -> WordingPool:
    """A pool with its lists replaced by those of a YAML file, which may have some of them."""
    import msgspec
    import yaml

    names = _Lists.__dataclass_fields__
    try:
        data = yaml_text.load(read_text(path, limit=yaml_text.MAX_BYTES))
        if isinstance(data, dict) and (unknown := [key for key in data if key not in names]):
            raise ConfigError(
                f"unknown list '{unknown[0]}'",
                where=str(path),
                hint=nearest(str(unknown[0]), names),
            )
        lists = msgspec.convert(data, _Lists, strict=True)
    except msgspec.ValidationError as error:
        raise ConfigError(
            f"is no pool of wordings: {error}",
            where=str(path),
            hint=f"give lists under {', '.join(names)}",
        ) from None
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise ConfigError(f"the pool file cannot be read ({error})", where=str(path)) from None
    given = {name: getattr(lists, name) for name in names}
    if lists.prompts is not None:
        given["forms"] = {}  # prompts of one's own are for every form
    if empty := [name for name, entries in given.items() if entries == ()]:
        raise ConfigError(f"the list '{empty[0]}' is empty", where=str(path), hint="leave it out")
    pairs = [text for pair in lists.multiturn_templates or () for text in pair]
    for text in (*(lists.templates or ()), *pairs):
        check_template(text, str(path))
    changes = {name: new for name, new in given.items() if new is not None}
    return replace(pool, **changes)


class _Lists(Frozen):
    """The lists of a pool file; None for those that it does not have."""

    prompts: tuple[str, ...] | None = None
    multiturn_prompts: tuple[Pair, ...] | None = None
    templates: tuple[str, ...] | None = None
    multiturn_templates: tuple[Pair, ...] | None = None


def check_template(template: str, where: str) -> None:
    """Check that an answer template ends with its only ``{option}``, which is what PPL scores."""
    if template.count("{option}") != 1 or not template.endswith("{option}"):
        raise ConfigError(
            f"an answer template must end with {{option}}: {template!r}",
            where=where,
            hint="end it with {option}; the words before it are given to the model, not scored",
        )


@overload
def pool_entry(
    pool: WordingPool, kind: Literal["prompts", "templates"], index: int, key: str
) -> str: ...
@overload
def pool_entry(
    pool: WordingPool,
    kind: Literal["multiturn_prompts", "multiturn_templates"],
    index: int,
    key: str,
) -> Pair: ...
def pool_entry(pool: WordingPool, kind: str, index: int, key: str) -> str | Pair:
    """One wording of a pool; ``index`` may count from the end, ``key`` names it in the error."""
    entries: tuple[str | Pair, ...] = getattr(pool, kind)
    if not -len(entries) <= index < len(entries):
        raise ConfigError(
            f"id {index} is outside the {kind} of {pool.owner}, which has {len(entries)}",
            where=f"eval_cfg.instruction_cfg.{key}",
            hint=f"choose 0 to {len(entries) - 1}",
        )
    return entries[index]


def _read(wording: str, *, upstream: bool) -> Mapping[str, Any]:
    # Looked up among the files, because a name from a user's scenario could be a path elsewhere.
    known = pool_names()
    if wording not in known:
        raise ConfigError(
            f"there is no pool of wordings '{wording}'",
            where="scenario_cfg.dataset_name",
            hint=f"{nearest(wording, known)}; or write has_wordings = False in the scenario's "
            "class, and its questions are asked as they are",
        )
    has_own = upstream and (_POOLS / "upstream" / f"{wording}.yaml").is_file()
    return {**_content(wording), **(_content("upstream", wording) if has_own else {})}


def pool_names() -> frozenset[str]:
    """The names of the pools that come with chef."""
    return frozenset(file.stem for file in _POOLS.glob("*.yaml"))


_POOLS = Path(__file__).with_name("pools")


def _content(*path: str) -> Mapping[str, Any]:
    data: Mapping[str, Any] = yaml_text.shipped(
        "chef.instruction", "pools", *path[:-1], f"{path[-1]}.yaml"
    )
    return data


def _pairs(entries: list[list[str]] | tuple[()]) -> tuple[Pair, ...]:
    return tuple((first, later) for first, later in entries)


AT = "eval_cfg.instruction_cfg"


def turn_prompts(pool: WordingPool, index: int, defined: str | Sequence[str] | None) -> Pair:
    """The prompts of the first turn and of later ones (with ``{prefix}`` or ``{question}``)."""
    if defined is None and not pool.multiturn_prompts:
        raise ConfigError(
            f"{pool.owner} has no wordings for several turns",
            where=f"{AT}.prompt_type",
            hint='give defined_prompt: ["first turn", "later turn about {prefix}"], '
            "or use prompt_type: singleturn",
        )
    first, later = (
        pool_entry(pool, "multiturn_prompts", index, "prompt_assigned_ids")
        if defined is None
        else as_pair(defined, "defined_prompt")
    )
    if "{prefix}" in first and first != later:
        raise ConfigError(
            f"the first turn's prompt has {{prefix}}, and no answer precedes it: {first!r}",
            where=f"{AT}.defined_prompt",
            hint="the first turn's prompt comes first in the pair, the later turns' second",
        )
    if "{prefix}" not in later and "{question}" not in later:
        raise ConfigError(
            f"every later turn would ask the same: {later!r}",
            where=f"{AT}.defined_prompt",
            hint="put {prefix} where the earlier answer belongs in the prompt of the later turns",
        )
    return first, later


def turn_templates(pool: WordingPool, index: int, defined: str | Sequence[str] | None) -> Pair:
    """The answer templates of the first turn and of later ones; of a pool without pairs, one."""
    if defined is not None:
        return as_pair(defined, "defined_template")
    if pool.multiturn_templates:
        return pool_entry(pool, "multiturn_templates", index, "template_assigned_ids")
    return as_pair(pool_entry(pool, "templates", index, "template_assigned_ids"), "")


def as_pair(defined: str | Sequence[str], key: str) -> Pair:
    """One wording for all turns, or one for the first and one for later ones; else a `ConfigError`.

    >>> as_pair("What about {prefix}?", "defined_prompt")[0]
    'What about {prefix}?'
    """
    if isinstance(defined, str):
        return defined, defined
    if len(defined) != 2:
        raise ConfigError(
            f"{key} is a list of {len(defined)}",
            where=f"{AT}.{key}",
            hint="one wording for all turns, or two: [first turn, later turns]",
        )
    return defined[0], defined[1]
