"""What every inferencer is: a small program for one sample. The engine runs many at once.

Those written for ChEF make their own batches instead.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias

from msgspec import field

from chef.common.seeding import sample_rng
from chef.errors import ConfigError, RunError, SampleError
from chef.frozen import Frozen
from chef.image import Image
from chef.instruction.handler import Instruction
from chef.registry import recipe_name
from chef.scenario.base import Scenario
from chef.types import Conversation, Generate, Query, Reply, Request, Sample, Score, Status


class RunContext(Frozen):
    """The run that an inferencer belongs to.

    Attributes:
        seed: random seed of the run (``--seed``).
        scenario: the samples that are asked.
        batch_size: number of samples in a batch, from the command line or the recipe; 1 where
            neither gives it.
        results_path: the file of the run's predictions.
        on_prediction: called with the answer of one sample while `BatchLoopInferencer.inference`
            runs.
        name_texts: makes answers of plain texts, by the order in which the samples were handed
            out.
    """

    seed: int = 0
    scenario: Scenario | None = None
    batch_size: int = 1
    results_path: Path | None = None
    on_prediction: Callable[[Mapping[str, Any]], None] | None = None
    name_texts: Callable[[Sequence[str]], Iterable[Mapping[str, Any]]] | None = None


class BatchLoopInferencer:
    """The part of an inferencer that subclasses with a loop of their own (`inference`) use.

    Attributes:
        seed, scenario, batch_size, results_path: as in `RunContext`; the loop may read them.
    """

    instruction: Instruction
    #: The run; the default holds until the evaluator calls `bind`.
    context: RunContext = RunContext()
    seed: int = 0
    scenario: Scenario | None = None
    batch_size: int = 1
    results_path: Path | None = None

    def bind(self, context: RunContext) -> Self:
        """A shallow copy of this inferencer that belongs to a run."""
        bound = copy.copy(self)
        bound.context = context
        bound.seed, bound.scenario = context.seed, context.scenario
        bound.batch_size, bound.results_path = context.batch_size, context.results_path
        return bound

    @property
    def instruction_handler(self) -> Instruction:
        """ChEF's name for ``instruction``."""
        return self.instruction

    def inference(self, model: Any, dataset: Any) -> None:
        """Ask every sample of ``dataset``.

        Override this to make your own batches. ``model`` is a
        `chef.engine.model_adapter.ModelAdapter`; ``dataset`` a sequence of records (dicts) of
        samples that have no answer yet; ``dataset.batches(n)`` gives dicts of lists.
        """
        del model, dataset
        raise RunError(
            f"{type(self).__name__} does not override 'inference'",
            hint="write the loop in inference(self, model, dataset), without calling super()",
        )

    def _after_inference_step(
        self, predictions: Iterable[Mapping[str, Any] | str] | Mapping[str, Any] | str
    ) -> None:
        """Report answers; each is journaled before this returns.

        Args:
            predictions: one dict for each sample, with ``id`` and ``answer``; keys that the sample
                does not have are kept with the answer. Or plain texts: one for each sample that
                was handed out and has no answer yet, in the order in which they were handed out.
                Call this once for each batch: samples that are not reported when the run stops
                are asked again.

        Raises:
            RunError: there are more or fewer texts than samples handed out, or something else than
                dicts or texts.
        """
        report, name_texts = self.context.on_prediction, self.context.name_texts
        assert report is not None, "answers are reported while inference runs"
        assert name_texts is not None
        alone = isinstance(predictions, Mapping | str)
        given: list[Any] = [predictions] if alone else list(predictions)
        texts = [item for item in given if isinstance(item, str)]
        wrong = [item for item in given if not isinstance(item, Mapping | str)]
        if wrong or (texts and len(texts) < len(given)):
            kinds = sorted({type(item).__name__ for item in given})
            raise RunError(
                f"predictions are of the types {', '.join(kinds)}",
                hint="give one dict with 'id' and 'answer' for each sample, or only texts",
            )
        for prediction in name_texts(texts) if texts else given:
            report(prediction)


def has_own_loop(inferencer: BatchLoopInferencer) -> bool:
    """Whether its class overrides `BatchLoopInferencer.inference`."""
    return type(inferencer).inference is not BatchLoopInferencer.inference


