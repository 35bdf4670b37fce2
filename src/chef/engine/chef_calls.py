"""How inferencers written for ChEF call a model: the arguments of both generations, made one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chef.errors import RunError


def rows_of_generate(
    first: Any, second: Any, max_new_tokens: int | None
) -> tuple[list[Any], list[str], int | None, bool]:
    """Images (None: the sample's), prompts, tokens of a reply; whether one text is wanted."""
    if second is None or isinstance(second, int):
        one = isinstance(first, str)
        prompts = [first] if one else list(first)
        return [None] * len(prompts), prompts, second or max_new_tokens, one
    if isinstance(second, str):
        return [first], [second], max_new_tokens, True
    return list(first), list(second), max_new_tokens, False


def check_options_end(options: Sequence[str], answers: Sequence[str]) -> None:
    """Check that answers end with their options; a RunError if the two are exchanged."""
    pairs = list(zip(options, answers, strict=True))
    exchanged = [option.endswith(answer) and option != answer for option, answer in pairs]
    if pairs and any(exchanged) and all(option.endswith(answer) for option, answer in pairs):
        raise RunError(
            "ppl_inference was given answers where it takes options",
            hint="the second generation of ChEF takes (images, prompts, options, answers) and "
            "gives log-probabilities; for the first, which gives losses, name the arguments: "
            "ppl_inference(image_list=, question_list=, answer_list=, answer_pool=)",
        )
