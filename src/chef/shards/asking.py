"""Asks the shards of a run: hands them out, does each, and adds up what is told of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from chef.common.digest import content_digest
from chef.common.logs import logger
from chef.common.writing import json_line
from chef.embedding.cache import cache_folder
from chef.errors import ConfigError, RunError, SampleError
from chef.evaluator import Evaluator
from chef.frozen import Frozen
from chef.guard.folder import read_bytes
from chef.run.answers import encode
from chef.run.folder import RunFolder
from chef.run.journal import JOURNAL
from chef.run.plan import Runner
from chef.scoring.result import RESULTS, RunResult, score_file_of
from chef.shards.settings import Head, Shard, ShardSettings, pack, read_head, whole_head
from chef.shards.statistics import ShardStatistics, merged, statistics_of
from chef.shards.store import PARTS, Claims, Driver, Store, part_name
from chef.types import Prediction, Status

_log = logger(__name__)
#: The object that ends a run: what its parts tell together.
MANIFEST = "manifest.json"


class Manifest(msgspec.Struct, frozen=True):
    """What ends a run: its parts with the digests of their heads, and the statistics of all."""

    settings: str
    samples: int
    parts: dict[str, str]
    statistics: tuple[ShardStatistics, ...]


#: So many bytes are read first to find the head of a part.
_FIRST = 2**16

#: Does shards as they come, each of which is claimed when it is taken; yields their heads, in any
#: order, in the bytes of a part.
Workers: TypeAlias = Callable[[Iterator[Shard]], Iterator[bytes]]


class ShardedRun:
    """A run of a recipe in an object store; `ConfigError` where one of other settings is there."""

    def __init__(self, store: Store, settings: ShardSettings, driver: Driver | None = None) -> None:
        self.store, self.settings = store, settings.begun(store)
        self._claims = Claims(store, driver or Driver.here())

    def ask(self, shards: Sequence[Shard], workers: Workers) -> ShardStatistics:
        """Ask the shards that have no part yet; the sums of all. After a `RunError` it goes on."""
        heads = heads_of(self.store, self.settings)
        held: dict[str, str] = {}
        todo = [shard for shard in shards if shard.name not in heads]
        _log.info("%s: %d of %d shards are there", self.store.url, len(heads), len(shards))
        claimed = self._claimed(todo, held)
        for data in workers(claimed) if todo else ():
            head = whole_head(data, self.store.url)
            heads[head.shard] = head
            self._claims.drop(head.shard)
            _log.info(
                "%s: shard %s is there, %d of %d", self.store.url, head.shard, len(heads),
                len(shards),
            )  # fmt: skip
        heads |= heads_of(self.store, self.settings, heads)
        if missing := [shard.name for shard in shards if shard.name not in heads]:
            raise self._not_whole(missing, held)
        return self._end(heads)

    def _claimed(self, todo: Iterable[Shard], held: dict[str, str]) -> Iterator[Shard]:
        """The shards that this driver claims, one when it is asked for; ``held`` has the others."""
        for shard in todo:
            if claim := self._claims.take(shard.name):
                held[shard.name] = claim
            elif self.store.read(part_name(shard.name), 1) is not None:  # made meanwhile
                self._claims.drop(shard.name)
            else:
                yield shard

    def _not_whole(self, missing: Sequence[str], held: Mapping[str, str]) -> RunError:
        names = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
        claim = held.get(missing[0])
        if claim is None:
            return RunError(f"shards have no part: {names}", where=self.store.url)
        return RunError(
            f"another driver asks {len(missing)} of the shards: {names}",
            where=self.store.place(claim),
            hint="when it has ended, the same command tells the result; if it was killed on "
            "another machine, remove this object first",
        )

    def _end(self, heads: Mapping[str, Head]) -> ShardStatistics:
        """Add up all parts, and write the manifest, unless it is there."""
        self._claims.drop()  # of drivers that were killed after their last put
        ordered = [heads[name] for name in sorted(heads)]
        every = [merged(of) for of in zip(*(head.statistics for head in ordered), strict=True)]
        manifest = Manifest(
            self.settings.digest,
            sum(head.samples for head in ordered),
            {part_name(head.shard): head.body for head in ordered},
            tuple(every),
        )
        if not self.store.create(MANIFEST, json_line(manifest)):
            _log.warning(
                "%s: the manifest there is of other parts; remove it, and the same command writes "
                "it again", self.store.place(MANIFEST),
            )  # fmt: skip
        return every[0]


def statistics_there(store: Store, settings: ShardSettings) -> ShardStatistics | None:
    """The sums of all parts that are there; None for none. Of a finished run one object is read."""
    if (data := store.read(MANIFEST)) is not None:
        with suppress(msgspec.DecodeError):  # of another version: the parts tell
            manifest = msgspec.json.decode(data, type=Manifest)
            if manifest.settings == settings.digest and manifest.statistics:
                return manifest.statistics[0]
    heads = heads_of(store, settings)
    return merged(heads[name].statistics[0] for name in sorted(heads)) if heads else None


def heads_of(
    store: Store, settings: ShardSettings, before: Mapping[str, Head] | None = None
) -> dict[str, Head]:
    """The heads of the parts that are there by their shards; those of ``before`` are not read."""
    heads = dict(before or {})
    expected = {part_name(name): name for name in settings.shards}
    for name in store.names(PARTS):
        if name not in expected:
            raise _of_others(store, name, "the run has no shard of that name")
        if expected[name] in heads:
            continue
        head = _read_head(store, name)
        if head is None:
            continue
        if (head.settings, head.shard) != (settings.digest, expected[name]):
            raise _of_others(store, name, "it was made of other settings")
        heads[head.shard] = head
    return heads


def _read_head(store: Store, name: str) -> Head | None:
    """The head of a part; None where it was removed meanwhile."""
    most = _FIRST
    while (data := store.read(name, most)) is not None:
        if (head := read_head(data, store.place(name))) is not None:
            return head
        if len(data) < most:
            return whole_head(data, store.place(name))
        most *= 8
    return None


def _of_others(store: Store, name: str, why: str) -> ConfigError:
    return ConfigError(
        f"a part is none of this run: {why}",
        where=store.place(name),
        hint="remove the object, and the same command asks its shard; or --run-name NAME starts "
        "another run",
    )


#: Asks some samples, whose journal is the given file, and yields the answers in any order.
Ask: TypeAlias = Callable[[Sequence[str], Path], Iterator[Prediction]]


class Work(Frozen):
    """What a worker has to know of a run to do a shard of it."""

    url: str
    settings: str
    config: Mapping[str, Any]
    seed: int


def do_shard(
    work: Work, shard: Shard, evaluator: Evaluator, ask: Ask, *, one_by_one: bool = False
) -> bytes:
    """Ask what is left of a shard, score it, and put its part into the store; its first bytes.

    Until then it has a run folder in chef's cache on this machine, so that the next process goes
    on. With ``one_by_one`` a sample that ended the process before is an error.
    """
    name = content_digest(f"{work.url} {work.settings} {shard.name}")
    path = cache_folder() / "shards" / name / evaluator.scenario.name / shard.name
    with RunFolder(path, work.config, is_own=True) as folder:
        journal = folder.path / JOURNAL
        if one_by_one:
            _ask_alone(folder, shard, ask, journal)
        elif todo := folder.todo(shard.ids):
            for prediction in ask(todo, journal):
                folder.append(prediction)
            folder.sync()
        answers = [folder.finished[one] for one in shard.ids if one in folder.finished]
        result = evaluator.metrics.score(folder, answers, len(shard.ids))
        head, body = pack(
            shard.name,
            work.settings,
            _statistics(evaluator, result, answers, work.seed),
            [encode(replace(answer, effort={})) for answer in answers],
            read_bytes(score_file_of(folder.path / RESULTS)),
        )
    store = Store(work.url)
    if not store.create(part_name(shard.name), head + body):
        raise RunError(
            "another part of this shard is there, which other answers were made into",
            where=store.place(part_name(shard.name)),
            hint="the same command goes on with that part; remove the object to ask it again",
        )
    shutil.rmtree(path.parents[1], ignore_errors=True)
    return head


def in_process(work: Work, evaluator: Evaluator, runner: Runner) -> Workers:
    """Does the shards of a run one after the other, by a runner of this process."""

    def ask(todo: Sequence[str], journal: Path) -> Iterator[Prediction]:
        return runner.start(evaluator.plan(todo, journal)).run()

    def do(shards: Iterator[Shard]) -> Iterator[bytes]:
        for shard in shards:
            runner.prepare()
            yield do_shard(work, shard, evaluator, ask)

    return do


def _ask_alone(folder: RunFolder, shard: Shard, ask: Ask, journal: Path) -> None:
    """Ask each sample by itself; before it is asked, it is journaled as the end of its worker."""
    error = SampleError("several workers have died with it, the last one with no other sample")
    for one in shard.ids:
        if one in folder.finished:
            continue
        content = {"type": type(error).__name__, "message": error.what}
        folder.append(Prediction(one, Status.ERROR, sample={"id": one}, error=content))
        folder.sync()
        for prediction in ask([one], journal):
            folder.append(prediction)


def _statistics(
    evaluator: Evaluator, result: RunResult, answers: Sequence[Prediction], seed: int
) -> list[ShardStatistics]:
    """The statistics by each metric."""
    fields = evaluator.metrics.groupings
    return [
        statistics_of(metric, one.metric_type, one, answers, fields, seed=seed)
        for metric, one in zip(evaluator.metrics.all, result.all_metrics, strict=True)
    ]
