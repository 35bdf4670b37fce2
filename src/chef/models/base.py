"""The interface of every model, and two short ways of writing one."""

# ruff: noqa: ARG002 (the arguments of a method that a subclass gives are its contract)

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from chef.common.digest import digest
from chef.common.redaction import redact_data
from chef.errors import ChefError, ConfigError, RunError, message_of
from chef.guard.secrets import is_secret_key
from chef.models.hooks import chef as hooks
from chef.models.hooks.chef import ChefHelpers
from chef.models.own_code import is_plain, own_code, unseen_names
from chef.types import Conversation, Generate, Generated, Request, Score, Scored, Text

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

    from chef.models.agreement import Verification

#: The estimated cost of an image, in tokens, for a model that does not count them itself.
IMAGE_TOKENS = 576
#: What a model does, the method of the first way of writing it, and the hook of ChEF.
_GENERATE = ("generate", "generate_one(conversation, max_new_tokens)", "do_generate")
_SCORE = ("score options", "score_one(conversation, candidates)", "do_ppl")


class Model(ChefHelpers):
    """A model under test. Subclass it in one of two ways.

    **One method.** Give `generate_one`, which answers one conversation; give `score_one` too
    if the model can rate options. Such a model is asked one request at a time.

    **The hooks of ChEF.** Give `do_generate` (and `do_ppl`), which take a batch of texts and
    images (`do_generate` also one row); `build_conversation` and `build_input_image` make those
    from a sample. Or give ``batch_generate`` and ``ppl_inference`` of either generation, or
    ``generate(image, question, max_new_tokens)``: see `chef.models.hooks.chef`.

    A model that batches by itself overrides `generate` and `score` instead. Both take any number
    of requests and return replies in the same order. If one raises, the engine splits the list in
    halves down to single requests, so that one bad sample fails alone.

    A subclass takes the keys of its model file as annotated keyword arguments of ``__init__``,
    and ``__init__`` stays cheap: weights are loaded when they are first needed.

    Attributes:
        name: the folder of its results; default: the name of the class.
        max_images: how many images one request may show; None for any number. If a request has
            more, the last ones are joined side by side, and in-context examples are shown without
            their images.
        token_budget: the most tokens of one batch (rows times the longest row, images included)
            where the engine chooses its size. Where `memory_headroom` measures the memory, batches
            grow beyond it.
        takes_dataset: whether requests name the data set, because replies may depend on it.
        takes_paths: whether ``batch_generate`` and ``ppl_inference`` are given the paths of image
            files, not PIL images; default: whether the constructor takes an ``api_key``, as that of
            ChEF's classes for models behind a server.
        paths: the keys that are paths. A relative one that leads nowhere from the current folder
            is looked for in that of the model file.
        has_gradients: whether its weights are in this process, so that images can be made that
            fool it.
    """

    __test__: ClassVar[bool] = False  # the name begins with Test, and pytest collects those
    name: str = "Model"
    max_images: int | None = None
    token_budget: int = 8192
    takes_dataset: bool = False
    takes_paths: ClassVar[bool] = False
    has_gradients: ClassVar[bool] = False
    paths: ClassVar[Sequence[str]] = ()
    #: Whether ``generate`` is that of ChEF's first generation, which answers one row.
    _generates_rows: ClassVar[bool] = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in vars(cls):
            cls.name = cls.__name__
        if "takes_paths" not in vars(cls):
            cls.takes_paths = "api_key" in inspect.signature(cls.__init__).parameters
        own = vars(cls).get("generate")
        if own is not None:
            cls._generates_rows = hooks.takes_one_row(own)
        if own is not None and cls._generates_rows:

            def answer(model: Any, requests: Sequence[Generate]) -> list[Generated]:
                if callable(getattr(model, "batch_generate", None)):
                    return Model.generate(model, requests)
                return hooks.generate_by_rows(model, own, requests)

            cls.generate = hooks.with_requests(own, answer)  # type: ignore[method-assign]

    # What the engine calls.

    def prepare(self) -> None:
        """Load what is needed before the first request. It may be called more than once.

        Raises:
            ConfigError: the settings name nothing that can be loaded.
            RunError: it cannot be loaded here and now.
        """

    def check_settings(self) -> None:
        """Check what can be checked without loading the weights, for ``--dry-run``.

        Raises:
            ConfigError: a device or a checkpoint does not exist.
        """

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        """One reply for each request.

        The requests of one call share ``max_new_tokens``, ``stop``, ``temperature`` and
        ``top_p``; their seeds differ.

        Raises:
            SampleError: a request cannot be sent to this model.
            RunError: the model cannot generate.
        """
        if (method := getattr(type(self), "batch_generate", None)) is not None:
            return hooks.generate_by_batch(self, method, requests)
        if self._has("do_generate"):
            return hooks.generate(self, requests)
        if self._has("generate_one"):
            return [hooks.answer(self, request) for request in requests]
        raise self._lacks(*_GENERATE)

    def score(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        """For each request, one `Scored` for each candidate, in order.

        Raises:
            SampleError: a request cannot be sent to this model.
            RunError: the model cannot score options.
        """
        if (method := getattr(type(self), "ppl_inference", None)) is not None:
            return hooks.score_by_batch(self, method, requests)
        if self._has("do_ppl"):
            return hooks.score(self, requests)
        if self._has("score_one"):
            return [hooks.rate(self, request) for request in requests]
        raise self._lacks(*_SCORE)

    def answers_singly(self, request: Request) -> bool:
        """Whether it works on requests of that kind one after another, however many it is given.

        Then the engine gives it one at a time, so that every reply is kept as soon as it is there.
        """
        if isinstance(request, Score):
            return self._has("score_one") and not any(
                map(self._has, ("score", "ppl_inference", "do_ppl"))
            )
        if self._has("batch_generate"):
            return False
        if self._has("generate"):
            return self._generates_rows
        if self._has("do_generate"):
            return hooks.takes_one_row(type(self).do_generate)
        return self._has("generate_one")

    def verify(self, requests: Sequence[Score]) -> Verification | None:
        """Check the fast scorer against the reference scorer on these requests.

        If the two disagree, the model uses the reference scorer from then on.

        Returns:
            The comparison; None for a model with only one way of scoring.
        """
        return None

    @property
    def notices(self) -> Sequence[str]:
        """Messages for the user about how this model runs, in the order in which they came up."""
        return ()

    def prompt_text(self, request: Request) -> str | None:
        """The text that is sent for a request, up to where the reply or the candidates begin.

        None where it is not known, because the model's own method makes it. It is recorded with
        ``--log_prompts``, may be called from several threads, and loads the model if need be.
        """
        has_hooks = self._has("do_ppl" if isinstance(request, Score) else "do_generate")
        return hooks.prompt_text(self, request) if has_hooks else None

    def fingerprint(self) -> str:
        """A digest of the weights and settings that decide the answers: 32 hex digits.

        It is the key of caches. The default covers the code of the class, what its methods name
        (see `chef.models.own_code`), and its public attributes that hold plain data, without
        keys and passwords: another key gives the same answers. Override it where something else
        decides the answers, such as weights on disk. Loading a model does not change it, as loaded
        objects are no plain data.
        """
        settings = {
            key: redact_data(value)
            for key, value in self._that_decides().items()
            if not key.startswith("_") and value is not None and is_plain(value)
            if not is_secret_key(key, value) and key != "api_key_env"
        }
        identity = [
            type(self).__module__,
            type(self).__qualname__,
            self.name,
            own_code(type(self)),
            settings,
        ]
        return digest(identity)

    def _that_decides(self) -> Mapping[str, Any]:
        """What the default fingerprint covers besides the code: the attributes, by name."""
        return vars(self)

    def cost(self, request: Request) -> int:
        """The estimated tokens of one row of ``request``: prompt, images and reply."""
        texts, images = 0, 0
        for turn in request.conversation:
            for part in turn.parts:
                if isinstance(part, Text):
                    texts += len(part.text)
                else:
                    images += 1
        texts += len(request.answer_prefix)
        if isinstance(request, Score):
            texts += max(map(len, request.candidates), default=0)
        reply = request.max_new_tokens if isinstance(request, Generate) else 0
        return 1 + texts // 4 + images * IMAGE_TOKENS + reply

    def rows(self, request: Request) -> int:
        """How many rows of a batch ``request`` takes: one for each candidate, or one."""
        return max(1, len(request.candidates)) if isinstance(request, Score) else 1

    def is_out_of_memory(self, error: BaseException) -> bool:
        """Whether ``error`` would not have occurred with a smaller batch."""
        if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
            return True
        return not isinstance(error, ChefError) and "out of memory" in message_of(error).lower()

    def memory_headroom(self) -> float:
        """How many times larger than the largest batch so far the next one may be, by memory use.

        At least 1. A model that cannot measure its memory returns 1; its batches stay within
        `token_budget`.
        """
        return 1.0

    def close(self) -> None:
        """Release the memory of the model. It may be used again, and then loads again."""

    # The first way: one method for one conversation.

    def generate_one(self, conversation: Conversation, max_new_tokens: int) -> str:
        """The reply to one conversation.

        Where the conversation ends with an assistant's turn, the reply continues that turn and
        does not repeat it. Stop strings are applied to what is returned.
        """
        raise self._lacks(*_GENERATE)

    def score_one(
        self, conversation: Conversation, candidates: Sequence[str]
    ) -> Sequence[Scored | float]:
        """How likely each candidate is as the next words; larger is better.

        Where the conversation ends with an assistant's turn, the candidates continue it. A float
        is the mean log-probability per token (natural logarithm); a `Scored` holds sum and count.
        """
        raise self._lacks(*_SCORE)

    # The second way: the hooks of ChEF.

    def build_conversation(  # noqa: PLR0917 (ChEF's order)
        self,
        idx: int,
        image_list: Sequence[Pixels],
        prompt: str,
        CoT_answer_list: Sequence[str] | None = None,  # noqa: N803 (ChEF's name)
        batch_answers: Sequence[str] | None = None,
        generate: bool = True,
    ) -> str:
        """The text sent for row ``idx`` of the batch.

        Args:
            idx: the row.
            image_list: the images of this row.
            prompt: the question of this row.
            CoT_answer_list: for each row of the batch, words that already begin the reply.
            batch_answers: for each row of the batch, the answer template filled with an option.
            generate: True: the text ends where the model is to continue, which is after the words
                of ``CoT_answer_list`` if there are any. False: it ends with ``batch_answers[idx]``.
        """
        text = prompt
        if CoT_answer_list is not None and CoT_answer_list[idx]:
            text = f"{text}\n{CoT_answer_list[idx]}"
        if not generate and batch_answers is not None:
            text = f"{text}\n{batch_answers[idx]}"
        return text

    def build_input_image(self, image_list: Sequence[Pixels]) -> Any:
        """The input of ``do_generate`` and ``do_ppl`` for the RGB PIL images of one row."""
        return list(image_list)

    def do_generate(
        self, input_images: Sequence[Any], conversations: Sequence[str], max_new_tokens: int
    ) -> list[str]:
        """One reply for each row, without the text that was sent.

        A subclass whose second argument is named ``prompt`` (or ``conversation``, ``text``,
        ``question``) is called once for each row, with its input and its text, and returns a text.
        """
        raise self._lacks(*_GENERATE)

    def do_ppl(
        self,
        input_images: Sequence[Any],
        conversations: Sequence[str],
        batch_options: Sequence[str],
    ) -> Sequence[Scored | float]:
        """The mean log-probability of the tokens of each row's option; larger is better.

        Args:
            input_images: the result of `build_input_image` for each row. A row is one option of one
                sample, so the images of a sample come once for each of its options.
            conversations: the result of `build_conversation` for each row, which ends with the
                row's option.
            batch_options: the option of each row alone: the words to score.
        """
        raise self._lacks(*_SCORE)

    def check_request(self, request: Request) -> None:
        """Check, before anything is asked, that the class has a method for requests of that kind.

        Raises:
            ConfigError: it has none.
        """
        if isinstance(request, Score):
            names, lacks = ("score", "score_one", "do_ppl", "ppl_inference"), _SCORE
        else:
            names, lacks = ("generate", "generate_one", "do_generate", "batch_generate"), _GENERATE
        if not any(map(self._has, names)):
            error = self._lacks(*lacks)
            raise ConfigError(error.what, hint=error.hint)

    def _has(self, method: str) -> bool:
        return getattr(type(self), method, None) is not getattr(Model, method, None)

    def _lacks(self, what: str, one: str, hook: str) -> RunError:
        return RunError(
            f"the model '{self.name}' cannot {what}",
            hint=f"give its class {type(self).__name__} a method {one}, or the hook {hook}",
        )


def unseen_attributes(model: Model, *, with_state: bool = True) -> list[str]:
    """What the default fingerprint does not cover: attributes that are private or no plain data,
    and what the methods name and chef cannot see; ``with_state`` also globals that they change.

    Empty for a class with a `fingerprint` of its own.
    """
    if type(model).fingerprint is not Model.fingerprint:
        return []
    attributes = [
        name
        for name, value in vars(model).items()
        if value is not None and (name.startswith("_") or not is_plain(value))
    ]
    names = unseen_names(type(model), with_state=with_state)
    return [*dict.fromkeys([*attributes, *names])]


#: The name by which ChEF's users know it.
TestBase = Model
