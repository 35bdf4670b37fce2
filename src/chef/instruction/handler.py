"""The Instruction turns a sample into a query."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from chef.errors import ConfigError, SampleError
from chef.instruction.batch import Prompt, rows_of, sample_of
from chef.instruction.examples import ExampleFormat, parts_of
from chef.instruction.model_prompt import ModelPrompt
from chef.instruction.pools import (
    WordingPool,
    check_template,
    load_pool,
    pool_entry,
    read_pool,
    turn_prompts,
    turn_templates,
)
from chef.instruction.retriever import Retriever
from chef.types import Conversation, Part, Query, Sample, Text, Turn, TurnSpec

#: Kojima et al. 2022, "Large Language Models are Zero-Shot Reasoners".
TRIGGER = "Let's think step by step."
_PLACES = re.compile(r"\{(?:prefix|question)\}")


class Instruction:
    """Words the query and the answer of every sample of a run.

    Args:
        wording: the name of the pool of wordings; empty for none.
        system_message: the message of the scenario, sent first when it is not empty.
        retriever: chooses in-context examples, after `Retriever.prepare`; None for no examples.
        style: how the examples are shown.
        prompt_type: ``singleturn`` asks one query for each sample, ``multiturn`` one for each turn.
        prompt_assigned_ids: index of the prompt in the pool; a negative one counts from the end.
        template_assigned_ids: index of the answer template in the pool.
        defined_prompt: a prompt that replaces the pool's, with ``{question}``. For several turns a
            pair (first turn, later turns), or one for all; ``{prefix}`` is the earlier answer.
        defined_template: an answer template that replaces the pool's and ends with ``{option}``; or
            a pair.
        pool_file: a pool in a file; see `chef.instruction.pools.read_pool`. In a recipe, the path
            is relative to the recipe.
        prompt: ``model`` asks with the model's own ``build_prompt`` instead, where the model says
            that it has one for the data set; see `chef.instruction.model_prompt`.

    Attributes:
        prompts: one, or a pair for several turns.
        templates: one, or a pair for several turns.
        forms: the prompts of other forms of question, by form; a prompt that the recipe defines
            is for all of them.

    Raises:
        ConfigError: an id outside its pool, a template that does not end with ``{option}``, a
            prompt without ``{question}`` where the pool asks questions, a pair for one turn, a pool
            without wordings for several turns, or examples before them.
    """

    def __init__(
        self,
        wording: str,
        system_message: str = "",
        retriever: Retriever | None = None,
        style: ExampleFormat | None = None,
        *,
        prompt_type: Literal["singleturn", "multiturn"] = "singleturn",
        prompt_assigned_ids: int = 0,
        template_assigned_ids: int = 0,
        defined_prompt: str | list[str] | None = None,
        defined_template: str | list[str] | None = None,
        pool_file: str | None = None,
        prompt: Literal["recipe", "model"] = "recipe",
    ) -> None:
        pool = self.built_in_pool(wording)
        if pool_file is not None:
            pool = read_pool(Path(pool_file), pool)
        self.prompt_type = prompt_type
        self.forms: dict[str, str] = {}
        self.prompts: tuple[str, ...]
        self.templates: tuple[str, ...]
        if prompt_type == "multiturn":
            if retriever is not None:
                raise examples_before_turns()
            self.prompts = turn_prompts(pool, prompt_assigned_ids, defined_prompt)
            self.templates = turn_templates(pool, template_assigned_ids, defined_template)
        else:
            self.prompts = (_prompt(pool, prompt_assigned_ids, defined_prompt),)
            if defined_prompt is None:
                self.forms = {
                    form: prompts[prompt_assigned_ids] for form, prompts in pool.forms.items()
                }
            self.templates = (_template(pool, template_assigned_ids, defined_template),)
        for template in self.templates:
            check_template(template, "eval_cfg.instruction_cfg.defined_template")
        self._prefixes = [template.removesuffix("{option}") for template in self.templates]
        _check_question(wording, self.prompts)
        if prompt == "model" and (retriever is not None or prompt_type == "multiturn"):
            raise model_prompt_alone()
        self._wants_models, self._model_prompt = prompt == "model", ModelPrompt()
        self._retriever = retriever
        self._style = self._given = style or ExampleFormat()
        texts = [system_message, self._style.system_message]
        system = "\n".join(text for text in texts if text)
        self._system = (Turn("system", (Text(system),)),) if system else ()

    def built_in_pool(self, wording: str) -> WordingPool:
        """The pool of that name, before a ``pool_file`` replaces its lists.

        Raises:
            ConfigError: there is none.
        """
        return load_pool(wording)

    @property
    def prompt(self) -> str:
        """The prompt of the only turn, or of the first."""
        return self.prompts[0]

    @property
    def template(self) -> str:
        """The answer template of the only turn, or of the first."""
        return self.templates[0]

    @property
    def wordings(self) -> tuple[str, ...]:
        """All wordings that questions and answers of the run can get."""
        return (*self.prompts, *self.templates, *self.forms.values())

    @property
    def is_own(self) -> bool:
        """Whether all code that words a sample is chef's, and changes nothing within it."""
        kinds = (type(self), type(self._retriever)) if self._retriever else (type(self),)
        is_chefs = all(kind.__module__.startswith("chef.") for kind in kinds)
        return is_chefs and not self._wants_models

    def drop_example_images(self, most: int | None) -> bool:
        """Show examples without images where a request may have at most ``most`` images.

        Returns:
            Whether images are left out. ChEF's own format (``compat: upstream``) keeps them.
        """
        shown = self._retriever.ice_num if self._retriever else 0
        bare = self._given.without_images()
        too_many = most is not None and bool(shown) and shown + 1 > most
        self._style = bare if too_many and bare is not None else self._given
        return self._style is not self._given

    def word_for(self, model: object, dataset: str) -> None:
        """Ask with the model's own prompt from now on, if the recipe wants it (``prompt: model``).

        Args:
            model: the model that is asked.
            dataset: the name of the data set, by which it chooses a prompt.

        Raises:
            ConfigError: the model has no prompt of its own for any data set.
        """
        if self._wants_models and not self._model_prompt.is_of(model, dataset):
            self._model_prompt = ModelPrompt.of(model, dataset)

    def query(self, sample: Sample, *, examples: bool = True) -> Query:
        """The conversation for one sample: its images, then the worded question.

        Args:
            sample: what is asked.
            examples: show in-context examples, where the recipe has any.

        Raises:
            SampleError: the sample has a question, and the wording has no place for it; or the
                pool has no examples for it.
        """
        prompt = self._model_prompt
        if prompt.is_used:
            return Query(prompt.conversation(sample), sample.options, worded_by=prompt.method)
        return self._query(sample, self.word(sample), examples)

    def generate(
        self, batch: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]]
    ) -> list[Prompt]:
        """The prompts of a batch, for inferencers that make their own batches.

        Args:
            batch: a dict of lists (``id``, ``question``, ``image_path``, ...), or a list of dicts.

        Raises:
            SampleError: see `query`.
        """
        samples = [sample_of(record) for record in rows_of(batch)]
        return [Prompt.of(self.query(sample), sample) for sample in samples]

    def generate_ices(
        self, batch: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]]
    ) -> list[str]:
        """The in-context examples of each row of a batch, as text; empty without a retriever.

        Args:
            batch: as `generate` takes it.

        Raises:
            SampleError: the pool has no examples for a row.
        """
        retriever = self._retriever
        chosen = [
            retriever.retrieve(sample_of(record)) if retriever is not None else ()
            for record in rows_of(batch)
        ]
        worded = [[self._word_example(example) for example in examples] for examples in chosen]
        return ["\n".join("\n".join(pair) for pair in pairs) for pairs in worded]

    def turn_query(self, sample: Sample, turn: TurnSpec, history: Conversation = ()) -> Query:
        """The conversation for one turn of a sample (``prompt_type: multiturn``).

        Args:
            sample: its images are shown once, with the first turn of the conversation.
            turn: the turn to ask.
            history: the earlier turns and their answers; empty when the turn is asked alone.

        Raises:
            SampleError: the sample has a question, and the wordings have no place for it.
        """
        self._check_place(sample)
        given = {"{prefix}": turn.prefix, "{question}": turn.question or sample.question}
        # In one pass, because a question or an answer may contain braces.
        worded = _PLACES.sub(lambda place: given[place[0]], self.prompts[turn.prompt_idx])
        asked = Turn("user", _turn_parts(sample, worded, later=bool(history)))
        return Query(
            (*self._system, *history, asked),
            turn.options,
            self._prefixes[turn.prompt_idx],
        )

    def reasoning_query(self, sample: Sample, *, examples: bool = True) -> Query:
        """The query that asks for a chain of thought before the answer.

        It has the question without the words that the pool's prompt adds, then `TRIGGER`. Samples
        without a question keep the pool's prompt.
        """
        text = f"{sample.question or self.word(sample)}\n{TRIGGER}"
        return self._query(sample, text, examples)

    def word(self, sample: Sample) -> str:
        """The question of a sample, as the prompt words it.

        Raises:
            SampleError: the sample has a question, and the wording has no place for it.
        """
        prompt = self.forms.get(sample.form, self.prompts[0])
        if sample.question and "{question}" not in self.prompts[0]:
            self._check_place(sample)
        # replace, not format, because a question may contain braces
        return prompt.replace("{question}", sample.question)

    def _check_place(self, sample: Sample) -> None:
        if sample.question and "{question}" not in "\n".join(self.prompts):
            raise SampleError(
                f"the prompt {self.prompt!r} has no {{question}}, and this sample asks one",
                where=f"sample '{sample.id}'",
                hint="choose another prompt_assigned_ids or add {question} to defined_prompt",
            )

    def _query(self, sample: Sample, text: str, with_ices: bool) -> Query:
        turn = Turn("user", parts_of(text, sample.images, sample.image_marks))
        prefix, retriever = self._prefixes[0], self._retriever
        if retriever is None:
            return Query((*self._system, turn), sample.options, prefix)
        examples = retriever.retrieve(sample) if with_ices else ()
        conversation = self._style.arrange(turn, examples, self._word_example)
        shown = tuple([example.id for example in examples])
        return Query((*self._system, *conversation), sample.options, prefix, shown)

    def _word_example(self, example: Sample) -> tuple[str, str]:
        return self._style.word(example, self.word, self.template)


