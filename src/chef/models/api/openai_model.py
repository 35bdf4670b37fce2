"""Models behind an OpenAI-compatible server: a provider, vLLM, SGLang, transformers serve, ..."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from chef.common.digest import digest
from chef.common.keys import flat_keywords
from chef.common.redaction import redact_data
from chef.errors import ConfigError, nearest
from chef.guard.secrets import is_secret_key
from chef.models.api.chat import Chat, ImageEncoder, is_continued
from chef.models.api.client import Client
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.replies import chat_reply
from chef.models.api.scoring import check_logprobs, check_scorable, score
from chef.models.api.server_model import Received, ServerModel
from chef.models.api.settings import Dialect, Likelihood, Server
from chef.models.api.traffic import Traffic
from chef.models.hooks.chef import cut_at_stop
from chef.models.own_code import own_code
from chef.types import Generate, Generated, Request, Score

#: The shortest request that a model can be asked.
_SHORT = {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 1}
_KEY_IS_WRONG = {Failure.UNAUTHORIZED, Failure.NO_CREDIT}


async def check_model(client: Client, model: str) -> None:
    """Check that the server can be reached, takes the key, and offers the model; else a ChefError.

    It may have no list of its models, or offer more (aliases, deployments): those are asked one
    word.
    """
    try:
        offered = _names(await client.get("models"))
    except RequestFailedError as error:
        if error.failure in _KEY_IS_WRONG | {Failure.CONNECTION, Failure.TIMEOUT}:
            raise
        return  # it has no list, or shows it to other keys only
    if not offered or model in offered:
        return
    try:
        await client.post("chat/completions", {"model": model, **_SHORT})
    except RequestFailedError as error:
        if error.failure in _KEY_IS_WRONG:
            raise
        if error.failure is Failure.NOT_FOUND:
            raise ConfigError(
                f"the server has no model '{model}' ({error.what})",
                where=client.where,
                hint=f"{nearest(model, _comparable(offered))}; correct 'model' in the model file",
            ) from None


def _comparable(names: Sequence[str]) -> list[str]:
    """Those of a server's names that are compared with another one: comparing takes its time."""
    return [name for name in names if len(name) <= 200][:1000]


def _names(reply: Mapping[str, Any]) -> list[str]:
    """The models on the list of a server; empty where it is no list."""
    data = reply.get("data")
    items = data if isinstance(data, list) else []
    names = [item.get("id") for item in items if isinstance(item, Mapping)]
    return [name for name in names if isinstance(name, str)]


#: OpenAI takes no more stop strings; replies are cut at all of them.
MOST_STOPS = 4
_ONLY_REASONED = (
    "some replies ended within the reasoning of the model, at max_new_tokens, before an answer: "
    "the recipe should allow more"
)
_NOT_CONTINUED = (
    "the server does not go on with a reply that has begun (continues: false), such as a chain of "
    "thought: it is sent as a whole message of the assistant, and the question is asked again"
)


