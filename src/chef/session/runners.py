"""Runners of a model in this process, of all samples or in chunks; and models behind a server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chef.common.logs import logger
from chef.errors import ConfigError
from chef.evaluator import Evaluator
from chef.frozen import Frozen
from chef.models import Model, lifecycle
from chef.run.plan import added, decided_by_batches
from chef.session.settings import Settings

if TYPE_CHECKING:
    from chef.engine.engine import Engine
    from chef.engine.response_cache import ResponseCache
    from chef.engine.verify import Verified
    from chef.run.folder import RunFolder
    from chef.run.plan import Plan, RunHandle, Runner
    from chef.types import Prediction


_log = logger(__name__)


class LocalRunner(Frozen):
    """Runs a model in this process, and reuses cached replies to identical requests."""

    model: Model
    responses: ResponseCache | None = None

    @property
    def notices(self) -> Sequence[str]:
        """Notices of the model; see `Model.notices`."""
        return lifecycle.notices(self.model)

    def prepare(self) -> None:
        """Load the model."""
        lifecycle.prepare(self.model)

    def start(self, plan: Plan) -> RunHandle:
        """Choose in-context examples, verify the fast scorer if requested, and build the engine."""
        plan.prefetch(plan.todo)
        plan.release()  # free the memory for the model
        verified = plan.verify(self.model, plan.todo)
        if verified is not None:
            _log.info("%s", verified)
        return _LocalRun(plan.engine(self.model, self.responses), plan, verified)

    def summary(self) -> str:
        """Return an empty string: there is nothing to add to the scores."""
        return ""


class _LocalRun(Frozen):
    engine: Engine
    plan: Plan
    verified: Verified | None

    def run(self) -> Iterator[Prediction]:
        return self.engine.run(self.plan.jobs(self.plan.todo))

    def statistics(self) -> dict[str, Any]:
        verified = {} if self.verified is None else {"verification": self.verified.to_json()}
        notices = lifecycle.notices(self.engine.model)
        return {**self.engine.executor.record(), "notices": notices, **verified}

    def latencies(self) -> Sequence[float]:
        return self.engine.executor.latencies


class InChunks:
    """Runs chunk after chunk of ids by another runner; each may depend on the answers before."""

    def __init__(self, runner: Runner, chunks: Iterator[Sequence[str]]) -> None:
        self._runner, self._chunks = runner, chunks

    @property
    def notices(self) -> Sequence[str]:
        """Notices of the model so far."""
        return self._runner.notices

    def prepare(self) -> None:
        """Load the model."""
        self._runner.prepare()

    def start(self, plan: Plan) -> RunHandle:
        """Prepare the first chunk; ``plan.todo`` is not used."""
        return _Chunked(self._runner, plan, self._chunks)

    def summary(self) -> str:
        """The summary of the last chunk."""
        return self._runner.summary()


class _Chunked:
    def __init__(self, runner: Runner, plan: Plan, chunks: Iterator[Sequence[str]]) -> None:
        self._runner, self._plan, self._chunks = runner, plan, chunks
        self._done: dict[str, Any] = {}
        self._seconds: list[float] = []
        self._handle = self._next()

    def _next(self) -> RunHandle | None:
        chunk = next(self._chunks, None)
        if chunk is None:
            return None
        handle = self._runner.start(replace(self._plan, todo=chunk))
        self._plan = replace(self._plan, verify=_verified)
        return handle

    def run(self) -> Iterator[Prediction]:
        while self._handle is not None:
            yield from self._handle.run()
            done = self.statistics()
            self._seconds.extend(self._handle.latencies())
            self._done, self._handle = done, self._next()

    def statistics(self) -> dict[str, Any]:
        now = {} if self._handle is None else self._handle.statistics()
        found = added(self._done, now)
        if "server" in found:
            from chef.models.api.traffic import latency

            found["server"] = {**found["server"], **latency(self.latencies())}
        return found

    def latencies(self) -> Sequence[float]:
        now = () if self._handle is None else self._handle.latencies()
        return [*self._seconds, *now]


def _verified(model: Model, todo: Sequence[str]) -> Verified | None:
    """The scorer was verified before the first chunk."""
    del model, todo
    return None


def check_no_workers(model: Model, settings: Settings) -> ConfigError | None:
    """The error where a model behind a server is to run in worker processes; else None."""
    if settings.workers is None and settings.ray_address is None:
        return None
    from chef.models.api.server_model import ServerModel

    if not isinstance(model, ServerModel):
        return None
    return ConfigError(
        f"the model '{model.name}' runs on its server, and workers would only share its limits",
        where="workers (--workers, --ray-address)",
        hint="leave the workers out: one process keeps many requests in flight, as many as "
        "max_in_flight in the model file allows",
    )


def how_it_is_asked(evaluator: Evaluator, model: Model) -> str:
    """The batch size of a recipe; for a model behind a server, how many requests are in flight."""
    from chef.models.api.server_model import ServerModel

    batches = evaluator.batches
    if not isinstance(model, ServerModel):
        return str(batches)
    text = f"at most {model.traffic.max_in_flight} requests in flight"
    if decided_by_batches(evaluator.recipe):
        return f"{batches}; {text}"
    if batches.size is None:
        return text
    return (
        f"{text}; the batch size {batches.size} is not used, because requests to a server are sent "
        "one by one (max_in_flight in the model file limits them, or on the command line "
        f"--model_args max_in_flight={batches.size})"
    )


@contextmanager
def budget_told(evaluator: Evaluator, folder: RunFolder) -> Iterator[None]:
    """Add to the error of a spent budget what is answered, and how to see its results."""
    from chef.models.api.traffic import BudgetError

    try:
        yield
    except BudgetError as error:
        left, total = len(folder.todo(evaluator.ids)), len(evaluator.ids)
        raise BudgetError(
            f"{error.what}; {total - left:,} of {total:,} samples are answered",
            where=error.where,
            hint=f"{error.hint}. Results so far: chef score {folder.path}",
        ) from error
