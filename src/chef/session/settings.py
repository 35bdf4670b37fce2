"""How recipes are run, and where their results are written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from chef.common.checked import whole_number
from chef.errors import ConfigError, nearest
from chef.run.plan import RunOptions

#: The word that allows to ask a table without a role of columns.
ALLOWED = {"images": "text-only", "answer": "unscored"}


@dataclass(frozen=True, slots=True)
class Settings:
    """How recipes are run, and where their results are written.

    Attributes:
        options: subset, random seed, batch size and verification.
        save_dir: the folder of all results.
        name: suffix of the run folder names; None continues the newest run of the same
            configuration, or starts one that has the date for its name.
        workers: number of replicas of the model, each in its own process. None runs the model in
            this process, or, with a ``ray_address``, one replica per GPU of the cluster.
        ray_address: address of the Ray cluster that the workers run on.
        response_cache: folder in which generated replies are cached for later calls.
        keep_going: whether the other recipes run where one cannot.
        fresh: move the run folders that are there aside, and ask everything again.
        reuse_answers: keep the answers in a run folder, though they were made with another
            configuration, weights or data.
        allow: what is asked all the same: ``text-only``, a table of which no column is known to
            hold images; ``unscored``, one without known answers.
        earlier: runs that say which samples are drawn, and what their scores are expected to be, or
            folders of such runs; empty for those of the same recipe below ``save_dir``, where
            ``options`` has a number of items.
        is_brief: leave out what is the same of many runs: that they are finished already.
        is_race: the scores of several models decide how many samples are asked.

    Raises:
        ConfigError: a value is invalid, or two settings exclude each other.
    """

    options: RunOptions = field(default_factory=RunOptions)
    save_dir: Path = Path("results")
    name: str | None = None
    workers: int | None = None
    ray_address: str | None = None
    response_cache: Path | None = None
    keep_going: bool = False
    fresh: bool = False
    reuse_answers: bool = False
    allow: tuple[str, ...] = ()
    earlier: tuple[Path, ...] = ()
    is_brief: bool = False
    is_race: bool = False

    @property
    def is_guided(self) -> bool:
        """Whether samples are drawn by what earlier runs say about them."""
        return self.options.items is not None or bool(self.earlier)

    def __post_init__(self) -> None:
        options = self.options
        if self.earlier and options.items is None and options.precision is None:
            raise ConfigError(
                "earlier runs say which samples to draw, and all are asked",
                where="earlier (--from)",
                hint="say how many with items (--items N), or how well the figure is to be known "
                "with precision (--precision POINTS)",
            )
        if self.earlier and options.sample_len is not None:
            raise ConfigError(
                "samples that earlier runs say are drawn from all",
                where="earlier (--from)",
                hint="write items (--items N) instead of limit (--limit N), or leave it out",
            )
        if self.workers is not None:
            object.__setattr__(self, "workers", whole_number(self.workers, "workers", 1))
        if self.options.verify and (self.workers is not None or self.ray_address is not None):
            raise ConfigError(
                "the fast scorer is checked within one process",
                where="verify",
                hint="leave out the workers, or the verification",
            )
        if re.match(r"\w\w+:/", str(self.save_dir)):  # of a URL, of which a path drops a slash
            raise ConfigError(
                "is an address, and no folder",
                where=f"save_dir ('{self.save_dir}')",
                hint="give it as a text: chef.evaluate(..., save_dir='s3://BUCKET/PREFIX'), or "
                "`chef eval MODEL RECIPE --save-dir URL`",
            )
        for word in self.allow:
            if word not in ALLOWED.values():
                hint = nearest(word, ALLOWED.values())
                raise ConfigError(f"'{word}' is not known", where="--allow", hint=hint)
        if self.fresh and self.reuse_answers:
            raise ConfigError(
                "answers are either asked again or kept",
                where="fresh, reuse_answers",
                hint="leave one of the two out",
            )
        if self.name is not None and (not re.search(r"\w", self.name) or "/" in self.name):
            raise ConfigError(
                f"{self.name!r} is no name of a run",
                where="name (--run_name)",
                hint="write letters, digits and hyphens; --save_dir names the folder",
            )
