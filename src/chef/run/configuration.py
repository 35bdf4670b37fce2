"""The configuration of a run, config.yaml: read it, and compare it with another one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from chef.config.ignored import comparable
from chef.errors import ConfigError

CONFIG = "config.yaml"
#: Settings that do not affect answers, so a run may be resumed with other values.
FREE_KEYS = (
    "model_cfg.device",
    "run.sample_len",
    "recipe_cfg.eval_cfg.instruction_cfg.incontext_cfg.device",
)


def read_config(path: Path) -> dict[str, Any]:
    """Read config.yaml of a run folder; references to environment variables stay unresolved.

    Raises:
        ConfigError: the file is unreadable.
    """
    from omegaconf import OmegaConf

    file = path / CONFIG
    try:
        config = OmegaConf.to_container(OmegaConf.load(file), resolve=False)
    except Exception as error:
        raise ConfigError(
            f"the file is unreadable ({error})",
            where=str(file),
            hint="choose another name for this run with --run_name NAME (Python: name=)",
        ) from None
    return cast("dict[str, Any]", config)


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """List the keys in which two configurations differ, with both values."""
    old, new = _flat(comparable(before)), _flat(comparable(now))
    return [
        f"{key}: {old.get(key, '(absent)')!r} in the folder, {new.get(key, '(absent)')!r} now"
        for key in sorted({*old, *new})
        if old.get(key, "(absent)") != new.get(key, "(absent)") and key not in FREE_KEYS
    ]


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


def sample_len(config: Mapping[str, Any]) -> int | None:
    """The number of samples that a run was asked for; None for all."""
    run = config.get("run")
    length: int | None = run.get("sample_len") if isinstance(run, Mapping) else None
    return length
