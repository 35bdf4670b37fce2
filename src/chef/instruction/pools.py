"""Instruction pools: the wordings of a task, kept as data in ``pools/<task>.yaml``.

Ids are positions in the lists, with the roles that ChEF gave them; the words are our own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, overload

from chef.errors import ConfigError, nearest

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Pool:
    """The wordings of one task.

    Attributes:
        task: its name.
        prompts: what is asked; ``{question}`` stands for the sample's question.
        multiturn_prompts: (first turn, every later turn); ``{prefix}`` is the earlier answer.
        templates: how an answer is worded; each ends in ``{option}``.
        multiturn_templates: (first turn, every later turn).
        known: False where there is no task, and these are the bare question and option.
    """

    task: str
    prompts: tuple[str, ...]
    multiturn_prompts: tuple[Pair, ...]
    templates: tuple[str, ...]
    multiturn_templates: tuple[Pair, ...]
    known: bool = True

    @property
    def owner(self) -> str:
        """The task in messages."""
        return f"task '{self.task}'" if self.task else "a scenario without wordings"


@cache
def load_pool(task: str) -> Pool:
    """The pool of a task.

    Args:
        task: its name; empty: none, that is the bare question and the bare option.

    Raises:
        ConfigError: there is no pool of that name; the nearest one is suggested.

    >>> load_pool("POPE").prompts
    ('{question}',)
    >>> load_pool("").templates
    ('{option}',)
    """
    data = _read(task) if task else {}
    return Pool(
        task=task,
        prompts=tuple(data.get("prompts", ("{question}",))),
        multiturn_prompts=_pairs(data.get("multiturn_prompts", ())),
        templates=tuple(data.get("templates", ("{option}",))),
        multiturn_templates=_pairs(data.get("multiturn_templates", ())),
        known=bool(data),
    )


def read_pool(path: Path, task: str) -> Pool:
    """A pool file of a recipe's own: lists it gives replace those of the task, id by id.

    Args:
        path: YAML with the keys of the files here: ``prompts``, ``templates``,
            ``multiturn_prompts``, ``multiturn_templates``.
        task: whose lists stay where the file gives none.

    Raises:
        ConfigError: the file is missing, is no such YAML, or a template does not end with
            ``{option}``.
    """
    import msgspec
    import yaml

    names = _Lists.__dataclass_fields__
    try:
        data = yaml.safe_load(path.read_text("utf-8"))
        if isinstance(data, dict) and (unknown := [key for key in data if key not in names]):
            raise ConfigError(
                f"unknown list '{unknown[0]}'",
                where=str(path),
                mend=nearest(str(unknown[0]), names),
            )
        lists = msgspec.convert(data, _Lists, strict=True)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"the pool file cannot be read ({error})", where=str(path)) from None
    except msgspec.ValidationError as error:
        raise ConfigError(
            f"is no pool of wordings: {error}",
            where=str(path),
            mend=f"give lists under {', '.join(names)}",
        ) from None
    given = {name: getattr(lists, name) for name in names}
    if empty := [name for name, entries in given.items() if entries == ()]:
        raise ConfigError(f"the list '{empty[0]}' is empty", where=str(path), mend="leave it out")
    pairs = [text for pair in lists.multiturn_templates or () for text in pair]
    for text in (*(lists.templates or ()), *pairs):
        check_template(text, str(path))
    return replace(load_pool(task), **{name: new for name, new in given.items() if new is not None})


@dataclass(frozen=True, slots=True)
class _Lists:
    """A pool file, None where it gives nothing."""

    prompts: tuple[str, ...] | None = None
    multiturn_prompts: tuple[Pair, ...] | None = None
    templates: tuple[str, ...] | None = None
    multiturn_templates: tuple[Pair, ...] | None = None


def check_template(template: str, where: str) -> None:
    """What is scored is what stands last.

    Raises:
        ConfigError: the template does not end with its only ``{option}``.
    """
    if template.count("{option}") != 1 or not template.endswith("{option}"):
        raise ConfigError(
            f"an answer template must end with {{option}}: {template!r}",
            where=where,
            mend="end it with {option}; what comes before is conditioned on, not scored",
        )


@overload
def pool_entry(pool: Pool, kind: Literal["prompts", "templates"], index: int, key: str) -> str: ...
@overload
def pool_entry(
    pool: Pool, kind: Literal["multiturn_prompts", "multiturn_templates"], index: int, key: str
) -> Pair: ...
def pool_entry(pool: Pool, kind: str, index: int, key: str) -> str | Pair:
    """Wording ``index`` of a pool; negative ids count from the end.

    Raises:
        ConfigError: there is no such id; ``key`` of the recipe gave it.
    """
    entries: tuple[str | Pair, ...] = getattr(pool, kind)
    if not -len(entries) <= index < len(entries):
        raise ConfigError(
            f"id {index} is outside the {kind} of {pool.owner}, which has {len(entries)}",
            where=f"eval_cfg.instruction_cfg.{key}",
            mend=f"choose 0 to {len(entries) - 1}",
        )
    return entries[index]


def _read(task: str) -> Mapping[str, Any]:
    import yaml

    # A task's name comes from a scenario, maybe a user's: it must not lead out of the folder.
    folder = files("chef.instruction") / "pools"
    known = {entry.name: entry for entry in folder.iterdir()}
    entry = known.get(f"{task}.yaml")
    if entry is None:
        names = [name.removesuffix(".yaml") for name in known]
        raise ConfigError(
            f"there is no pool of wordings for task '{task}'",
            where="scenario_cfg.dataset_name",
            mend=f"{nearest(task, names)}; or write has_wordings = False in the scenario's class, "
            "and its questions are asked as they are",
        )
    data: Mapping[str, Any] = yaml.safe_load(entry.read_text("utf-8"))
    return data


def _pairs(entries: list[list[str]] | tuple[()]) -> tuple[Pair, ...]:
    return tuple((first, later) for first, later in entries)
