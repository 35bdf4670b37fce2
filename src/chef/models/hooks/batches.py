"""Answer requests by the methods that ChEF's inferencers call on a model, of both generations.

Second generation: ``batch_generate(batch_images, batch_prompt, max_new_tokens, CoT_answer_list)``
and ``ppl_inference(batch_images, batch_prompt, batch_options, batch_answers, CoT_answer_list)``.
First generation: ``generate(image, question, max_new_tokens)`` for one row, ``batch_generate`` with
``image_list`` and ``question_list``, and ``ppl_inference(image_list, question_list, answer_list,
answer_pool, CoT_list, calib)``, whose scores are losses.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from chef.models.hooks.chef import (
    accepted_keywords,
    cut_at_stop,
    flatten,
    generated_by,
    method_name,
)
from chef.models.hooks.replies import alone, negated, rows_of, scored_of
from chef.models.hooks.vlmevalkit.image_files import image_path
from chef.types import Generate, Generated, Request, Score, Scored


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
