"""Answer requests by a model's own methods: one per conversation, or the hooks of ChEF."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from chef.errors import ReplyError
from chef.models.hooks.replies import NUMBERS, alone, rows_of, scored_of, scores_of, text_of
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