def _turn_parts(sample: Sample, text: str, *, later: bool) -> tuple[Part, ...]:
    """The parts of one turn; images are shown with the first turn, or where turns mark them."""
    if not sample.image_marks:
        return (Text(text),) if later else (*sample.images, Text(text))
    texts = [sample.question, *(other.question for other in sample.turns)]
    shown = [
        (mark, image)
        for mark, image in zip(sample.image_marks, sample.images, strict=True)
        if mark in text or not (later or any(mark in other for other in texts))
    ]
    return parts_of(text, [image for _, image in shown], [mark for mark, _ in shown])


def examples_before_turns(where: str = "eval_cfg.instruction_cfg.incontext_cfg") -> ConfigError:
    """The error for in-context examples with several turns: ChEF defines no form for them."""
    return ConfigError(
        "in-context examples cannot be shown before several turns",
        where=where,
        hint="remove incontext_cfg, or use prompt_type: singleturn",
    )


def model_prompt_alone() -> ConfigError:
    """The error for a model's own prompt with what only a recipe's prompt has."""
    return ConfigError(
        "prompt: model asks the model's own prompt, which has no examples and a single turn",
        where="eval_cfg.instruction_cfg.prompt",
        hint="remove incontext_cfg and prompt_type: multiturn, or the key prompt",
    )