class OpenAIModel(ServerModel):
    """A model that a server offers by ``/chat/completions``.

    Args:
        model: the model, as the server calls it.
        server: which server is asked, and with which key.
        dialect: how the server wants to be asked.
        likelihood: how options are scored, where the server gives log-probabilities.
        traffic: how many requests are sent, how long each may take, and what they may cost.
        max_images: how many images the server takes in one request; None for any number.
        name: the folder of its results; default: the last part of ``model``.
    """

    name = "OpenAI"

    @flat_keywords
    def __init__(
        self,
        model: str,
        *,
        server: Server = Server(),
        dialect: Dialect = Dialect(),
        likelihood: Likelihood = Likelihood(),
        traffic: Traffic = Traffic(),
        max_images: int | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(traffic)
        if not model.strip():
            raise ConfigError("model is empty", hint="write the model as the server calls it")
        if max_images is not None and max_images < 1:
            raise ConfigError(f"max_images is {max_images}", hint="set it to 1 or more")
        self.model, self.server, self.dialect = model, server, dialect
        self.base_url, self.api_key_env = server.address.url, server.variable
        self.likelihood = likelihood
        self.max_images = max_images
        self.name = name or model.rstrip("/").rpartition("/")[2] or model
        self._images = ImageEncoder()
        self._notices: dict[str, None] = {}
        self._client: Client | None = None

    def check_settings(self) -> None:
        """As `Model.check_settings`; the server is not asked.

        Raises:
            ConfigError: the variable with the key is not set.
        """
        self.server.key()

    def prepare(self) -> None:
        self.check_settings()
        self._chat().client.load()

    async def probe(self) -> None:
        """Check that the server knows the key and the model, and gives what options need.

        Raises:
            ConfigError: it does not.
            RequestFailedError: it cannot be reached.
        """
        chat = self._chat()
        await check_model(chat.client, self.model)
        await check_logprobs(chat.asker({}), self.likelihood)

    def attempt(self, request: Request) -> Coroutine[Any, Any, Received]:
        """As `ServerModel.attempt`; an image whose format the server refuses is sent again."""
        return self._score(request) if isinstance(request, Score) else self._generate(request)

    async def _score(self, request: Score) -> Received:
        chat = self._chat()

        received, times = await chat.with_images(
            request.conversation, lambda images: score(chat.asker(images), self.likelihood, request)
        )
        return replace(received, requests=received.requests + times - 1)

    async def _generate(self, request: Generate) -> Received:
        chat, begun = self._chat(), request.answer_prefix

        data, times = await chat.with_images(
            request.conversation,
            partial(chat.complete, request.conversation, begun, self._fields(request)),
        )
        reply = chat_reply(data, chat.client.where)
        if reply.only_reasoned:
            self._notices[_ONLY_REASONED] = None
        text = cut_at_stop(reply.text, request.stop)
        end = "stop" if reply.end == "length" and text != reply.text else reply.end
        if not is_continued(request.conversation, begun, self.dialect):
            text = text.lstrip()
            if begun:
                self._notices[_NOT_CONTINUED] = None
        usage = reply.usage
        generated = Generated(text.rstrip(), end, usage.completion)
        return Received(generated, usage.prompt, usage.completion, times)

    def _fields(self, request: Generate) -> dict[str, Any]:
        """What a request holds besides messages: greedy decoding needs neither top_p nor seed."""
        fields: dict[str, Any] = {self.dialect.max_tokens_key: request.max_new_tokens}
        if self.dialect.send_temperature:
            fields["temperature"] = request.temperature
            if request.temperature and request.top_p < 1:
                fields["top_p"] = request.top_p
        if self.dialect.send_seed and request.temperature:
            fields["seed"] = request.seed
        if stop := [word for word in request.stop if word]:
            fields["stop"] = stop[:MOST_STOPS]
        return fields

    def _chat(self) -> Chat:
        """Writes and sends requests; to be used in the event loop of `submit`."""
        if self._client is None:
            timeout = self.traffic.request_timeout
            self._client = Client(self.server.base_url, self.server.key(), timeout=timeout)
        return Chat(self._client, self.model, self.dialect, self._images)

    def check_request(self, request: Request) -> None:
        """Check, before anything is asked, that the server can answer requests of that kind.

        Raises:
            ConfigError: options are to be scored, and the model file states no way to do it.
        """
        if isinstance(request, Score):
            try:
                check_scorable(self.likelihood, request, continues=self.dialect.continues)
            except ConfigError as error:  # several models may be asked in one call
                raise ConfigError(error.what, where=self.name, hint=error.hint) from error

    def prompt_text(self, request: Request) -> str:
        """The messages as JSON, with the digests of images in place of their data."""
        chat = Chat(Client(self.server.base_url, None), self.model, self.dialect, self._images)
        return chat.shown(request.conversation, request.answer_prefix)

    def fingerprint(self) -> str:
        """A digest of server, model and settings that decide the answers, without keys.

        The weights behind an address cannot be seen: who changes them should change ``model``,
        too.
        """
        extra = {
            key: redact_data(value)
            for key, value in self.dialect.extra_body.items()
            if not is_secret_key(key, value)
        }
        settings = {**asdict(self.dialect), **asdict(self.likelihood), "extra_body": extra}
        identity = [self.model, self.server.identity(), settings, self.max_images]
        kind = type(self)
        return digest([kind.__qualname__, "" if kind is OpenAIModel else own_code(kind), *identity])

    @property
    def notices(self) -> Sequence[str]:
        return (*self._images.notices, *tuple(self._notices))

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            self.submit(client.close()).result(10)
        super().close()
