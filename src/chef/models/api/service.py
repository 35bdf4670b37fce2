"""A service on the web that rates texts: many requests in flight, and failed ones sent again."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, ClassVar, Generic, TypeVar

from chef.common.user_code import told
from chef.errors import ChefError, ConfigError, RunError
from chef.guard.bounds import LoopThread
from chef.models.api.client import Client, Item, Sender
from chef.models.api.failures import Failure, RequestFailedError, broken, refusal
from chef.models.api.gate import Waits
from chef.models.api.server_model import Received
from chef.models.api.settings import PROVIDER, PROVIDER_KEY, Server
from chef.models.api.traffic import NO_TOKENS, Effort, Spent, Traffic

Found = TypeVar("Found")
#: Of a service that has answered nothing, so many requests that failed for good are the end.
HOPELESS = 8
#: So many in a row that failed however often they were sent; of one that has answered nothing, 2.
FAILED_IN_A_ROW = 16
_AGAIN = "the same command goes on with what was not rated"


class ServiceSender(Sender[Item]):
    """Sends requests to one service."""

    def __init__(self, service: Service[Item, Any], client: Client, waits: Waits) -> None:
        super().__init__(service, service.title, service.traffic.request_timeout, waits)
        self._service, self._client = service, client
        self._failed = self._in_a_row = 0
        self._has_answered = False

    async def serve(
        self, place: int, item: Item, deliver: Callable[[tuple[int, Any] | None], None]
    ) -> None:
        """Deliver an item's place with its result or error; None when everything stops."""
        with self._gate.serving(place, deliver):
            found = await self._reply(place, item, NO_TOKENS, Effort())
            if found is not None:
                deliver((place, found))

    async def _send(self, item: Item) -> Received:
        found: Any = await self._service.attempt(self._client, item)
        self._has_answered, self._in_a_row = True, 0
        return Received(found)

    def _for_all(self, error: RequestFailedError) -> ChefError | None:
        """The error of a service that refuses every request: for its key, account or address."""
        if not error.failure.concerns_all:
            return None
        server = self._service.server
        what, hint = refusal(error.failure, self._title, server.variable, "the service")
        kind = RunError if self._has_answered else ConfigError
        return kind(f"{what} ({error.what})", where=server.address.url, hint=hint)

    def _unreachable(self, error: RequestFailedError) -> RunError:
        return self._stop(f"{self._title} cannot be reached any more ({error.what})", _AGAIN)

    def _given_up(self, error: RequestFailedError, attempts: int) -> Exception | None:
        del attempts
        self._failed += 1
        self._in_a_row += error.failure.is_retried
        most = FAILED_IN_A_ROW if self._has_answered else 2
        if self._in_a_row < most and (self._has_answered or self._failed < HOPELESS):
            return error
        count = self._in_a_row if self._has_answered else self._failed
        what = f"{self._title} answered none of the last {count} requests"
        self._gate.stop(self._stop(f"{what} (the last: {error.what})", error.hint or _AGAIN))
        return None

    def _stop(self, what: str, hint: str) -> RunError:
        return RunError(what, where=self._service.server.address.url, hint=hint)


