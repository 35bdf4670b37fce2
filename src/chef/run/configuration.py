"""The configuration of a run, config.yaml: read it, and compare it with another one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from chef.config.code_digest import is_same_code
from chef.config.document import read_source
from chef.config.ignored import comparable, with_new_keys
from chef.errors import ConfigError
from chef.models.api.traffic import TRAFFIC_KEYS

CONFIG = "config.yaml"
OTHER_NAME = "choose another name for this run with --run_name NAME (Python: name=)"
#: Settings that do not affect answers, so a run may be resumed with other values.
FREE_KEYS = (
    "model_cfg.device",
    "run.sample_len",
    "recipe_cfg.eval_cfg.instruction_cfg.incontext_cfg.device",
)
#: The same for a model behind a server: the name of the key's variable, and its traffic.
_SERVER_KEYS = frozenset(f"model_cfg.{key}" for key in (*TRAFFIC_KEYS, "api_key_env"))
#: Metrics read answers and decide none: after a change of theirs the answers are scored again.
_METRICS = "recipe_cfg.eval_cfg.metric_cfg"
#: So do judges: after a change of theirs the answers are judged again.
_JUDGES = "recipe_cfg.eval_cfg.judge_cfg"
_PLUGINS, _FILES, _ABSENT = "decided_by.plugins", "decided_by.plugin_files", "(absent)"


def read_config(path: Path) -> dict[str, Any]:
    """Read config.yaml of a run folder, variables of the environment unresolved.

    Raises ConfigError.
    """
    file = path / CONFIG
    try:
        config = read_source(file, of_run=True).content
    except ConfigError as error:
        hint = error.hint if "a link" in error.what else OTHER_NAME
        raise ConfigError(error.what, where=error.where, hint=hint) from None
    check_config(config, file)
    return config


class _Run(msgspec.Struct):
    sample_len: int | None = None
    seed: int = 0


class _Config(msgspec.Struct):
    """What is read of config.yaml."""

    model_cfg: dict[str, Any] = {}
    recipe_cfg: dict[str, Any] = {}
    run: _Run = msgspec.field(default_factory=_Run)
    decided_by: dict[str, Any] = {}


def check_config(config: Any, file: Path) -> None:
    """Check the content of config.yaml.

    ConfigError: a section is no mapping, or a number is none.
    """
    try:
        msgspec.convert(config, _Config)
    except msgspec.ValidationError as error:
        what = f"the file is not what chef writes ({error})"
        raise ConfigError(what, where=str(file), hint=OTHER_NAME) from None


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """The keys in which two configurations differ, with both values; of plugins the files.

    A key that an earlier version did not have counts as its default there.
    """
    now = comparable(now)
    old, new = _flat(with_new_keys(comparable(before), now)), _flat(now)
    files = {key: _plugin_change(key, old, new) for key in (*old, *new) if key.startswith(_FILES)}
    free = {*FREE_KEYS, *(_SERVER_KEYS if _is_of_a_server(now) else ())}
    changes = []
    for key in sorted({*old, *new}):
        one, other = old.get(key, _ABSENT), new.get(key, _ABSENT)
        if one == other or key in free or key.startswith((_FILES, _METRICS, _JUDGES)):
            continue
        if key == _PLUGINS and is_same_code(one, other):
            continue
        if key == _PLUGINS:
            what = "; ".join(filter(None, files.values())) or "the code of a plugin has changed"
            changes.append(f"{key}: {what}")
        else:
            changes.append(f"{key}: {one!r} in the folder, {other!r} now")
    return changes


def without_judges(config: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration without its judges, who decide no answer."""
    recipe = config.get("recipe_cfg") or {}
    evaluation = {
        key: value for key, value in recipe.get("eval_cfg", {}).items() if key != "judge_cfg"
    }
    return {**config, "recipe_cfg": {**recipe, "eval_cfg": evaluation}}


def _is_of_a_server(config: Mapping[str, Any]) -> bool:
    """Whether the model has all keys of `Traffic`; a class of a user's may have one for itself."""
    keys = config.get("model_cfg") or {}
    return all(key in keys for key in TRAFFIC_KEYS)


def _plugin_change(key: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """How one plugin file differs; empty where it does not, or where the folder does not tell."""
    name, one, other = key.removeprefix(_FILES).removeprefix("."), old.get(key), new.get(key)
    if is_same_code(one, other) or not name or not any(item.startswith(_FILES) for item in old):
        return ""
    how = "is new" if one is None else "is no longer used" if other is None else "has changed"
    return f"the file {name} {how}"


def _flat(node: Any, prefix: str = "") -> dict[str, Any]:
    if isinstance(node, Mapping) and node:
        flat: dict[str, Any] = {}
        for key, value in node.items():
            flat.update(_flat(value, f"{prefix}.{key}" if prefix else str(key)))
        return flat
    return {prefix: list(node) if isinstance(node, tuple) else node}


def asks_more(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether the run with configuration ``one`` has more samples than the one with ``other``."""
    more, less = sample_len(one), sample_len(other)
    return less is not None and (more is None or more > less)


def subset(config: Mapping[str, Any]) -> dict[str, Any]:
    """What config.yaml says of which samples are asked."""
    run = config.get("run")
    named = {"ids": run["ids"]} if isinstance(run, Mapping) and "ids" in run else {}
    return {"sample_len": sample_len(config), **named}


def sample_len(config: Mapping[str, Any]) -> int | None:
    """The number of samples that a run was asked for; None for all."""
    run = config.get("run")
    length: int | None = run.get("sample_len") if isinstance(run, Mapping) else None
    return length
