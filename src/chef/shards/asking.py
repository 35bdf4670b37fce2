"""One worker does a shard: it asks, journals, reads and scores it, and makes the part of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from chef.common.digest import content_digest
from chef.embedding.cache import cache_folder
from chef.errors import RunError, SampleError
from chef.evaluator import Evaluator
from chef.frozen import Frozen
from chef.guard.folder import read_bytes
from chef.run.folder import RunFolder
from chef.run.journal import JOURNAL
from chef.run.journal_line import encode
from chef.run.plan import Runner
from chef.scoring.result import RESULTS, RunResult, score_file_of
from chef.shards.claims import part_name
from chef.shards.cutting import Shard
from chef.shards.part import pack
from chef.shards.run import Workers
from chef.shards.statistics import ShardStatistics, statistics_of
from chef.shards.store import Store
from chef.types import Prediction, Status

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
