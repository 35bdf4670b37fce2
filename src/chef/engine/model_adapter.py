"""A model with the methods that inferencers written for ChEF call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from chef.engine.batching import Effort, PendingRequest
from chef.engine.chef_calls import check_options_end, rows_of_generate
from chef.engine.executor_base import Executor
from chef.inferencer.base import Inferencer
from chef.inferencer.decoding import STATUS, Decoding
from chef.instruction.batch import Prompt, as_images
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
    """Takes batches of images and prompts and sends them to the model.

    If a row fails, its error is raised after the other rows are answered.

    Args:
        executor: asks the model.
        inferencer: has the seeds and the generation keys of the recipe.
        log_prompts: whether to keep what is sent to the model.

    Attributes:
        statuses: how the reply to each sample ended, by its id, where the loop passed the prompt
            unchanged.
        queries: the prompt of each of these samples.
        prompts: what was sent to the model for texts about each of them, if that is kept.
        replaced: how many characters of the reply to each are U+FFFD now, where there are any.
        efforts: what requests about each of them took.
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
        """One reply for each prompt, with the images of the samples that the prompts are about.

        Args:
            prompts: the prompts, or one prompt.
            question: the most tokens of a reply. Or, as in ChEF's first generation, where the
                images come first: the question about them (or one for each row).
            max_new_tokens: the most tokens of a reply; default: the recipe's.

        Returns:
            A list of texts; for one prompt or one question a text.
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
        """One reply for each row.

        Args:
            batch_images: for each row one image, a list of several, or None.
            batch_prompt: the prompt of each row. One of ``instruction_handler.generate`` is sent
                with its examples and system message; any other text as one turn after its images.
            max_new_tokens: the most tokens of a reply; default: the recipe's.
            CoT_answer_list: for each row, words with which the reply already begins.
            sys_msg: a system message for texts that do not come from the instruction handler.
            dataset_name: not used.
            task_name: not used.
            image_list: the name of ``batch_images`` in ChEF's first generation.
            question_list: the name of ``batch_prompt`` there.
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

        Args:
            batch_images: the images of each row; see `batch_generate`.
            batch_prompt: the prompt of each row.
            batch_options: the option of each row alone.
            batch_answers: for each row, the answer template filled with the option, at its end.
            CoT_answer_list: for each row, words that come before the answer.
            ppl_batch_mask: not used: rows of one question are found by its text.
            ppl_batch_index: not used.
            image_list: ``batch_images`` in the first generation of ChEF. With the names of that
                generation losses are returned: smaller is better.
            question_list: ``batch_prompt`` there.
            answer_list: ``batch_answers`` there.
            answer_pool: ``batch_options`` there.
            CoT_list: ``CoT_answer_list`` there.
            calib: True returns log-probabilities with those names, too.
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
        """Replies in order.

        Args:
            requests: the requests.
            names: the id of the sample that each is about; empty where that is not known.

        Raises:
            Exception: the error of the first row that failed.
        """
        about = names or [""] * len(requests)
        waiting = [
            self._pending(order, request, self.efforts[name] if name else Effort())
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

    def _pending(self, order: int, request: Request, effort: Effort) -> PendingRequest:
        request = self._executor.limit_images(request)
        images = [image for turn in request.conversation for image in turn.images]
        cost, rows = self._executor.estimate_cost(request)
        digests = tuple(image.digest for image in images)
        return PendingRequest(order, request, digests, cost, rows, effort)


def _conversation(images: Any, prompt: str, system: str | None) -> Conversation:
    shown = as_images(images)
    if isinstance(prompt, Prompt) and (images is None or _same(shown, prompt.sample.images)):
        return prompt.query.conversation
    begin = (Turn("system", (Text(system),)),) if system else ()
    return (*begin, Turn("user", (*shown, Text(str(prompt)))))


def _same(some: Sequence[object], others: Sequence[object]) -> bool:
    return len(some) == len(others) and all(map(lambda a, b: a is b, some, others))
