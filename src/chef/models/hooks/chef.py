"""Answer requests by a model's own methods: one per conversation, or the hooks of ChEF."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.common.device import pick_device
from chef.errors import ReplyError
from chef.image import Image, side_by_side
from chef.models.hooks.replies import (
    NUMBERS,
    alone,
    negated,
    rows_of,
    scored_of,
    scores_of,
    text_of,
)
from chef.models.hooks.vlmevalkit.image_files import image_path
from chef.types import Conversation, Generate, Generated, Request, Score, Scored, Text, Turn

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

#: The second argument of a method that takes one row.
_ONE = frozenset({"question", "prompt", "text", "query", "conversation", "message"})


def flatten(conversation: Conversation) -> tuple[str, list[Pixels]]:
    """The conversation as one prompt and its images, in order of appearance and without marks.

    Texts of all turns are joined by newlines without role names, as ChEF joins in-context examples.
    """
    texts = [turn.text for turn in conversation]
    images = [image.load() for turn in conversation for image in turn.images]
    return "\n".join(text for text in texts if text), images


def with_prefix(conversation: Conversation, answer_prefix: str) -> Conversation:
    """The conversation with an assistant's turn that holds the prefix, if there is one."""
    if not answer_prefix:
        return conversation
    return (*conversation, Turn("assistant", (Text(answer_prefix),)))


def method_name(model: object, method: str) -> str:
    """A method with its class, for messages."""
    return f"{type(model).__name__}.{method}"


def cut_at_stop(text: str, stop: Sequence[str]) -> str:
    """``text`` before the first of the stop strings.

    >>> cut_at_stop("two. Three.", (".", " T"))
    'two'
    """
    ends = [text.find(word) for word in stop if word and word in text]
    return text[: min(ends)] if ends else text


def takes_one_row(method: Callable[..., Any]) -> bool:
    """Whether ``generate`` or ``do_generate`` of a class is one that answers a single row.

    It is if its second argument is named in the singular (``prompt``, ``question``, ...).

    >>> takes_one_row(lambda self, image_list, prompt, max_new_tokens: "")
    True
    >>> takes_one_row(lambda self, input_images, conversations, max_new_tokens: [])
    False
    """
    names = list(inspect.signature(method).parameters)
    return len(names) > 2 and names[2] in _ONE


