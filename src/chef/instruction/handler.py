"""The InstructionHandler: sample in, query out."""

from __future__ import annotations

from typing import Literal

from chef.errors import ConfigError, SampleError
from chef.instruction.examples import ExampleFormat, with_examples
from chef.instruction.pools import Pool, load_pool
from chef.instruction.retriever import Retriever
from chef.instruction.retriever.base import example_answer
from chef.types import Query, Sample, Text, Turn

#: Asks for a chain of thought: Kojima et al. 2022, "Large Language Models are Zero-Shot Reasoners".
TRIGGER = "Let's think step by step."


class InstructionHandler:
    """Words the query and the answer of every sample of a run.

    Args:
        task: the scenario's task; names the pool of wordings.
        system_message: the scenario's, sent first when not empty.
        retriever: chooses in-context examples, ready to serve; None for no examples.
        style: how they are shown.
        prompt_type: ``singleturn`` asks once a sample.
        prompt_assigned_ids: which wording of the task's prompt pool; negative counts from the end.
        template_assigned_ids: which answer template of the pool.
        defined_prompt: a wording of your own instead, with ``{question}``.
        defined_template: an answer template of your own, ending with ``{option}``.

    Raises:
        ConfigError: an id outside its pool, or a template that does not end with ``{option}``.
    """

    def __init__(
        self,
        task: str,
        system_message: str = "",
        retriever: Retriever | None = None,
        style: ExampleFormat | None = None,
        *,
        prompt_type: Literal["singleturn"] = "singleturn",
        prompt_assigned_ids: int = 0,
        template_assigned_ids: int = 0,
        defined_prompt: str | None = None,
        defined_template: str | None = None,
    ) -> None:
        pool = load_pool(task)
        self.prompt_type = prompt_type
        self.prompt = defined_prompt or _entry(
            pool, "prompts", prompt_assigned_ids, "prompt_assigned_ids"
        )
        self.template = defined_template or _entry(
            pool, "templates", template_assigned_ids, "template_assigned_ids"
        )
        if self.template.count("{option}") != 1 or not self.template.endswith("{option}"):
            raise ConfigError(
                f"an answer template must end with {{option}}: {self.template!r}",
                where="eval_cfg.instruction_cfg.defined_template",
                mend="end it with {option}; what comes before is conditioned on, not scored",
            )
        self._retriever = retriever
        self._style = style or ExampleFormat()
        texts = [system_message, self._style.system_message]
        system = "\n".join(text for text in texts if text)
        self._system = (Turn("system", (Text(system),)),) if system else ()

    def query(self, sample: Sample) -> Query:
        """The conversation for one sample: its images, then the worded question.

        Raises:
            SampleError: the sample has a question, and the wording has no place for it; or the
                pool has no examples for it.
        """
        return self._query(sample, self.word(sample))

    def thought_query(self, sample: Sample) -> Query:
        """The query that asks for a chain of thought before the answer.

        The question without its pool's suffix, then the trigger sentence of zero-shot chain of
        thought. A task that asks nothing keeps the pool's prompt.
        """
        return self._query(sample, f"{sample.question or self.word(sample)}\n{TRIGGER}")

    def word(self, sample: Sample) -> str:
        """The question of a sample in the words of the recipe.

        Raises:
            SampleError: the sample has a question, and the wording has no place for it.
        """
        if sample.question and "{question}" not in self.prompt:
            raise SampleError(
                f"the prompt {self.prompt!r} has no {{question}}, and this sample asks one",
                where=f"sample '{sample.id}'",
                mend="choose another prompt_assigned_ids or add {question} to defined_prompt",
            )
        # replace, not format: a question may hold braces of its own
        return self.prompt.replace("{question}", sample.question)

    def _query(self, sample: Sample, text: str) -> Query:
        turn = Turn("user", (*sample.images, Text(text)))
        examples = self._retriever.retrieve(sample) if self._retriever else ()
        conversation = with_examples(turn, examples, self._worked, self._style)
        return Query(
            (*self._system, *conversation),
            sample.options,
            self.template.removesuffix("{option}"),
            tuple(example.id for example in examples),
        )

    def _worked(self, example: Sample) -> tuple[str, str]:
        answer = self.template.replace("{option}", example_answer(example) or "")
        return self.word(example), answer


def _entry(pool: Pool, kind: Literal["prompts", "templates"], index: int, key: str) -> str:
    entries: tuple[str, ...] = getattr(pool, kind)
    if not -len(entries) <= index < len(entries):
        raise ConfigError(
            f"id {index} is outside the {kind} of task '{pool.task}', which has {len(entries)}",
            where=f"eval_cfg.instruction_cfg.{key}",
            mend=f"choose 0 to {len(entries) - 1}",
        )
    return entries[index]
