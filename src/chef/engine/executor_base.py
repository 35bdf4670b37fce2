"""What every way of asking a model shares: requests are prepared, batched, and replies are checked.

More images than the model takes are joined side by side, as ChEF does for models of one image: in
order, in their own sizes, aligned at the top; the space below smaller images is black.
"""

from __future__ import annotations

import math
import operator
import threading
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

import msgspec

from chef.common.logs import logger
from chef.common.text import count_replaced, encodable
from chef.common.user_code import contained, told
from chef.engine.response_cache import ResponseCache
from chef.errors import ConfigError, RunError, SampleError
from chef.frozen import Frozen
from chef.image import Image, check_pixels, side_by_side
from chef.models.api.traffic import Effort
from chef.models.base import Model
from chef.models.hooks.replies import NUMBERS, generated_of, rows_of, scores_of
from chef.types import Conversation, Generate, Part, Reply, Request, Score, Text

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels


class PendingRequest(Frozen, eq=False):
    """A request that waits: ``rows`` sequences of about ``cost`` tokens each, images included.

    Requests of one batch agree in ``kind``; ``images`` are digests, in order, of images with so
    many ``pixels``, each counted once.
    """

    order: int
    request: Request
    images: tuple[str, ...]
    cost: int
    rows: int
    effort: Effort = msgspec.field(default_factory=Effort)
    pixels: int = 0
    kind: Hashable = "score"

    def __post_init__(self) -> None:
        request = self.request
        if isinstance(request, Generate):
            sampling = (request.temperature, request.top_p)
            kind = ("generate", request.max_new_tokens, request.stop, *sampling)
            msgspec.structs.force_setattr(self, "kind", kind)


