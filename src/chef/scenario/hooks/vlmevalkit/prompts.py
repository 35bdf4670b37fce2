"""What a row asks: the message of ``build_prompt``, or without one as its family lays it out.

`question_of` is what a recipe's instruction words; `text_of` is worded already, by the first prompt
of the same pool, for classes that build on ``super().build_prompt(line)``. The run that such
classes evaluate, and its judge, are here too, for code that they call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from string import ascii_uppercase
from typing import Any, Protocol

from chef.common.vlmevalkit_messages import conversation_of
from chef.errors import RunError, SampleError
from chef.frozen import Frozen
from chef.image import Image
from chef.scenario.questions.family import LAYOUTS
from chef.scenario.questions.family import text_of as laid_out
from chef.types import Text, Turn, TurnSpec


class Running(Protocol):
    """What a run gives to the evaluation of its answers."""

    def family_scores(self, eval_file: str) -> dict[str, float | None]:
        """The scores of the answers in a file, by chef's metric for the kind of question."""

    def ask_judge(self, message: Any, **options: Any) -> str:
        """The reply of the recipe's judge to a message; RunError if there is none, or it fails."""

    @property
    def judge_name(self) -> str | None:
        """The name of the recipe's judge; None where it has none."""


_current: ContextVar[Running | None] = ContextVar("vlmevalkit_run", default=None)


def running() -> Running:
    """The run whose answers are being evaluated; RunError without one."""
    found = _current.get()
    if found is None:
        raise RunError(
            "there is no run whose answers are evaluated",
            hint="`chef eval` and `chef score` call evaluate(); outside of them there is no judge "
            "and no metric of chef's",
        )
    return found


def is_running() -> bool:
    """Whether the answers of a run are being evaluated."""
    return _current.get() is not None


@contextmanager
def evaluating(run: Running) -> Iterator[None]:
    """Let `running` give this run in the block."""
    token = _current.set(run)
    try:
        yield
    finally:
        _current.reset(token)


#: What is said where a judge does not work.
DEBUG_MESSAGE = "The judge is the recipe's judge_cfg; `chef score --help` tells more."


class Judge:
    """One of chef's judges; options: ``temperature``, ``max_tokens`` and ``system_prompt``."""

    def __init__(self, run: Running, options: dict[str, Any]) -> None:
        self._run, self._options = run, options
        self.model = run.judge_name

    def generate(self, inputs: Any = None, **options: Any) -> str:
        """The reply to a text or a list of parts, with its options; RunError if the judge fails."""
        return self._run.ask_judge(inputs, **{**self._options, **options})

    __call__ = generate

    def working(self) -> bool:
        """Whether it answers; one that does not is an error of the run, so this is True."""
        return True


def build_judge(**kwargs: Any) -> Judge:
    """The recipe's judge (``judge_cfg``, ``--judge_cfg``), with ``temperature``, ``max_tokens`` and
    ``system_prompt``; ``model`` and other arguments have no effect. RunError without a judge.
    """
    run = running()
    if run.judge_name is None:
        wanted = f" ('{kwargs['model']}')" if kwargs.get("model") else ""
        raise RunError(
            f"evaluate() asks a judge{wanted}, and the recipe has none",
            hint="name the model file of one with --judge_cfg FILE, or in the recipe: "
            "eval_cfg.judge_cfg: {model_cfg: FILE}",
        )
    known = ("temperature", "max_tokens", "system_prompt")
    return Judge(run, {key: kwargs[key] for key in known if kwargs.get(key) is not None})


def gpt_key_set() -> bool:
    """Whether there is a judge that evaluation code can ask; RunError outside of a run."""
    return running().judge_name is not None


class RowPrompt(Frozen):
    """What a row asks, as in `chef.types.Sample`: a single question, or turns with their
    references; ``image_marks`` stand in the texts for images, which come first where there are
    none.
    """

    question: str
    images: tuple[Image, ...] = ()
    image_marks: tuple[str, ...] = ()
    turns: tuple[TurnSpec, ...] = ()


