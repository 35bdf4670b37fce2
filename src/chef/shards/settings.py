"""What a run in an object store was begun with, ``run.json``: its shards, cut by hashes of ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import ceil
from typing import Any

import msgspec

from chef.common.digest import digest, fraction
from chef.common.redaction import redact_data
from chef.common.writing import json_line
from chef.config import ModelSpec
from chef.errors import ConfigError, DataError
from chef.evaluator import Evaluator
from chef.frozen import Frozen
from chef.run.configuration import differences
from chef.run.environment import fingerprints
from chef.run.subset import ids_digest
from chef.shards.store import Store

#: How many samples a shard has, about; and the most, so that sums of its scores stay exact.
SIZE, MOST = 10_000, 2**20


class Shard(Frozen):
    """A part of the samples of a run: ``00003-of-00012``, and the sorted ids."""

    name: str
    ids: tuple[str, ...]


def cut(
    ids: Iterable[str], size: int = SIZE, group: Callable[[str], str | None] = lambda _: None
) -> list[Shard]:
    """Cut the samples of a run into shards of about ``size`` (1 to 2^20 / 2) samples, by name.

    There are ``k = ceil(samples / size)``. A sample is in shard ``floor(k h / 2^32)``, where h is
    the first 32 bits of BLAKE2b (4 bytes long) of its key in UTF-8: its group, which is scored as
    one and never torn, else its id. Neither order nor machine decides it.

    >>> [(shard.name, len(shard.ids)) for shard in cut(map(str, range(1000)), 400)]
    [('00000-of-00003', 324), ('00001-of-00003', 330), ('00002-of-00003', 346)]
    """
    if not 1 <= size <= MOST // 2:
        raise ConfigError(
            f"{size} is no number of samples from 1 to {MOST // 2}",
            where="--shard-size",
            hint=f"leave it out for {SIZE}",
        )
    names = sorted(ids)
    count = max(1, ceil(len(names) / size))
    members: dict[int, list[str]] = {}
    for name in names:
        members.setdefault(int(fraction(group(name) or name) * count), []).append(name)
    return [
        Shard(f"{number:05d}-of-{count:05d}", tuple(of)) for number, of in sorted(members.items())
    ]


SETTINGS = "run.json"


class ShardSettings(Frozen):
    """The settings of a run.

    Attributes:
        model, recipe, scenario: the names.
        config: what decides answers, as config.yaml has it.
        made_with: digests of the weights, the data and the pool of examples.
        samples: how many samples there are.
        ids: the digest of their ids.
        shards: the names of the shards.
        metrics: the name and the keys of each metric, the main one first.
        groupings: the fields by which samples are grouped.
        random_accuracy: what guessing scores by the main metric, in 0..1; None where unknown.
        seed: of the weights of the bootstrap.
    """

    model: str
    recipe: str
    scenario: str
    config: dict[str, Any]
    made_with: dict[str, str]
    samples: int
    ids: str
    shards: tuple[str, ...]
    metrics: tuple[tuple[str, dict[str, Any]], ...]
    groupings: dict[str, str]
    random_accuracy: float | None = None
    seed: int = 0

    @classmethod
    def of(
        cls, evaluator: Evaluator, spec: ModelSpec, fingerprint: str, model: str,
        shards: Sequence[Shard],
    ) -> ShardSettings:  # fmt: skip
        """The settings of a recipe that is about to be asked."""
        examples = evaluator.provenance(spec)["encoder or the pool of examples"]
        specs = evaluator.recipe.metric_specs(evaluator.scenario)
        settings = cls(
            model=model,
            recipe=evaluator.recipe.name,
            scenario=evaluator.scenario.name,
            config=evaluator.config(spec),
            made_with={
                **fingerprints(fingerprint, evaluator.scenario.fingerprint()),
                "examples": digest(examples),
            },
            samples=len(evaluator.ids),
            ids=ids_digest(evaluator.ids),
            shards=tuple(shard.name for shard in shards),
            metrics=tuple((item.name, item.effective()) for item in specs),
            groupings=dict(evaluator.metrics.groupings),
            random_accuracy=evaluator.scenario.random_accuracy,
            seed=evaluator.options.seed,
        )
        return _decoded(json_line(settings))

    @property
    def label(self) -> str:
        """``scenario/recipe``."""
        return f"{self.scenario}/{self.recipe}"

    @property
    def digest(self) -> str:
        """The name by which parts refer to these settings."""
        return digest(msgspec.to_builtins(self))

    def begun(self, store: Store) -> ShardSettings:
        """Write them where the run begins, else those it began with; `ConfigError` if others."""
        if store.create(SETTINGS, json_line(self)):
            return self
        before = read_settings(store)
        changes = differences(before.config, self.config)
        # What else differs in the configuration decides nothing.
        plain, now = (msgspec.to_builtins(replace(item, config={})) for item in (before, self))
        changes += [f"{key}: {_short(plain[key])} there, {_short(now[key])} now"
                    for key in plain if plain[key] != now[key]]  # fmt: skip
        if changes:
            raise ConfigError(
                "this run has parts of other settings:\n    " + "\n    ".join(changes),
                where=store.place(SETTINGS),
                hint="--run-name NAME starts another run; parts are never changed, and `chef score "
                "URL --metric NAME` scores them by another metric",
            )
        return before


def _short(value: Any) -> str:
    text = redact_data(repr(value))
    return text if len(text) <= 80 else f"{text[:79]}…"


def _decoded(data: bytes) -> ShardSettings:
    return msgspec.json.decode(data, type=ShardSettings)


def read_settings(store: Store) -> ShardSettings:
    """The settings of a run; `DataError` where there is none, or they are damaged."""
    data = store.read(SETTINGS)
    if data is None:
        raise DataError(
            f"there is no run: it has no {SETTINGS}",
            where=store.url,
            hint="give the address that `chef eval --save-dir URL` printed",
        )
    try:
        return _decoded(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise DataError(
            f"the settings of the run cannot be read ({error})",
            where=store.place(SETTINGS),
            hint="another version of chef may have written them; --run-name NAME starts another "
            "run",
        ) from None
