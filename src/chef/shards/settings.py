"""What an object store has of a run: `run.json` with its settings and shards, and a part of each.

A part keeps a shard, with its statistics, answers and scores. It is three gzip members after each
other, so that the first can be read alone, and all of them are JSON lines: the head, the lines of
predictions.jsonl (without the effort, which is never twice the same), and those of scores.jsonl. It
holds no clock: a shard that is done twice is the same bytes.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import ceil
from typing import Any

import msgspec

from chef.common.digest import content_digest, digest, fraction
from chef.common.redaction import redact_data
from chef.common.writing import json_line
from chef.config import ModelSpec
from chef.errors import ConfigError, DataError
from chef.evaluator import Evaluator
from chef.frozen import Frozen
from chef.run.answers import decode
from chef.run.configuration import differences
from chef.run.environment import fingerprints
from chef.run.subset import ids_digest
from chef.shards.statistics import ShardStatistics
from chef.shards.store import Store
from chef.types import Prediction

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


#: The most bytes of a member that are unpacked: a part may come from somebody else.
_MOST = 2**31


class Head(msgspec.Struct, frozen=True, tag_field="format", tag=1):
    """What the first member of a part says; ``body`` is the digest of the other two."""

    shard: str
    settings: str
    samples: int
    body: str
    statistics: tuple[ShardStatistics, ...]


def pack(
    shard: str,
    settings: str,
    statistics: Sequence[ShardStatistics],
    answers: Sequence[bytes],
    scores: bytes,
) -> tuple[bytes, bytes]:
    """The bytes of a part: those of its head, and the others (journal lines, scores.jsonl)."""
    body = _zipped(b"".join(answers)) + _zipped(scores)
    head = Head(shard, settings, len(answers), content_digest(body), tuple(statistics))
    return _zipped(json_line(head)), body


def _zipped(data: bytes) -> bytes:
    return gzip.compress(data, 6, mtime=0)


def read_head(data: bytes, where: str) -> Head | None:
    """The head of a part; None where more bytes are needed, `DataError` where it is none."""
    head, rest = _member(data, where)
    return None if rest is None else _head(head, where)


def whole_head(data: bytes, where: str) -> Head:
    """The head of a part of which these are all bytes that matter; else a `DataError`."""
    if (head := read_head(data, where)) is None:
        raise _damaged(where, "it ends within its head")
    return head


class StoredPart(Frozen):
    """A part: its head, the answers, and their scores by the main metric as in scores.jsonl."""

    head: Head
    answers: Sequence[Prediction]
    scores: Sequence[dict[str, Any]]


def read_part(data: bytes, where: str) -> StoredPart:
    """A whole part; `DataError` where it is damaged."""
    first, body = _member(data, where)
    head = _head(first, where)
    if body is None or content_digest(body) != head.body:
        raise _damaged(where, "its bytes are not those that its head names")
    answers, rest = _member(body, where)
    scores, _ = _member(rest or b"", where)
    try:
        entries = [msgspec.json.decode(line) for line in scores.splitlines()]
        return StoredPart(head, [decode(line) for line in answers.splitlines()], entries)
    except (ValueError, RecursionError) as error:
        raise _damaged(where, str(error)) from None


def _member(data: bytes, where: str) -> tuple[bytes, bytes | None]:
    """The content of the first gzip member, and what follows; None where its end is not there."""
    unpacker = zlib.decompressobj(31)
    try:
        content = unpacker.decompress(data, _MOST)
    except zlib.error as error:
        raise _damaged(where, str(error)) from None
    if unpacker.unconsumed_tail:
        raise _damaged(where, f"it holds more than {_MOST} bytes")
    return content, unpacker.unused_data if unpacker.eof else None


def _head(content: bytes, where: str) -> Head:
    try:
        return msgspec.json.decode(content, type=Head)
    except (ValueError, RecursionError) as error:
        raise _damaged(where, str(error)) from None


def _damaged(where: str, why: str) -> DataError:
    return DataError(
        f"the part cannot be read ({why})",
        where=where,
        hint="remove the object; the `chef eval` command of the run asks its shard again",
    )
