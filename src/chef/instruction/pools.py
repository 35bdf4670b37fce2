"""Instruction pools: the wordings of a task, kept as data in ``pools/<task>.yaml``.

Ids are positions in the lists, with the roles that ChEF gave them; the words are our own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, overload

from chef.errors import ConfigError

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
    """

    task: str
    prompts: tuple[str, ...]
    multiturn_prompts: tuple[Pair, ...]
    templates: tuple[str, ...]
    multiturn_templates: tuple[Pair, ...]


@cache
def load_pool(task: str) -> Pool:
    """The pool of a task; a task without a file gets the bare question and the bare option.

    >>> load_pool("POPE").prompts
    ('{question}',)
    >>> load_pool("no such task").templates
    ('{option}',)
    """
    data = _read(task)
    return Pool(
        task=task,
        prompts=tuple(data.get("prompts", ("{question}",))),
        multiturn_prompts=_pairs(data.get("multiturn_prompts", ())),
        templates=tuple(data.get("templates", ("{option}",))),
        multiturn_templates=_pairs(data.get("multiturn_templates", ())),
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
            f"id {index} is outside the {kind} of task '{pool.task}', which has {len(entries)}",
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
    data: Mapping[str, Any] = yaml.safe_load(entry.read_text("utf-8")) if entry else {}
    return data


def _pairs(entries: list[list[str]] | tuple[()]) -> tuple[Pair, ...]:
    return tuple((first, later) for first, later in entries)
