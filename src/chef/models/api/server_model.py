"""The interface of models behind a server."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from typing import Any, ClassVar, TypeVar

from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.guard.bounds import LoopThread
from chef.models.api.traffic import Spent, Traffic
from chef.models.base import Model
from chef.types import Generate, Generated, Reply, Request, Score, Scored

T = TypeVar("T")


class Received(Frozen):
    """What one successful attempt brought.

    Attributes:
        reply: the reply.
        prompt_tokens: tokens of the prompts, as the server counts them; 0 where it does not say.
        completion_tokens: tokens of the replies; 0 where it does not say.
        requests: how many HTTP requests that took.
    """

    reply: Reply
    prompt_tokens: int = 0
    completion_tokens: int = 0
    requests: int = 1


class ServerModel(Model):
    """A model that answers requests one by one, many at once: the engine makes no batches for it.

    A subclass gives `attempt`. The engine keeps as many attempts in flight as the server takes,
    sends failed ones again, and counts tokens, cost and time.

    Args:
        traffic: how many requests are sent, how long each may take, and what they may cost.

    Attributes:
        base_url: the address of the server, and
        api_key_env: the variable that holds its key: for messages, where there are any.
        scores_options: whether `attempt` answers a `Score`; else recipes that score options are
            refused before anything is asked.
        spent: what its requests have used in this call of chef; the engine keeps it.
    """

    base_url: str = ""
    api_key_env: str | None = None
    scores_options: ClassVar[bool] = False

    def __init__(self, traffic: Traffic = Traffic()) -> None:
        self.traffic = traffic
        self.spent = Spent()
        self._loop = LoopThread()
        self._is_probed = False

    @abstractmethod
    async def attempt(self, request: Request) -> Received:
        """Send a request once.

        It may be cancelled at any ``await``, and must then leave nothing open.

        Raises:
            RequestFailedError: no reply came; its kind tells what can be done about it.
            SampleError: this request cannot be sent to this model.
        """

    def check_request(self, request: Request) -> None:
        """As `Model.check_request`.

        Raises:
            ConfigError: options are to be scored, and the class does not say that it can.
        """
        if isinstance(request, Score) and not self.scores_options:
            raise ConfigError(
                f"the model '{self.name}' cannot score options",
                hint="use inferencer_type: Direct, which lets the model write; or answer a Score "
                f"in {type(self).__name__}.attempt, and set scores_options = True in the class",
            )

    async def probe(self) -> None:
        """Check with the server, before the first sample, what the settings promise.

        Raises:
            ConfigError: the server does not have what the model file says.
            RequestFailedError: it cannot be reached.
        """

    async def probe_once(self) -> None:
        """Call `probe`, unless it has succeeded before."""
        if not self._is_probed:
            await self.probe()
            self._is_probed = True

    def submit(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine of this model in the thread of its connections."""
        return self._loop.submit(coroutine)

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        """One reply for each request, sent one after another and once each.

        Raises:
            RequestFailedError: a request failed.
        """
        replies = [self.submit(self.attempt(request)).result().reply for request in requests]
        return [reply for reply in replies if isinstance(reply, Generated)]

    def score(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        """For each request, one `Scored` for each candidate; sent one after another.

        Raises:
            RequestFailedError: a request failed.
        """
        replies = [self.submit(self.attempt(request)).result().reply for request in requests]
        return [reply for reply in replies if not isinstance(reply, Generated)]

    def close(self) -> None:
        """Close the connections and end their thread."""
        self._loop.close()
