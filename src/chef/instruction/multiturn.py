"""The wordings of a multi-turn recipe: a pair of prompts and a pair of answer templates.

The first of a pair is for turns that ask what there is, the second for later turns, which refer to
an earlier answer (``{prefix}``).
"""

from __future__ import annotations

from collections.abc import Sequence

from chef.errors import ConfigError
from chef.instruction.pools import Pair, WordingPool, pool_entry

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