def accepted_keywords(method: Callable[..., Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the keyword arguments that the method has, or all where it ends in ``**kwargs``."""
    parameters = inspect.signature(method).parameters
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values()):
        return dict(named)
    return {name: value for name, value in named.items() if name in parameters}


def generated_by(method: Callable[..., Any], images: Any, text: Any, max_new_tokens: int) -> Any:
    """What a method for generation returns; ``max_new_tokens`` is passed where it has a place."""
    parameters = inspect.signature(method).parameters.values()
    kinds = [one.kind for one in parameters]
    places = kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD)
    places += kinds.count(inspect.Parameter.POSITIONAL_ONLY)
    if places > 2 or inspect.Parameter.VAR_POSITIONAL in kinds:
        return method(images, text, max_new_tokens)
    return method(images, text, **accepted_keywords(method, {"max_new_tokens": max_new_tokens}))


def answer(model: Any, request: Generate) -> Generated:
    """`Model.generate` through `Model.generate_one`, for one request."""
    conversation = with_prefix(request.conversation, request.answer_prefix)
    given = model.generate_one(conversation, request.max_new_tokens)
    text = text_of(given, method_name(model, "generate_one"))
    return Generated(cut_at_stop(text, request.stop))


def rate(model: Any, request: Score) -> tuple[Scored, ...]:
    """`Model.score` through `Model.score_one`, for one request."""
    conversation = with_prefix(request.conversation, request.answer_prefix)
    values = model.score_one(conversation, request.candidates)
    name = method_name(model, "score_one")
    return scores_of(rows_of(values, len(request.candidates), name, NUMBERS), name)


def generate(model: Any, requests: Sequence[Generate]) -> list[Generated]:
    """`Model.generate` through the hooks; answer prefixes are passed as ``CoT_answer_list``."""
    if not requests:
        return []
    prefixes = [request.answer_prefix for request in requests]
    begun = prefixes if any(prefixes) else None
    conversations, images = [], []
    for row, request in enumerate(requests):
        prompt, pixels = flatten(request.conversation)
        conversations.append(_conversation(model, row, pixels, prompt, begun and [*begun], None))
        images.append(model.build_input_image(pixels))
    texts = _do_generate(model, images, conversations, requests[0].max_new_tokens)
    pairs = zip(texts, requests, strict=True)
    return [Generated(cut_at_stop(text, request.stop)) for text, request in pairs]


def prompt_text(model: Any, request: Request) -> str:
    """The text that `build_conversation` makes of a request, without a candidate."""
    prompt, pixels = flatten(request.conversation)
    if not isinstance(request, Score):
        begun = [request.answer_prefix] if request.answer_prefix else None
        return _conversation(model, 0, pixels, prompt, begun, None)
    candidate = request.candidates[0]
    answers = [request.answer_prefix + candidate]
    return _conversation(model, 0, pixels, prompt, None, answers).removesuffix(candidate)


def _conversation(  # noqa: PLR0917 (as build_conversation has them)
    model: Any,
    row: int,
    pixels: list[Pixels],
    prompt: str,
    begun: Sequence[str] | None,
    answers: Sequence[str] | None,
) -> str:
    """`build_conversation`; ``generate`` is passed on where the model has it."""
    named: dict[str, Any] = {"CoT_answer_list": begun, "batch_answers": answers}
    named["generate"] = answers is None
    accepted = accepted_keywords(model.build_conversation, named)
    text: str = model.build_conversation(row, pixels, prompt, **accepted)
    return text


def _do_generate(
    model: Any, images: list[Any], conversations: list[str], max_new_tokens: int
) -> list[str]:
    """`do_generate` of all rows: at once, or for each row where it takes one."""
    name, wanted = method_name(model, "do_generate"), len(conversations)
    if not takes_one_row(type(model).do_generate):
        texts: Any = generated_by(model.do_generate, images, conversations, max_new_tokens)
        if isinstance(texts, str):
            raise ReplyError(
                f"{name} returned one text for a list of rows",
                hint="return a list with a text for each row; to be called for each row, name its "
                "arguments (image_list, prompt, max_new_tokens)",
            )
        return [text_of(text, name) for text in rows_of(texts, wanted, name)]
    one_row: Callable[..., Any] = model.do_generate
    pairs = zip(images, conversations, strict=True)
    return [alone(generated_by(one_row, *pair, max_new_tokens), name) for pair in pairs]


def score(model: Any, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
    """`Model.score` through the hooks: every candidate of every request is a row of one batch.

    An answer is ``answer_prefix`` (with the chain of thought, if any) and the candidate. Only the
    candidate is scored.
    """
    rows = [(request, option) for request in requests for option in request.candidates]
    if not rows:
        return [() for _ in requests]
    flat = [flatten(request.conversation) for request in requests]
    repeated = [flat[i] for i, request in enumerate(requests) for _ in request.candidates]
    answers = [request.answer_prefix + option for request, option in rows]
    conversations = [
        _conversation(model, row, pixels, prompt, None, list(answers))
        for row, (prompt, pixels) in enumerate(repeated)
    ]
    images = [model.build_input_image(pixels) for _, pixels in repeated]
    means = model.do_ppl(images, conversations, [option for _, option in rows])
    name = method_name(model, "do_ppl")
    scored = iter([scored_of(value, name) for value in rows_of(means, len(rows), name)])
    return [tuple(next(scored) for _ in request.candidates) for request in requests]


def generate_by_rows(
    model: Any, method: Callable[..., Any], requests: Sequence[Generate]
) -> list[Generated]:
    """`Model.generate` through ``generate(image, question, max_new_tokens)`` for each row."""
    texts = []
    for request in requests:
        images, prompt = _shown(model, request)
        begun = f"{prompt}\n{request.answer_prefix}" if request.answer_prefix else prompt
        own = functools.partial(method, model)
        texts.append(generated_by(own, images, begun, request.max_new_tokens))
    return _replies(method_name(model, "generate"), texts, requests)


def generate_by_batch(
    model: Any, method: Callable[..., Any], requests: Sequence[Generate]
) -> list[Generated]:
    """`Model.generate` through ``batch_generate``; answer prefixes are the chains of thought."""
    if not requests:
        return []
    shown = [_shown(model, request) for request in requests]
    images, prompts = [item for item, _ in shown], [text for _, text in shown]
    prefixes = [request.answer_prefix for request in requests]
    more: dict[str, Any] = {"dataset_name": "", "task_name": "", "sys_msg": None}
    if any(prefixes):
        if _takes(method, "CoT_answer_list"):
            more["CoT_answer_list"] = prefixes
        else:
            pairs = zip(prompts, prefixes, strict=True)
            prompts = [f"{prompt}\n{begun}" if begun else prompt for prompt, begun in pairs]
    length = requests[0].max_new_tokens
    texts = method(model, images, prompts, length, **accepted_keywords(method, more))
    texts = [texts] if isinstance(texts, str) else texts
    return _replies(method_name(model, "batch_generate"), texts, requests)


def score_by_batch(
    model: Any, method: Callable[..., Any], requests: Sequence[Score]
) -> list[tuple[Scored, ...]]:
    """`Model.score` through ``ppl_inference``; the losses of the first generation are negated."""
    rows = [(request, option) for request in requests for option in request.candidates]
    if not rows:
        return [() for _ in requests]
    shown = {id(request): _shown(model, request) for request in requests}
    images = [shown[id(request)][0] for request, _ in rows]
    prompts = [shown[id(request)][1] for request, _ in rows]
    options = [option for _, option in rows]
    answers = [request.answer_prefix + option for request, option in rows]
    if _takes(method, "answer_pool"):
        losses = not _takes(method, "calib")
        named = {} if losses else {"calib": True}
        means = method(model, images, prompts, answers, options, **named)
    else:
        losses = False
        index = [number for number, request in enumerate(requests) for _ in request.candidates]
        more = {"CoT_answer_list": None, "ppl_batch_index": index}
        means = method(model, images, prompts, options, answers, **accepted_keywords(method, more))
    name = method_name(model, "ppl_inference")
    found = rows_of(means, len(rows), name)
    scored = iter([negated(value, name) if losses else scored_of(value, name) for value in found])
    return [tuple(next(scored) for _ in request.candidates) for request in requests]


def with_requests(
    method: Callable[..., Any], answer: Callable[[Any, Sequence[Generate]], list[Generated]]
) -> Callable[..., Any]:
    """A ``generate`` of the first generation that also takes the engine's requests."""

    @functools.wraps(method)
    def generate(self: Any, *given: Any, **named: Any) -> Any:
        if len(given) == 1 and not named and _are_requests(given[0]):
            return answer(self, given[0])
        return method(self, *given, **named)

    return generate


def _are_requests(given: Any) -> bool:
    return isinstance(given, list | tuple) and all(isinstance(item, Generate) for item in given)


def _shown(model: Any, request: Request) -> tuple[Any, str]:
    """The images of a row (one alone is no list), or their paths, and its prompt."""
    if getattr(model, "takes_paths", False):
        shown = [image_path(image) for turn in request.conversation for image in turn.images]
        text = "\n".join(turn.text for turn in request.conversation if turn.text)
        return shown[0] if len(shown) == 1 else shown, text
    prompt, images = flatten(request.conversation)
    return images[0] if len(images) == 1 else images, prompt


def _replies(method: str, texts: Any, requests: Sequence[Generate]) -> list[Generated]:
    return [
        Generated(cut_at_stop(alone(text, method), request.stop))
        for text, request in zip(rows_of(texts, len(requests), method), requests, strict=True)
    ]


def _takes(method: Callable[..., Any], name: str) -> bool:
    return name in inspect.signature(method).parameters


class ChefHelpers:
    """Images and devices, as models written for ChEF handle them."""

    device: Any = None

    def get_image_list(self, image_list: Any) -> list[Pixels]:
        """One image or a list (PIL, paths, URLs, `Image`) as RGB PIL images; else an ImageError."""
        several = image_list if isinstance(image_list, list | tuple) else [image_list]
        return [
            (item if isinstance(item, Image) else Image(item)).load()
            for item in several
            if item is not None
        ]

    def horizontal_concat(self, image_list: Any) -> Pixels:
        """The images side by side: in order, aligned at the top, black below smaller ones."""
        return side_by_side(self.get_image_list(image_list))

    def move_to_device(self, what: Any = None, device: Any = None) -> Any:
        """Move ``self.model`` (``what`` is None or a device) or data; else a ConfigError."""
        if what is None or isinstance(what, str | int) or type(what).__name__ == "device":
            self.device = _device(what if what is not None else device or self.device)
            model: Any = getattr(self, "model", None)
            return model.to(self.device) if hasattr(model, "to") else model
        return _moved(what, _device(device or self.device))


def _device(name: Any) -> Any:
    if name is None:
        return pick_device("auto")
    return pick_device(f"cuda:{name}" if isinstance(name, int) else str(name))


def _moved(value: Any, device: Any) -> Any:
    if isinstance(value, str | bytes | Path):
        return value
    if isinstance(value, Mapping) and not hasattr(value, "to"):
        return {key: _moved(item, device) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_moved(item, device) for item in value]
    return value.to(device) if hasattr(value, "to") else value
