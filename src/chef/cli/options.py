"""The options of a command that asks a model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """The options of ``chef eval`` and ``chef task``; ``--help`` explains each."""

    model_cfg: tuple[str, ...]
    recipe_cfg: tuple[str, ...]
    judge_cfg: tuple[str, ...]
    save_dir: Path
    time: str | None
    fresh: bool
    reuse_answers: bool
    sample_len: int | None
    batch_size: int | None
    device: str | None
    dtype: str | None
    workers: int | None
    ray_address: str | None
    response_cache: Path | None
    seed: int
    verify: int
    log_prompts: bool
    timeout: float | None
    precision: float | None
    dry_run: bool
    list: bool
    traceback: bool
    by: tuple[str, ...]
    keep_going: bool
    overrides: tuple[str, ...]
    allow: tuple[str, ...] = ()
    report: bool = False
    open: bool = False


def is_override(text: str) -> bool:
    """Whether a word sets a key, ``key=value``; a path that is there never does."""
    try:
        return "=" in text and not Path(text).exists()
    except (OSError, ValueError):  # no file can have that name, as it is too long
        return True