def _prompt(pool: WordingPool, index: int, defined: str | list[str] | None) -> str:
    chosen = defined or pool_entry(pool, "prompts", index, "prompt_assigned_ids")
    return _single(chosen, "defined_prompt")


def _template(pool: WordingPool, index: int, defined: str | list[str] | None) -> str:
    chosen = defined or pool_entry(pool, "templates", index, "template_assigned_ids")
    return _single(chosen, "defined_template")


def _check_question(wording: str, prompts: Sequence[str]) -> None:
    """Refuse a prompt without ``{question}`` where all prompts of the pool have it."""
    pool = load_pool(wording)
    asks = pool.known and all("{question}" in prompt for prompt in pool.prompts)
    if asks and not any("{question}" in prompt for prompt in prompts):
        raise ConfigError(
            f"the prompt {prompts[0]!r} has no {{question}}, and samples of '{wording}' ask one",
            where="eval_cfg.instruction_cfg.defined_prompt",
            hint="say with {question} where the question stands",
        )


def _single(wording: str | list[str], key: str) -> str:
    if isinstance(wording, str):
        return wording
    raise ConfigError(
        "one wording is needed, and this is a list",
        where=f"eval_cfg.instruction_cfg.{key}",
        hint="give a single text; a pair is for prompt_type: multiturn",
    )


#: The name by which ChEF's users know it.
InstructionHandler = Instruction
