"""Evaluate a model on one recipe."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from chef.common.digest import content_digest
from chef.common.logs import logger
from chef.common.redaction import redact, redact_data
from chef.common.version import VERSION
from chef.config.code_digest import digest_of_all
from chef.config.instruction import pool_of
from chef.config.metric import AT as METRIC_AT
from chef.config.plugins import modules_of
from chef.config.scenario import Shared, folders_looked_in
from chef.document.numbers import counted
from chef.errors import ChefError, ConfigError, DataError, RunError, SampleError
from chef.inferencer.base import RunContext, has_own_loop, started
from chef.instruction.retriever.upstream import ChefRetriever, EvaluatedSet
from chef.judge.fitting import check_metrics
from chef.models import Model, lifecycle
from chef.registry import in_scope
from chef.run.plan import Plan, Runner, RunOptions, choose_batches
from chef.run.rehearsal import Preview, Rehearsal, rehearse
from chef.run.subset import SampleIds, safe_sample
from chef.scenario.base import checked_sample
from chef.scoring.recipe_metrics import RecipeMetrics
from chef.scoring.sampled import check_sampled
from chef.scoring.scoring import Surroundings, metric_runs

if TYPE_CHECKING:
    from chef.common.judgements import Judging
    from chef.config import ModelSpec, Recipe
    from chef.engine.engine import Engine, Job
    from chef.engine.response_cache import ResponseCache
    from chef.engine.verify import Verified
    from chef.instruction.examples import ExampleFormat
    from chef.instruction.retriever import Retriever
    from chef.metric import Metric, Report
    from chef.run.folder import RunFolder
    from chef.scoring.result import RunResult
    from chef.types import Prediction, Sample

_log = logger(__name__)
#: Number of samples that may fail in a preview before the recipe is refused.
PREVIEW_TRIES = 20


class Evaluator:
    """A recipe ready to run: scenario, instruction, inferencer and metric, checked together."""

    def __init__(
        self, recipe: Recipe, options: RunOptions | None = None, shared: Shared | None = None
    ) -> None:
        self.recipe = recipe
        self.options = options or RunOptions()
        self._decided: dict[str, str] = {}
        self.batches = choose_batches(recipe, self.options.batch_size)
        with _of(recipe):
            self.scenario = (shared := shared or Shared()).scenario(recipe.scenario)
            scenario = self.scenario
            drawn = self.options.drawn(scenario)
            specs = recipe.metric_specs(self.scenario)
            groupings = recipe.scenario.kind.grouped_by(recipe.scenario.options)
            facts = recipe.name, scenario.name, specs, scenario.random_accuracy, groupings
            around = Surroundings(lambda: scenario, lambda: recipe.judge)
            self.metrics = RecipeMetrics(metric_runs(*facts, surroundings=around), groupings)
            style = self._examples(drawn, shared)
            asked = pool_of(scenario), scenario.system_message, self.retriever, style
            self.instruction = recipe.instruction.build(*asked)
            self.inferencer = recipe.inferencer.build(self.instruction).bind(
                RunContext(self.options.seed, self.scenario, self.batch_size or 1)
            )
            self.metrics.require(self.inferencer)
            check_sampled(scenario, self.inferencer, self.metrics.all)
            check_metrics(recipe.judge, self.metrics.all, recipe.document.where(*METRIC_AT))
        notices = [*(text for spec in specs for text in spec.notices), recipe.compat_notice(specs)]
        for notice in filter(None, notices):
            _log.warning("%s: %s", recipe.document.path, notice)
        if self.options.sample_len is not None and len(drawn) < len(scenario):
            groups = {scenario.group(index) for index in drawn}
            if None not in groups and len(groups) < len(drawn):  # rotations, pairs, sampled answers
                text = "%s: the limit counts answers: %d, in %s scored as one"
                _log.info(text, scenario.name, len(drawn), counted(len(groups), "groups"))
        self.samples = SampleIds.of(self.scenario, drawn)

    def _examples(self, drawn: Sequence[int], shared: Shared) -> ExampleFormat | None:
        """Build the retriever of in-context examples, and return their format."""
        self.retriever: Retriever | None = None
        if (wanted := self.recipe.incontext) is None:
            return None
        self.retriever = retriever = wanted.retriever.build()
        if isinstance(retriever, ChefRetriever):
            batch = self.batch_size or 1  # ChEF's default
            retriever.prepare(EvaluatedSet(self.scenario, drawn, batch))
            # With ChEF's rules the choice of examples depends on the subset and the batches.
            self._decided["examples"] = _digest(batch, *map(self.scenario.sample_id, drawn))
        else:
            retriever.prepare(shared.pool(wanted.retriever, self.scenario))
        return wanted.style

    @property
    def metric(self) -> Metric:
        """The main metric, which gives the running score."""
        return self.metrics.main

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of the samples to ask, in the order of the scenario; results use this order."""
        return tuple(self.samples.positions)

    @property
    def batch_size(self) -> int | None:
        """Samples per batch; None lets the engine choose."""
        return self.batches.size

    def prefetch(self, todo: Sequence[str]) -> None:
        """Choose the in-context examples of several samples at once, which is faster."""
        if self.retriever is not None:
            self.retriever.prefetch(self.scenario, [self.samples.positions[name] for name in todo])

    def release(self) -> None:
        """Free the memory used to choose in-context examples."""
        if self.retriever is not None:
            self.retriever.release()

    def engine(
        self, model: Model, responses: ResponseCache | None = None, journal: Path | None = None
    ) -> Engine:
        """The engine that asks ``model`` the samples of this recipe."""
        from chef.engine.batch_loop import BatchLoopEngine  # nothing is asked in a dry run
        from chef.engine.engine import Engine

        make: type[Engine] = BatchLoopEngine if has_own_loop(self.inferencer) else Engine
        copy = self.inferencer.bind(replace(self.inferencer.context, results_path=journal))
        log, timeout = self.options.log_prompts, self.options.timeout
        return make(
            model, copy, self.batch_size, responses=responses, log_prompts=log, timeout=timeout
        )

    def verify(self, model: Model, todo: Sequence[str]) -> Verified | None:
        """Check the fast scorer against the reference on some samples; None if not requested."""
        if not self.options.verify:
            return None
        from chef.engine.verify import verify

        return verify(model, self.inferencer, todo, self._make, self.options.verify)

    def plan(self, todo: Sequence[str], journal: Path) -> Plan:
        """The plan that a runner needs to ask some samples."""
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
        """Yield the jobs of some samples for an engine; each sample is created when it runs."""
        from chef.engine.engine import Job

        for name in todo:
            yield Job(name, partial(self._make, name))

    def preview(self) -> Preview:
        """The first sample that can be asked and its request; `ConfigError` where there is none."""
        failure: Exception | None = None
        tries = PREVIEW_TRIES
        for name in self.ids:
            try:
                sample = self._make(name)
            except Exception as error:
                failure = failure or error
                continue
            try:
                return Preview(sample, started(self.inferencer, sample)[1])
            except (RunError, ConfigError):
                raise
            except Exception as error:
                failure, tries = error, tries - 1
            if not tries:
                break
        reason = str(failure) if isinstance(failure, ChefError) else repr(failure)
        raise ConfigError(
            f"no sample can be asked; for example: {reason}", where=str(self.recipe.document.path)
        ) from failure

    def rehearse(self, sample: Sample) -> tuple[Rehearsal, str]:
        """Every request of a sample, and a notice on how the metric fits it; raises `ChefError`."""
        with _of(self.recipe):
            rehearsal = rehearse(self.inferencer, sample)
            return rehearsal, self.metrics.rehearse(rehearsal)

    def config(self, model: ModelSpec) -> dict[str, Any]:
        """The settings that affect answers, without secrets; of others digests (``decided_by``)."""
        documents = (model.document, self.recipe.document)
        config = {
            "model_cfg": model.effective(),
            "recipe_cfg": self.recipe.effective(),
            "run": {**self.options.subset(self.scenario, self.ids), **self.options.seeds},
            "decided_by": {
                "wording": _digest(*self.instruction.wordings),
                "plugins": digest_of_all((*model.plugins, *self.recipe.plugins), _digest),
                "plugin_files": {f"{at} (model file)": of for at, of in model.plugin_files.items()}
                | dict(self.recipe.plugin_files),
                "environment": _digest(*(one.from_environment() for one in documents)),
                **self._decided,
            },
        }
        return cast("dict[str, Any]", redact_data(config))

    def provenance(self, model: ModelSpec) -> dict[str, Any]:
        """Return the values that must be the same in every process that asks samples."""
        from chef.run.configuration import without_judges

        examples = self.retriever.record() if self.retriever is not None else None
        return {
            "version of chef": VERSION,
            "configuration": without_judges(self.config(model)),
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
        """Ask the unanswered samples, score all answers, write the results; the main report."""
        self.ask(model, folder, runner, on_prediction=on_prediction)
        return self.score(folder)

    def ask(
        self,
        model: Model,
        folder: RunFolder,
        runner: Runner,
        *,
        environment: dict[str, Any] | None = None,
        on_prediction: Callable[[Prediction], None] | None = None,
    ) -> None:
        """Ask the unanswered samples; each answer is journaled at once, a `RunError` loses none.

        ``environment`` is what `admit` returned (None calls it); weights load if something is
        asked.
        """
        made_with = self.admit(model, folder) if environment is None else environment
        todo = folder.todo(self.ids)
        if todo:
            self.metrics.take_readings(folder)
            runner.prepare()
            self._ask(runner, folder, todo, made_with, on_prediction)

    def admit(self, model: Model, folder: RunFolder) -> dict[str, Any]:
        """Check what the answers in a folder were made with; see `chef.run.asked_data.admit`."""
        from chef.run.asked_data import admit

        return admit(self.recipe.document.path, lifecycle.fingerprint(model), self.scenario, folder)

    def score(self, folder: RunFolder, judging: Judging | None = None) -> RunResult:
        """Score the journal by every metric, and write results and scores, without a model."""
        return self.metrics.score(folder, self.answers(folder), len(self.ids), judging)

    def answers(self, folder: RunFolder) -> Sequence[Prediction]:
        """The answers of a folder to the samples of this run."""
        return folder.finished.of(self.ids)

    def _ask(
        self,
        runner: Runner,
        folder: RunFolder,
        todo: list[str],
        environment: dict[str, Any],
        on_prediction: Callable[[Prediction], None] | None,
    ) -> None:
        from chef.run.asked_data import AskedData
        from chef.run.environment import refuse_change, reuse_record
        from chef.run.journal import JOURNAL
        from chef.run.session import SessionEntry

        handle = runner.start(self.plan(todo, folder.path / JOURNAL))
        if self.retriever is not None:
            environment["retriever"] = used = self.retriever.record()
            before = folder.read_json("environment.json").get("retriever")
            before, now = (_without_recall(record) for record in (before, used))
            refuse_change("the encoder or the pool of examples has", before, now, folder)
            environment |= reuse_record(folder)
        size, reason = self.batch_size or "auto", self.batches.reason
        settings = {"seed": self.options.seed, "batch_size": size, "batch_size_reason": reason}
        session = SessionEntry(folder, environment, settings, handle.statistics)
        with AskedData(folder, self.scenario) as data, session:
            for prediction in handle.run():
                stored = folder.append(prediction)
                data.note(stored)
                session.asked += 1
                if on_prediction is not None:
                    on_prediction(stored)

    def _make(self, name: str) -> Sample:
        if name in self.samples.repeated:
            raise self.samples.repeated[name]
        return checked_sample(self.scenario[self.samples.positions[name]], name, safe_sample)


def _without_recall(record: dict[str, Any] | None) -> dict[str, Any] | None:
    """Remove the recall of an index, which depends on the queries, from a retriever's record."""
    return record and {key: value for key, value in record.items() if key != "recall"}


def _digest(*parts: object) -> str:
    return content_digest(redact(repr(parts)), size=8)


@contextmanager
def _of(recipe: Recipe) -> Iterator[None]:
    """Add the recipe file to errors of constructors, and the way to missing data."""
    plugins = modules_of(recipe.document.values.get("plugins"), recipe.document)
    try:
        with in_scope(plugins):
            yield
    except ConfigError as error:
        raise recipe.document.located(error) from error.__cause__
    except SampleError:
        raise
    except DataError as error:
        from chef.preparing.sources import with_remedy  # it loads what downloads

        looked = folders_looked_in(recipe.scenario, recipe.document)
        raise with_remedy(error, recipe.scenario.name, looked) from None