def prompt_of(message: Any, source: str) -> RowPrompt:
    """What a message that the method ``source`` gave asks: a single turn of the user's, or a
    conversation. SampleError if it is no message, or its turns do not alternate, the user's first.
    """
    if message is None:
        raise SampleError(f"{source} returned None", hint="return the list of parts")
    conversation = conversation_of(message)
    roles = [turn.role for turn in conversation]
    if roles != ["user", "assistant"] * (len(roles) // 2) + ["user"] * (len(roles) % 2):
        raise SampleError(
            f"{source} returned turns of {', '.join(roles)}",
            hint="let turns of the user and of the assistant alternate; the user's is first. A "
            "system message is a part of the model file",
        )
    asked = conversation[::2]
    answers = [turn.text for turn in conversation[1::2]]
    images = tuple(image for turn in asked for image in turn.images)
    marks = _marks(conversation, len(images))
    texts = _marked(asked, marks)
    is_first = all(
        all(isinstance(part, Image) for part in turn.parts[: len(turn.images)])
        and (place == 0 or not turn.images)
        for place, turn in enumerate(asked)
    )
    if is_first:
        texts, marks = [turn.text for turn in asked], ()
    if len(conversation) == 1:
        return RowPrompt(texts[0], images, marks)
    truths = [*answers, *([None] * (len(asked) - len(answers)))]
    turns = tuple(
        TurnSpec(0 if place == 0 else 1, question=text, truth=truth)
        for place, (text, truth) in enumerate(zip(texts, truths, strict=True))
    )
    return RowPrompt("", images, marks, turns)


def _marks(conversation: Sequence[Turn], images: int) -> tuple[str, ...]:
    """A mark for each image that occurs in no text."""
    texts = "".join(turn.text for turn in conversation)
    brackets = 1
    while "<" * brackets + "image " in texts:
        brackets += 1
    left, right = "<" * brackets, ">" * brackets
    return tuple(f"{left}image {number}{right}" for number in range(1, images + 1))


def _marked(turns: Sequence[Turn], marks: Sequence[str]) -> list[str]:
    """The texts of turns, with a mark at the place of each image."""
    rest = iter(marks)
    return [
        "".join(part.text if isinstance(part, Text) else next(rest) for part in turn.parts)
        for turn in turns
    ]


#: The pool of wordings for each kind of question, and its first prompt.
POOLS: Mapping[str, tuple[str, str]] = {
    "mcq": (
        "vlmevalkit_mcq",
        "{question}\nWhich of the options above is right? Choose one. \n",
    ),
    "vqa": ("vlmevalkit_vqa", "{question}\nReply with one word or a short phrase."),
    "caption": (
        "vlmevalkit_caption",
        "Describe in general what can be seen here. Start with what is seen, not with words about "
        "the picture itself.",
    ),
}
_PLAIN = "vlmevalkit_plain", "{question}"
#: The form of a multiple-choice question without options, in the pool, and how it is worded.
OPEN = "open", "{question}\n"


def pool_of(kind: str) -> str:
    """The name of the pool for a kind of question."""
    return POOLS.get(kind, _PLAIN)[0]


def question_of(kind: str, cells: Mapping[str, str]) -> str:
    """What a row asks, before it is worded; empty for a caption. SampleError without a question."""
    if kind == "caption":
        return ""
    return laid_out(LAYOUTS["mcq" if kind == "mcq" else "plain"], cells, choices_of(cells))


def form_of(kind: str, cells: Mapping[str, str]) -> str:
    """The form in which the pool words a row; empty for the usual one."""
    return OPEN[0] if kind == "mcq" and not choices_of(cells) else ""


def text_of(kind: str, cells: Mapping[str, str]) -> str:
    """The text of a row as the pool's first prompt words it; SampleError without a question."""
    prompt = OPEN[1] if form_of(kind, cells) else POOLS.get(kind, _PLAIN)[1]
    return prompt.replace("{question}", question_of(kind, cells))


def choices_of(cells: Mapping[str, str]) -> dict[str, str]:
    """The texts of the options of a row; only an empty cell is a missing option.

    >>> choices_of({"A": "None", "B": "", "C": "NA", "D2": "x"})
    {'A': 'None', 'C': 'NA'}
    """
    return {letter: cells[letter] for letter in ascii_uppercase if cells.get(letter, "") != ""}