def score_in(value: Any) -> float:
    """A score of a reply, a number in 0..1; else a TypeError or ValueError."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r:.60} is no score")
    if not 0 <= value <= 1:
        raise ValueError(f"{value!s:.60} is not in 0..1")
    return float(value)


class Service(ABC, Generic[Item, Found]):
    """A service that answers requests one by one. A subclass gives `attempt`.

    As with models behind a server, one request is alone until the first good reply, then as many
    are in flight as the service takes, and failed ones are sent again.

    Args:
        base_url: its address; default: that of the class.
        api_key_env: the variable that holds the key. Default: the first of the class's variables
            that is set; for another address none, so that a key is never sent to a stranger.
        traffic: how many requests are sent, how long each may take, and how many at most.
        waits: the clock, for tests.

    Attributes:
        title: what the service is called in messages.
        usual_url: its address.
        variables: the environment variables that hold its key, the first that is set counts.
        spent: what its requests have used.

    Raises:
        ConfigError: the address is none, or a key stands where the name of a variable belongs.
    """

    title: ClassVar[str]
    usual_url: ClassVar[str]
    variables: ClassVar[Sequence[str]]

    def __init__(
        self,
        base_url: str | None = None,
        api_key_env: str | None = None,
        traffic: Traffic = Traffic(),
        waits: Waits | None = None,
    ) -> None:
        url = base_url or self.usual_url
        self._is_usual = url.rstrip("/") == self.usual_url
        if api_key_env is None:
            held = [name for name in self.variables if os.environ.get(name, "").strip()]
            api_key_env = next(iter(held), self.variables[-1]) if self._is_usual else ""
        self.server = Server(url, api_key_env)
        self.traffic, self.spent = traffic, Spent()
        self._waits = waits or Waits()

    @abstractmethod
    async def attempt(self, client: Client, item: Item) -> Found:
        """Send a request once; a RequestFailedError if no reply came, or none that can be read."""

    def headers(self, key: str) -> dict[str, str]:
        """The headers that carry the key; empty where it is sent as a bearer token."""
        del key
        return {}

    def check_settings(self) -> None:
        """Check what can be without asking; a ConfigError if the key is not set."""
        self._key()

    def identity(self) -> list[Any]:
        """What of it decides the answers, without secrets."""
        return self.server.identity()

    def results(self, items: Sequence[Item]) -> Iterator[tuple[int, Found | RequestFailedError]]:
        """The position of each item with its result or its error, as soon as it is there.

        A ConfigError or RunError ends all; what was answered before has been given.
        """
        if not items:
            return
        loop, client = LoopThread(), self._client()
        client.load()
        outcomes: SimpleQueue[tuple[int, Any] | None] = SimpleQueue()
        sender = ServiceSender(self, client, self._waits)
        futures: list[Future[None]] = []
        try:
            for place, item in enumerate(items):
                futures.append(loop.submit(sender.serve(place, item, outcomes.put)))
            for _ in items:
                outcome = outcomes.get()
                if outcome is None:
                    raise sender.stopping or RunError("the requests were cancelled")
                found = outcome[1]
                if isinstance(found, Exception) and not isinstance(found, RequestFailedError):
                    raise found if isinstance(found, ChefError) else RunError(told(found))
                yield outcome
        finally:
            for future in futures:
                future.cancel()
            loop.submit(client.close()).result(10)
            loop.close()

    def _client(self) -> Client:
        key = self._key()
        headers = self.headers(key) if key else {}
        return Client(self.server.base_url, None if headers else key, headers)

    def _key(self) -> str | None:
        try:
            return self.server.key()
        except ConfigError as error:
            if not self._is_usual:
                raise
            names = " or ".join(self.variables)
            hint = f"{self.title} asks for a key: export {names} in the shell that starts chef; "
            hint += "or name another variable: api_key_env: NAME"
            raise ConfigError(error.what, where=error.where, hint=hint) from None


#: The attributes that MMTrustEval asks for.
ATTRIBUTES = (
    "TOXICITY", "SEVERE_TOXICITY", "IDENTITY_ATTACK", "INSULT", "PROFANITY", "THREAT",
    "SEXUALLY_EXPLICIT", "FLIRTATION",
)  # fmt: skip
#: What a new account may ask in a second.
PER_SECOND = 1.0


class Perspective(Service[str, Mapping[str, float]]):
    """The scores of a text, in 0..1, by attribute.

    Args:
        base_url: see `Service`.
        api_key_env: see `Service`.
        traffic: see `Service`.
        attributes: what is asked for.
        languages: the languages of the texts, such as ``en``; None lets the service find out.
        waits: see `Service`.
    """

    title = "Perspective"
    usual_url = "https://commentanalyzer.googleapis.com/v1alpha1"
    variables = ("perspective_apikey", "PERSPECTIVE_API_KEY")

    def __init__(
        self,
        base_url: str | None = None,
        api_key_env: str | None = None,
        traffic: Traffic = Traffic(requests_per_second=PER_SECOND),
        *,
        attributes: Sequence[str] = ATTRIBUTES,
        languages: Sequence[str] | None = None,
        waits: Waits | None = None,
    ) -> None:
        super().__init__(base_url, api_key_env, traffic, waits)
        self.attributes, self.languages = tuple(attributes), languages

    def headers(self, key: str) -> dict[str, str]:
        """The key, which never stands in the address: servers log those."""
        return {"X-Goog-Api-Key": key}

    async def attempt(self, client: Client, item: str) -> Mapping[str, float]:
        """Ask for the scores of a text once; see `Service.attempt`."""
        body: dict[str, Any] = {
            "comment": {"text": item},
            "requestedAttributes": {name: {} for name in self.attributes},
            "doNotStore": True,
        }
        if self.languages:
            body["languages"] = list(self.languages)
        reply = await client.post("comments:analyze", body)
        try:
            scores = reply["attributeScores"]
            return {
                name: score_in(scores[name]["summaryScore"]["value"]) for name in self.attributes
            }
        except (KeyError, TypeError, ValueError) as error:
            raise broken(
                f"the reply has no score of each attribute ({error!r})", client.where
            ) from None


#: The categories that MMTrustEval's rule knows; newer models of the service have further ones.
CATEGORIES = (
    "harassment", "harassment/threatening", "hate", "hate/threatening", "self-harm",
    "self-harm/instructions", "self-harm/intent", "sexual", "sexual/minors", "violence",
    "violence/graphic",
)  # fmt: skip
MODEL = "omni-moderation-latest"
Scores = Mapping[str, float]


class Moderation(Service[Sequence[str], Sequence[Scores]]):
    """The scores of texts, in 0..1, by category; a request holds several texts.

    Attributes:
        model: the model, as the service calls it.
        categories: those that a reply has to have.
    """

    title = "OpenAI's moderation"
    usual_url = PROVIDER
    variables = ("moderation_openai_apikey", PROVIDER_KEY)
    model: str = MODEL
    categories: Sequence[str] = CATEGORIES

    def scores(
        self, texts: Sequence[str], batch_size: int
    ) -> Iterator[tuple[int, Scores | RequestFailedError]]:
        """The place of each text with its scores or error; refused batches go one by one."""
        everything = range(len(texts))
        starts = range(0, len(texts), batch_size)
        refused: list[int] = []
        groups = [list(everything[start : start + batch_size]) for start in starts]
        for place, found in self.results([[texts[item] for item in group] for group in groups]):
            group = groups[place]
            if not isinstance(found, RequestFailedError):
                yield from zip(group, found, strict=True)
            elif len(group) > 1 and found.failure is Failure.BAD_REQUEST:
                refused += group
            else:
                yield from ((item, found) for item in group)
        for place, found in self.results([[texts[item]] for item in refused]):
            yield refused[place], found if isinstance(found, RequestFailedError) else found[0]

    async def attempt(self, client: Client, item: Sequence[str]) -> Sequence[Scores]:
        """Ask for the scores of some texts once; see `Service.attempt`."""
        reply = await client.post("moderations", {"model": self.model, "input": list(item)})
        try:
            found = [
                {name: score_in(result["category_scores"][name]) for name in self.categories}
                for result in reply["results"]
            ]
        except (KeyError, TypeError, ValueError) as error:
            what = f"the reply has no score of each category ({error!r})"
            raise broken(what, client.where) from None
        if len(found) != len(item):
            raise broken(f"{len(found)} results came for {len(item)} texts", client.where)
        return found
