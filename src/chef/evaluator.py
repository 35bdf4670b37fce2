"""The one place where a recipe's ingredients meet a model."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from chef.common.digest import content_digest
from chef.common.version import VERSION
from chef.config import ModelSpec, Recipe
from chef.config.instruction import pool_of
from chef.config.secrets import redact
from chef.engine.batch_loop import BatchLoopEngine
from chef.engine.engine import Engine, Job
from chef.engine.response_cache import ResponseCache
from chef.engine.verify import Verified, verify
from chef.errors import ChefError, ConfigError, DataError, RunError, SampleError
from chef.inferencer.batch_loop import RunContext, has_own_loop
from chef.instruction.examples import ExampleFormat
from chef.instruction.retriever import ExamplePool, Retriever
from chef.instruction.retriever.upstream import ChefRetriever, EvaluatedSet
from chef.metric import Metric, Report
from chef.models import Model
from chef.run import compatibility
from chef.run.environment import provenance, refuse_change
from chef.run.folder import JOURNAL, RunFolder
from chef.run.plan import Plan, Runner, RunOptions
from chef.run.session import Session
from chef.run.subset import draw_indices
from chef.scoring.scoring import RESULTS, SCORES, MetricRun
from chef.types import Prediction, Request, Sample

_log = logging.getLogger(__name__)
#: How many samples are tried before a scenario counts as unaskable.
PREVIEW_TRIES = 20


@dataclass(frozen=True, slots=True)
class Preview:
    """The first sample that can be asked, and what it asks."""

    sample: Sample
    request: Request


class Evaluator:
    """A recipe ready to run: scenario, instruction, inferencer and metric, checked together.

    Args:
        recipe: the checked recipe.
        options: how much of it is asked, and with which random seed.

    Raises:
        ConfigError: the ingredients do not fit each other.
        DataError: the scenario's data is missing or malformed as a whole.
    """

    def __init__(self, recipe: Recipe, options: RunOptions | None = None) -> None:
        self.recipe = recipe
        self.options = options or RunOptions()
        self._decided: dict[str, str] = {}
        with _of(recipe):
            self.scenario = recipe.scenario.build()
            scenario, wanted = self.scenario, self.options.sample_len
            drawn = draw_indices(len(scenario), wanted, self.options.seed, scenario.group)
            metric = recipe.metric_spec(self.scenario)
            chance = self.scenario.random_accuracy
            self.metric_run = MetricRun(recipe.name, self.scenario.name, metric, chance)
            self.retriever, style = self._examples(drawn)
            self.instruction = recipe.instruction.build(
                pool_of(self.scenario), self.scenario.system_message, self.retriever, style
            )
            self.inferencer = recipe.inferencer.build(self.instruction).bind(
                RunContext(self.options.seed, self.scenario, self.batch_size or 1)
            )
            compatibility.check(self.inferencer, self.metric_run.metric)
        notices = [*metric.notices, recipe.compat_notice(metric)]
        for notice in filter(None, notices):
            _log.warning("%s: %s", recipe.document.path, notice)
        self._index = {self.scenario.sample_id(index): index for index in sorted(drawn)}
        self._check_ids(len(drawn))

    def _check_ids(self, expected: int) -> None:
        where = f"scenario {self.scenario.name}"
        if not expected:
            raise DataError("has no samples", where=where, hint="choose another split or size")
        if any(not isinstance(name, str) for name in self._index):
            raise DataError("sample ids must be text", where=where, hint="return str(...)")
        if len(self._index) < expected:
            raise DataError(
                f"{expected - len(self._index)} sample ids occur more than once",
                where=where,
                hint="ids must be unique: answers are journaled by id",
            )

    def _examples(self, drawn: Sequence[int]) -> tuple[Retriever | None, ExampleFormat | None]:
        """What chooses in-context examples, ready to serve, and how they are shown."""
        wanted = self.recipe.incontext
        if wanted is None:
            return None, None
        retriever = wanted.retriever.build()
        if isinstance(retriever, ChefRetriever):
            batch = self.options.batch_size or self.recipe.batch_size or 1  # ChEF's default
            retriever.prepare(EvaluatedSet(self.scenario, drawn, batch))
            # Here the subset and the batches decide which examples are shown.
            self._decided["examples"] = _digest(batch, *map(self.scenario.sample_id, drawn))
        else:
            retriever.prepare(ExamplePool(self.scenario.pool() or self.scenario))
        return retriever, wanted.style

    @property
    def metric(self) -> Metric:
        """The metric that scores the answers."""
        return self.metric_run.metric

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the samples to ask, in the scenario's order: the canonical order of a run."""
        return tuple(self._index)

    @property
    def batch_size(self) -> int | None:
        """Samples a batch; None lets the engine choose."""
        return self.options.batch_size or self.recipe.batch_size

    def prefetch(self, todo: Sequence[str]) -> None:
        """Choose the examples of these samples together, which is faster than one by one."""
        if self.retriever is not None:
            self.retriever.prefetch(self.scenario, [self._index[name] for name in todo])

    def release(self) -> None:
        """Free the memory that choosing examples has taken."""
        if self.retriever is not None:
            self.retriever.release()

    def engine(
        self, model: Model, responses: ResponseCache | None = None, journal: Path | None = None
    ) -> Engine:
        """The engine that asks ``model`` the samples of this recipe.

        Args:
            model: answers.
            responses: what it has replied before.
            journal: the file of the run's predictions, for inferencers that want to know it.
        """
        make = BatchLoopEngine if has_own_loop(self.inferencer) else Engine
        inferencer = self.inferencer.bind(replace(self.inferencer.context, results_path=journal))
        return make(model, inferencer, self.batch_size, responses=responses)

    def verify(self, model: Model, todo: Sequence[str]) -> Verified | None:
        """Score some samples in both of the model's ways; None where that is not wanted."""
        if not self.options.verify:
            return None
        return verify(model, self.inferencer, todo, self._make, self.options.verify)

    def plan(self, todo: Sequence[str], journal: Path) -> Plan:
        """What a runner needs to ask these samples.

        Args:
            todo: their ids.
            journal: the file that the predictions are journaled in.
        """
        return Plan(
            recipe=self.recipe,
            options=self.options,
            todo=todo,
            batch_size=self.batch_size,
            journal=journal,
            prefetch=self.prefetch,
            release=self.release,
            jobs=self.jobs,
            engine=partial(self.engine, journal=journal),
            verify=self.verify,
            provenance=self.provenance,
        )

    def jobs(self, todo: Iterable[str]) -> Iterator[Job]:
        """What an engine runs: each of these samples, made when its turn comes."""
        for name in todo:
            yield Job(name, partial(self._make, name))

    def preview(self) -> Preview:
        """The first sample that can be asked; a cheap proof that the recipe makes sense.

        Samples that cannot be made are passed over: they are errors of their own, later.

        Raises:
            ConfigError: no sample can be made, or none of those made can be asked.
        """
        failure: Exception | None = None
        tries = PREVIEW_TRIES
        for name in self.ids:
            try:
                sample = self._make(name)
            except Exception as error:
                failure = failure or error
                continue
            try:
                return Preview(sample, next(self.inferencer.infer(sample)))
            except (RunError, ConfigError):
                raise
            except Exception as error:
                failure, tries = error, tries - 1
            if not tries:
                break
        reason = str(failure) if isinstance(failure, ChefError) else repr(failure)
        raise ConfigError(
            f"no sample can be asked; for example: {reason}", where=str(self.recipe.document.path)
        )

    def config(self, model: ModelSpec) -> dict[str, Any]:
        """Everything that decides the answers, secrets removed: the content of config.yaml.

        ``decided_by`` holds digests of what the two files themselves do not show.
        """
        documents = (model.document, self.recipe.document)
        return {
            "model_cfg": model.effective(),
            "recipe_cfg": self.recipe.effective(),
            "run": {"sample_len": self.options.sample_len, "seed": self.options.seed},
            "decided_by": {
                "wording": _digest(*self.instruction.prompts, *self.instruction.templates),
                "plugins": _digest(*model.plugins, *self.recipe.plugins),
                "environment": _digest(*(document.from_environment() for document in documents)),
                **self._decided,
            },
        }

    def provenance(self, model: ModelSpec) -> dict[str, Any]:
        """What must be the same wherever samples of this recipe are asked."""
        examples = self.retriever.record() if self.retriever is not None else None
        return {
            "version of chef": VERSION,
            "configuration": self.config(model),
            "data": self.scenario.fingerprint(),
            "encoder or the pool of examples": _without_recall(examples),
        }

    def evaluate(
        self,
        model: Model,
        folder: RunFolder,
        runner: Runner,
        *,
        on_prediction: Callable[[Prediction], None] | None = None,
    ) -> Report:
        """Ask what is not answered yet, score everything, write the results.

        Args:
            model: tells its fingerprint; loaded only if it is asked.
            folder: the run's folder; every answer is journaled there at once.
            runner: asks ``model`` in this process, or replicas of it in others.
            on_prediction: called with every new prediction, for progress.

        Raises:
            ConfigError: the folder's answers come from other weights or other data.
            RunError: the run cannot go on; what was journaled stays.
        """
        environment = provenance(model.fingerprint(), self.scenario.fingerprint(), folder)
        todo = folder.todo(self.ids)
        if todo:
            runner.prepare()
            self._ask(runner, folder, todo, environment, on_prediction)
        return self.score(folder)

    def score(self, folder: RunFolder) -> Report:
        """Score the journal and write results.json and scores.jsonl. Needs no model."""
        predictions = [folder.finished[name] for name in self.ids if name in folder.finished]
        report = self.metric_run.score(predictions, len(self.ids), folder.path)
        folder.write_lines(SCORES, report.samples)
        folder.write_json(RESULTS, self.metric_run.results(report, JOURNAL))
        return report

    def _ask(
        self,
        runner: Runner,
        folder: RunFolder,
        todo: list[str],
        environment: dict[str, Any],
        on_prediction: Callable[[Prediction], None] | None,
    ) -> None:
        handle = runner.start(self.plan(todo, folder.path / JOURNAL))
        if self.retriever is not None:
            environment["retriever"] = used = self.retriever.record()
            before = folder.read_json("environment.json").get("retriever")
            before, now = (_without_recall(record) for record in (before, used))
            refuse_change("encoder or the pool of examples", before, now, folder)
        settings = {"seed": self.options.seed, "batch_size": self.batch_size or "auto"}
        with Session(folder, environment, settings, handle.statistics) as session:
            for prediction in handle.run():
                safe = _redacted(prediction)
                folder.append(safe)
                session.asked += 1
                if on_prediction is not None:
                    on_prediction(safe)

    def _make(self, name: str) -> Sample:
        sample = self.scenario[self._index[name]]
        if sample.id != name:
            raise SampleError(
                f"the sample calls itself '{sample.id}'",
                where=f"sample '{name}'",
                hint="let sample_id(index) and the sample's id agree",
            )
        return sample


def _without_recall(record: dict[str, Any] | None) -> dict[str, Any] | None:
    """What the choice of examples stands on; the recall of an index is measured on the queries."""
    return record and {key: value for key, value in record.items() if key != "recall"}


def _digest(*parts: object) -> str:
    return content_digest(repr(parts), size=8)


@contextmanager
def _of(recipe: Recipe) -> Iterator[None]:
    """Errors of constructors know the key; say of which file."""
    try:
        yield
    except ConfigError as error:
        raise recipe.document.located(error) from None


def _redacted(prediction: Prediction) -> Prediction:
    if prediction.error is None:
        return prediction
    error = {key: redact(text) for key, text in prediction.error.items()}
    return Prediction(
        prediction.sample_id, prediction.status, sample=prediction.sample, error=error
    )