class Answer(Frozen):
    """What a program returns; the engine makes a `chef.types.Prediction` from it.

    Attributes:
        answer: the text that was written, the option that was chosen, or a list or mapping of them.
        status: how the reply ended.
        scores: what was measured; journaled with the answer.
        trace: what was asked and how; journaled with the answer.
    """

    answer: Any
    status: Status = Status.OK
    scores: Mapping[str, Any] = field(default_factory=dict)
    trace: Mapping[str, Any] = field(default_factory=dict)


Program: TypeAlias = Generator[Request, Reply, Answer]


class Inferencer(BatchLoopInferencer, ABC):
    """Turns a sample into an answer by asking the model.

    A subclass takes its ``inferencer_cfg`` keys as annotated keyword arguments after
    ``instruction``, and yields requests; each ``yield`` evaluates to the model's reply. The engine
    batches the requests of many samples, so that a subclass contains no loop over samples::

        def infer(self, sample):
            reply = yield Generate(self.instruction.query(sample).conversation)
            return Answer(reply.text)

    Inferencers written for ChEF override `BatchLoopInferencer.inference` instead, and make their
    own batches.
    """

    #: The ``prompt_type`` that its instruction must have.
    prompt_type: Literal["singleturn", "multiturn"] = "singleturn"
    #: Whether its answers are options chosen by their scores (True) or written text (False); None:
    #: either. A subclass that overrides `infer` or `inference` has to declare it anew.
    scores_options: bool | None = None

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        own = vars(cls)
        if ("infer" in own or "inference" in own) and "scores_options" not in own:
            cls.scores_options = None

    def __init__(self, instruction: Instruction) -> None:
        if instruction.prompt_type != self.prompt_type:
            raise ConfigError(
                f"{recipe_name(type(self))} needs prompt_type: {self.prompt_type}, "
                f"and the recipe says {instruction.prompt_type}",
                where="eval_cfg.instruction_cfg.prompt_type",
                hint=f"write prompt_type: {self.prompt_type}, or use another inferencer_type",
            )
        self.instruction = instruction

    @abstractmethod
    def infer(self, sample: Sample) -> Program:
        """The program for ``sample``.

        Raises:
            SampleError: this sample cannot be asked. The error is recorded, and the run goes on.
        """

    def sample_seed(self, sample: Sample, turn: int = 0) -> int:
        """The random seed of one turn of one sample. It is independent of batches and order."""
        names = (sample.id, turn) if turn else (sample.id,)
        return sample_rng(self.seed, "generate", *names).getrandbits(32)


def started(inferencer: Inferencer, sample: Sample) -> tuple[Program, Request]:
    """The program of a sample and its first request; `StopIteration` where it makes none."""
    program: object = inferencer.infer(sample)
    if not isinstance(program, Generator):
        raise SampleError(
            f"{type(inferencer).__name__}.infer returned {program!r}, and asks nothing",
            hint="ask with `reply = yield Generate(conversation)`, and return an Answer",
        )
    return program, checked_request(next(program))


def checked_request(request: object) -> Request:
    """What a program yields, if it is a request; else a `SampleError`."""
    if not isinstance(request, Generate | Score):
        raise SampleError(
            f"infer yielded {request!r}, which is no request",
            hint="yield Generate(conversation) or Score(conversation, candidates)",
        )
    return request


def describe(query: Query) -> dict[str, Any]:
    """What was asked, for the journal: ``query``, ``ices``, and who worded it if a model did."""
    asked: dict[str, Any] = {"query": render(query.conversation)}
    if query.worded_by:
        asked["worded_by"] = query.worded_by
    return {**asked, "ices": list(query.examples)} if query.examples else asked


def render(conversation: Conversation) -> str:
    """The conversation as plain text for the journal; ``<image>`` marks each image."""
    lines = []
    for turn in conversation:
        texts = ["<image>" if isinstance(part, Image) else part.text for part in turn.parts]
        text = "\n".join(filter(None, texts))
        lines.append(text if len(conversation) == 1 else f"[{turn.role}] {text}")
    return "\n".join(lines)