class Limits(Frozen):
    """How large a batch may be: so many requests or, if None, tokens (rows x the longest)."""

    requests: int | None
    tokens: int

    def fits(self, requests: int, rows: int, longest: int) -> bool:
        """Whether a batch of this size is allowed; a single request always is."""
        if requests <= 1:
            return True
        if self.requests is not None:
            return requests <= self.requests
        return rows * longest <= self.tokens

    def below(self, failed: Sequence[PendingRequest]) -> Limits:
        """Limits of half the size of a batch that did not fit in memory."""
        requests = self.requests
        if requests is not None:
            requests = max(1, min(requests, len(failed) // 2))
        padded = sum(item.rows for item in failed) * max(item.cost for item in failed)
        return Limits(requests, max(1, min(self.tokens, padded // 2)))

    def filled(self, batch: Sequence[PendingRequest]) -> float:
        """The tokens of a batch as a share of the tokens allowed."""
        rows = sum([item.rows for item in batch])
        return rows * max([item.cost for item in batch]) / self.tokens


_ORDER = attrgetter("order")


def next_batch(waiting: Sequence[PendingRequest], limits: Limits) -> list[PendingRequest]:
    """The batch around the earliest sample: requests of one kind that are adjacent in `ordered`."""
    oldest = min(waiting, key=_ORDER)
    if limits.requests == 1:
        return [oldest]
    line = ordered([item for item in waiting if item.kind == oldest.kind])
    left = right = line.index(oldest)
    rows, longest = oldest.rows, oldest.cost
    alike = [place for place, item in enumerate(line) if item.images == oldest.images]
    # Grow to the right (longer requests), then to the left, as far as the limits allow; but first
    # by the requests about the same images, which share what the model computes of them.
    for step, end in ((1, alike[-1]), (-1, alike[0]), (1, len(line) - 1), (-1, 0)):
        while (right if step == 1 else left) != end:
            item = line[(right if step == 1 else left) + step]
            grown = rows + item.rows, max(longest, item.cost)
            if not limits.fits(right - left + 2, *grown):
                break
            rows, longest = grown
            left, right = (left, right + 1) if step == 1 else (left - 1, right)
    return line[left : right + 1]


def ordered(requests: Sequence[PendingRequest]) -> list[PendingRequest]:
    """Requests with equal images side by side, these groups sorted by their longest request."""
    longest: dict[tuple[str, ...], int] = {}
    for item in requests:
        longest[item.images] = max(longest.get(item.images, 0), item.cost)
    return sorted(
        requests, key=lambda item: (longest[item.images], item.images, item.cost, item.order)
    )


R = TypeVar("R", bound=Generate | Score)


def fit_images(request: R, most: int) -> R:
    """The request with at most ``most`` images: the last ones are joined, in order."""
    images = [image for turn in request.conversation for image in turn.images]
    if len(images) <= most:
        return request
    joined, number = Image(_Row(images[most - 1 :]), "joined images"), 0
    turns = []
    for turn in request.conversation:
        parts: list[Part] = []
        for part in turn.parts:
            if not isinstance(part, Image):
                parts.append(part)
                continue
            number += 1
            if number < most:
                parts.append(part)
            elif number == most:
                parts.append(joined)
        turns.append(replace(turn, parts=tuple(parts)))
    return replace(request, conversation=tuple(turns))


class _Row:
    """Draws images side by side when it is called."""

    def __init__(self, images: Sequence[Image]) -> None:
        self.images = images

    def __call__(self) -> Pixels:
        return side_by_side([image.view() for image in self.images])


def encodable_request(request: Request) -> Request:
    """The request without lone surrogates."""
    conversation = _conversation(request.conversation)
    prefix = encodable(request.answer_prefix)
    if isinstance(request, Score):
        return replace(
            request,
            conversation=conversation,
            answer_prefix=prefix,
            candidates=tuple(map(encodable, request.candidates)),
        )
    return replace(request, conversation=conversation, answer_prefix=prefix)


def _conversation(conversation: Conversation) -> Conversation:
    return tuple(
        replace(
            turn,
            parts=tuple(
                Text(encodable(part.text)) if isinstance(part, Text) else part
                for part in turn.parts
            ),
        )
        for turn in conversation
    )


_log = logger(__name__)
#: After so many failed requests in a row, the model itself is checked with a request that it has
#: answered before.
MAX_CONSECUTIVE_FAILURES = 16
#: A request, and its reply or what went wrong.
Outcome: TypeAlias = tuple[PendingRequest, Reply | Exception]


@dataclass(slots=True)
class Statistics:
    """Counts and times of the engine, as written to environment.json.

    Attributes:
        batches: calls of the model that succeeded; requests: requests in them.
        out_of_memory: calls that ran out of memory; too_large: those with a single request.
        cache_hits: replies from the response cache, which are in no other count.
        joined_images: requests with more images than the model takes, joined to fit.
        bare_examples: 1 if in-context examples are shown without their images for that reason.
    """

    batches: int = 0
    requests: int = 0
    out_of_memory: int = 0
    too_large: int = 0
    model_seconds: float = 0.0
    generated_tokens: int = 0
    largest_batch: int = 0
    cache_hits: int = 0
    joined_images: int = 0
    bare_examples: int = 0


class Executor(ABC):
    """Asks a model for the engine; ``responses`` are replies to earlier requests, if kept."""

    #: Whether requests are sent as they come, so that no batch waits to be filled.
    is_concurrent: ClassVar[bool] = False

    def __init__(self, model: Model, responses: ResponseCache | None = None) -> None:
        self.model, self.responses = model, responses
        self.statistics = Statistics()
        self._lock = threading.Lock()
        self._knows_prompts = True
        kind = type(model)
        self._is_usual_cost = kind.cost is Model.cost and kind.rows is Model.rows

    @abstractmethod
    def ask(self, waiting: Sequence[PendingRequest]) -> Iterator[Outcome]:
        """Yield replies to at least one of the requests; the others wait for the next call."""

    def look_after(self, opened: Future[Any]) -> None:
        """Let `ask` return once samples are made, if it still waits for replies to others then."""
        del opened

    @property
    def is_stuck(self) -> bool:
        """Whether a call that was given up still runs, so that the model cannot be asked."""
        return False

    @abstractmethod
    def close(self) -> None:
        """End what is under way."""

    @property
    def latencies(self) -> Sequence[float]:
        """How many seconds each good reply of a server took; empty for other models."""
        return ()

    def record(self) -> dict[str, Any]:
        """The statistics, for environment.json."""
        return asdict(self.statistics)

    def estimate_cost(self, request: Request) -> tuple[int, int]:
        """The estimated tokens per row, and the rows; a RunError if the model's own fails."""
        if self._is_usual_cost:
            return self.model.cost(request), self.model.rows(request)
        try:
            with contained(f"the model '{self.model.name}'"):
                cost, rows = self.model.cost(request), self.model.rows(request)
            # Counts that are no numbers, or not positive, would make batches without an end.
            return max(1, int(cost)), max(1, operator.index(rows))
        except (RunError, ConfigError, SampleError):
            raise
        except Exception as error:
            raise RunError(
                f"the cost of a request cannot be estimated: {told(error)}",
                where=type(self.model).__name__,
                hint="fix its method cost or rows",
            ) from error

    def pending(self, order: int, request: Request, effort: Effort | None = None) -> PendingRequest:
        """A request as it is sent, with what decides about its batch.

        It has no lone surrogates and as many images as the model takes. Their digests decode them:
        an ImageError for a corrupt one, or for more pixels than a sample may have.
        """
        texts, images = [request.answer_prefix], list[Image]()
        if isinstance(request, Score):
            texts += request.candidates
        for turn in request.conversation:
            for part in turn.parts:
                if isinstance(part, Image):
                    images.append(part)
                else:
                    texts.append(part.text)
        joined = "\n".join(texts)  # so that a pair of surrogates stays apart
        if not joined.isascii() and encodable(joined) != joined:
            request = encodable_request(request)
        most = self.model.max_images
        if most is not None and len(images) > most:
            request = self._fitted(request, most)
            images = [image for turn in request.conversation for image in turn.images]
        digests: tuple[str, ...] = ()
        pixels = 0
        if images:
            check_pixels(images)
            by_digest = {image.digest: image for image in images}
            pixels = sum(math.prod(image.size) for image in by_digest.values())
            digests = tuple([image.digest for image in images])
        cost, rows = self.estimate_cost(request)
        return PendingRequest(order, request, digests, cost, rows, effort or Effort(), pixels)

    def _fitted(self, request: Request, most: int) -> Request:
        """The request with at most so many images, which is logged once."""
        with self._lock:
            self.statistics.joined_images += 1
            if self.statistics.joined_images == 1:
                _log.warning(
                    "%s takes at most %d image(s) at once: further images are joined side by side",
                    self.model.name, most,
                )  # fmt: skip
        return fit_images(request, most)

    def prompts_of(self, request: Request) -> list[str]:
        """The text that is sent for a request; empty where the model does not know it."""
        text = self.model.prompt_text(request)
        if text is None:
            with self._lock:
                first, self._knows_prompts = self._knows_prompts, False
            if first:
                _log.warning("%s makes its prompts itself: none are recorded", self.model.name)
        return [] if text is None else [text]

    def note_dropped_images(self) -> None:
        """Note and log that in-context examples are shown without their images."""
        self.statistics.bare_examples = 1
        _log.warning(
            "%s takes at most %d image(s) at once: examples are shown without their images",
            self.model.name, self.model.max_images,
        )  # fmt: skip

    def cached_reply(self, request: Request) -> Reply | None:
        """The reply of the response cache; None if it has none."""
        if self.responses is None or not isinstance(request, Generate):
            return None
        reply = self.responses.get(request)
        self.statistics.cache_hits += reply is not None
        return reply


def checked_reply(reply: Any, request: Request, method: str) -> Reply:
    """What ``method`` returned for a request, as plain values; a ReplyError if no reply to it."""
    if isinstance(request, Score):
        return scores_of(rows_of(reply, len(request.candidates), method, NUMBERS), method)
    generated = generated_of(reply, method)
    text = generated.text
    if text.isascii() or (safe := encodable(text)) == text:
        return generated
    return replace(generated, text=safe, replaced=count_replaced(text))
