"""Ask a model behind a server: many requests in flight at once, and no batches."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from operator import attrgetter
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

from chef.common.user_code import told
from chef.engine.batching import PendingRequest
from chef.engine.dispatcher import Dispatcher
from chef.engine.executor_base import Executor, Outcome
from chef.engine.response_cache import ResponseCache
from chef.errors import RunError
from chef.models.api.gate import Waits
from chef.models.api.server_model import ServerModel
from chef.types import Generated, Reply

#: What comes from other threads: an outcome; an empty one where there may be new samples; or that
#: nothing else will come, as None or as an unexpected error.
_Outcomes: TypeAlias = "SimpleQueue[Outcome | tuple[()] | BaseException | None]"
#: The counts of `Statistics` that are not about batches.
_COUNTS = ("requests", "generated_tokens", "cache_hits", "joined_images", "bare_examples")


class ConcurrentExecutor(Executor):
    """Keeps as many requests in flight as the server takes, in the order of the samples."""

    is_concurrent = True

    def __init__(
        self,
        model: ServerModel,
        responses: ResponseCache | None = None,
        timeout: float | None = None,
        waits: Waits | None = None,
    ) -> None:
        super().__init__(model, responses)
        self._server = model
        self._dispatcher = Dispatcher(model, timeout, waits or Waits())
        #: The requests that the dispatcher has, by identity, and the calls that serve them.
        self._flights: dict[int, PendingRequest] = {}
        self._calls: list[Future[None]] = []
        #: As long as it has more than so many, new samples wait; the last one that it was given.
        self._enough = model.traffic.max_in_flight * 3 // 2
        self._furthest = -1
        self._outcomes: _Outcomes = SimpleQueue()
        self._looked_after: object = None
        self._is_probed = False

    def ask(self, waiting: Sequence[PendingRequest]) -> Iterator[Outcome]:
        """Hand on new requests, and yield all replies that are there; a ChefError ends the run."""
        self.probe()
        outcomes = self._outcomes
        new = [item for item in waiting if id(item) not in self._flights]
        # Many at once, as each call wakes the other thread; what goes on with a sample comes first.
        first = min((item.order for item in new), default=self._furthest)
        if new and (len(self._flights) <= self._enough or first < self._furthest):
            self._furthest = max(self._furthest, *(item.order for item in new))
            self._flights |= {id(item): item for item in new}
            self._calls = [call for call in self._calls if not call.done()]
            self._calls.append(self._server.submit(self._serve(new, outcomes)))
            self._calls[-1].add_done_callback(partial(_hand_on_failure, outcomes))
        outcome = outcomes.get()
        while True:
            if outcome is None:
                raise self._dispatcher.stopping or RunError("the requests were cancelled")
            if isinstance(outcome, BaseException):
                raise RunError(
                    f"the requests cannot be sent any more ({told(outcome)})",
                    hint="the same command resumes the run",
                ) from outcome
            if not outcome:
                return
            self._note(outcome)
            yield outcome
            try:
                outcome = outcomes.get_nowait()
            except Empty:
                return

    def look_after(self, opened: Future[Any]) -> None:
        if opened is not self._looked_after:
            self._looked_after, outcomes = opened, self._outcomes
            opened.add_done_callback(lambda _: outcomes.put(()))

    async def _serve(self, items: Sequence[PendingRequest], outcomes: _Outcomes) -> None:
        """Serve requests, started in the order of their samples."""
        inline = sorted(items, key=attrgetter("order"))
        await asyncio.gather(*(self._dispatcher.serve(item, outcomes.put) for item in inline))

    def _note(self, outcome: Outcome) -> None:
        """Count an outcome, and keep a reply."""
        item, reply = outcome
        del self._flights[id(item)]
        if isinstance(reply, Exception):
            return
        self.statistics.requests += 1
        if isinstance(reply, Generated):
            self.statistics.generated_tokens += reply.tokens
        if self.responses is not None:
            self.responses.put(item.request, reply)

    def reply_to(self, item: PendingRequest) -> Reply:
        """The reply to one request, or its error; several threads may wait for one each."""
        outcomes: list[Outcome | None] = []
        self._server.submit(self._dispatcher.serve(item, outcomes.append)).result()
        outcome = outcomes[0] if outcomes else None
        if outcome is None:
            raise self._dispatcher.stopping or RunError("the requests were cancelled")
        _, reply = outcome
        if isinstance(reply, Exception):
            raise reply
        return reply

    def probe(self) -> None:
        """Check with the server, before the first request, what the model file says of it."""
        if self._is_probed:
            return
        future = self._server.submit(self._dispatcher.probe())
        try:
            future.result()
        finally:
            future.cancel()
        self._is_probed = True

    def close(self) -> None:
        """Give up what is in flight; a thread that waits for it gets an error."""
        calls, self._calls, self._flights = self._calls, [], {}
        for call in calls:
            call.cancel()
        outcomes, self._outcomes = self._outcomes, SimpleQueue()
        outcomes.put(None)

    @property
    def latencies(self) -> Sequence[float]:
        """How many seconds each good reply took."""
        return self._dispatcher.statistics.seconds

    def record(self) -> dict[str, Any]:
        """The statistics, for environment.json."""
        counts = {key: getattr(self.statistics, key) for key in _COUNTS}
        return {**counts, "server": self._dispatcher.statistics.record(self._server.traffic)}


def _hand_on_failure(outcomes: _Outcomes, call: Future[None]) -> None:
    """Tell who waits for outcomes that those of a call will not come."""
    if not call.cancelled() and (error := call.exception()) is not None:
        outcomes.put(error)
