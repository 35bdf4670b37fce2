"""A model with the methods that inferencers written for ChEF call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from chef.engine.executor_base import Executor
from chef.errors import RunError
from chef.inferencer.base import Inferencer
from chef.inferencer.decoding import STATUS, Decoding
from chef.instruction.batch import Prompt, as_images
from chef.models.api.traffic import Effort
from chef.types import (
    Conversation,
    Generated,
    Reply,
    Request,
    Score,
    Status,
    Text,
    Turn,
)


class ModelAdapter:
    """Takes batches of images and prompts; if a row fails, the others are answered first.

    Attributes:
        statuses, queries: how the reply to each sample ended, by its id, and its prompt, where the
            loop passed the prompt unchanged.
        prompts: what was sent to the model for each, if that is kept.
        replaced: how many characters of the reply to each are U+FFFD now, where there are any.
    """

    def __init__(
        self, executor: Executor, inferencer: Inferencer, *, log_prompts: bool = False
    ) -> None:
        self._log_prompts = log_prompts
        self._executor, self._inferencer = executor, inferencer
        self._decoding: Decoding = getattr(inferencer, "decoding", Decoding())
        self.statuses: dict[str, Status] = {}
        self.queries: dict[str, str] = {}
        self.prompts: dict[str, list[str]] = {}
        self.replaced: dict[str, int] = {}
        self.efforts: defaultdict[str, Effort] = defaultdict(Effort)

    def generate(
        self, prompts: Any, question: Any = None, max_new_tokens: int | None = None
    ) -> list[str] | str:
        """One reply for each prompt, with the images of its sample; for one prompt a text.

        ``question`` is the most tokens or, as in ChEF's first generation, the question about images
        that come first.
        """
        images, texts, length, one = rows_of_generate(prompts, question, max_new_tokens)
        replies = self.batch_generate(images, texts, length)
        return replies[0] if one else replies

    def batch_generate(  # noqa: PLR0917 (ChEF's order)
        self,
        batch_images: Sequence[Any] = (),
        batch_prompt: Sequence[str] = (),
        max_new_tokens: int | None = None,
        CoT_answer_list: Sequence[str] | None = None,  # noqa: N803 (ChEF's name)
        sys_msg: str | None = None,
        dataset_name: str = "",
        task_name: str = "",
        *,
        image_list: Sequence[Any] = (),
        question_list: Sequence[str] = (),
    ) -> list[str]:
        """One reply for each row: an image, a list of them or None, and its prompt.

        A prompt of ``instruction_handler.generate`` is sent with its examples and system message,
        any other text as one turn. Replies begin with the words of ``CoT_answer_list``;
        ``image_list`` and ``question_list`` are the first generation's names.
        """
        del dataset_name, task_name
        batch_images, batch_prompt = batch_images or image_list, batch_prompt or question_list
        length = max_new_tokens or self._decoding.max_new_tokens
        decoding = replace(self._decoding, max_new_tokens=length)
        begun = CoT_answer_list or [""] * len(batch_prompt)
        rows = zip(batch_images, batch_prompt, begun, strict=True)
        requests: list[Request] = [
            decoding.request(_conversation(images, prompt, sys_msg), self._seed(prompt), begin)
            for images, prompt, begin in rows
        ]
        names = [prompt.sample.id if isinstance(prompt, Prompt) else "" for prompt in batch_prompt]
        replies = self._ask(requests, names)
        texts = []
        for prompt, reply in zip(batch_prompt, replies, strict=True):
            assert isinstance(reply, Generated)
            texts.append(reply.text)
            if isinstance(prompt, Prompt):
                self.statuses[prompt.sample.id] = STATUS[reply.finish_reason]
                self.queries[prompt.sample.id] = str(prompt)
                if reply.replaced:
                    self.replaced[prompt.sample.id] = reply.replaced
        return texts

    def ppl_inference(  # noqa: PLR0917 (ChEF's order)
        self,
        batch_images: Sequence[Any] = (),
        batch_prompt: Sequence[str] = (),
        batch_options: Sequence[str] = (),
        batch_answers: Sequence[str] = (),
        CoT_answer_list: Sequence[str] | None = None,  # noqa: N803 (ChEF's name)
        ppl_batch_mask: Any = None,
        ppl_batch_index: Any = None,
        *,
        image_list: Sequence[Any] = (),
        question_list: Sequence[str] = (),
        answer_list: Sequence[str] = (),
        answer_pool: Sequence[str] = (),
        CoT_list: Sequence[str] | None = None,  # noqa: N803 (ChEF's name)
        calib: bool = False,
    ) -> list[float]:
        """The mean log-probability (natural logarithm) of each row's option; larger is better.

        ``batch_answers`` are the answer template filled with the option, at its end. With the names
        of the first generation (``answer_pool``, ...) losses are returned, unless ``calib`` is
        True.
        """
        del ppl_batch_mask, ppl_batch_index
        if answer_pool:
            means = self.ppl_inference(
                image_list, question_list, answer_pool, answer_list, CoT_list or CoT_answer_list
            )
            return means if calib else [-mean for mean in means]
        check_options_end(batch_options, batch_answers)
        begun = CoT_answer_list or [""] * len(batch_prompt)
        asked = [
            (_conversation(images, prompt, None), begin + answer.removesuffix(option), option)
            for images, prompt, begin, answer, option in zip(
                batch_images, batch_prompt, begun, batch_answers, batch_options, strict=True
            )
        ]
        requests: list[Request] = [
            Score(conversation, tuple(option for *_, option in rows), prefix)
            for (conversation, prefix), rows in groupby(asked, key=lambda row: row[:2])
        ]
        replies = self._ask(requests)
        return [item.mean for reply in replies if isinstance(reply, tuple) for item in reply]

    def _seed(self, prompt: str) -> int:
        return self._inferencer.sample_seed(prompt.sample) if isinstance(prompt, Prompt) else 0

    def _ask(self, requests: Sequence[Request], names: Sequence[str] = ()) -> list[Reply]:
        """Replies in order, about these samples; raises the error of the first that failed."""
        about = names or [""] * len(requests)
        waiting = [
            self._executor.pending(order, request, self.efforts[name] if name else None)
            for order, (name, request) in enumerate(zip(about, requests, strict=True))
        ]
        for name, item in zip(names, waiting, strict=False):
            if name and self._log_prompts:
                self.prompts.setdefault(name, []).extend(self._executor.prompts_of(item.request))
        found: dict[int, Reply | Exception] = {}
        while waiting:
            found |= {item.order: reply for item, reply in self._executor.ask(waiting)}
            waiting = [item for item in waiting if item.order not in found]
        replies = []
        for order in range(len(requests)):
            reply = found[order]
            if isinstance(reply, Exception):
                raise reply
            replies.append(reply)
        return replies


def _conversation(images: Any, prompt: str, system: str | None) -> Conversation:
    shown = as_images(images)
    if isinstance(prompt, Prompt) and (images is None or _same(shown, prompt.sample.images)):
        return prompt.query.conversation
    begin = (Turn("system", (Text(system),)),) if system else ()
    return (*begin, Turn("user", (*shown, Text(str(prompt)))))


def _same(some: Sequence[object], others: Sequence[object]) -> bool:
    return len(some) == len(others) and all(map(lambda a, b: a is b, some, others))


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
