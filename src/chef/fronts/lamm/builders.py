"""What files of ChEF make ingredients of: builders, its retriever, images, batches and chats."""

from __future__ import annotations

import copy as copying
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from chef.common.keys import make
from chef.config.metric import BASIC
from chef.errors import ConfigError
from chef.inferencer import INFERENCERS, Inferencer
from chef.instruction import INSTRUCTIONS, RETRIEVERS, Instruction
from chef.instruction.retriever import ExamplePool, Retriever
from chef.instruction.retriever.base import Selection
from chef.metric import METRICS, Metric
from chef.models.hooks.chef import ChefHelpers
from chef.scenario import SCENARIOS
from chef.scenario.lamm import messages
from chef.types import Compat, Sample

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels


_OF_THE_ENGINE = ("batch_size", "dist_args")


def build_inferencer(inferencer_type: str, **kwargs: Any) -> Inferencer:
    """The inferencer of a type; ``batch_size`` and ``dist_args`` are the engine's, and not read."""
    handler = kwargs.pop("instruction_handler", None) or Instruction("")
    kind: Any = INFERENCERS.get(inferencer_type)
    keys = {key: item for key, item in kwargs.items() if key not in _OF_THE_ENGINE}
    return _made(kind, (handler,), keys)  # type: ignore[no-any-return]


def build_instructionhandler(  # noqa: PLR0917 (ChEF's order)
    task_name: str,
    dataset: Any,
    prompt_type: str = "singleturn",
    prompt_assigned_ids: int = 0,
    template_assigned_ids: int = 0,
    incontext_cfg: dict[str, Any] | None = None,
    **kwargs: Any,
) -> Instruction:
    """The instruction handler for a task, whose examples come from ``dataset`` (a scenario)."""
    given = dict(incontext_cfg or {})
    retriever = build_retriever(dataset, dataset, **given) if given else None
    kind: Any = INSTRUCTIONS.get("InstructionHandler")
    system = getattr(dataset, "system_message", "") or ""
    keys = {
        "prompt_type": prompt_type,
        "prompt_assigned_ids": prompt_assigned_ids,
        "template_assigned_ids": template_assigned_ids,
        **kwargs,
    }
    return _made(kind, (task_name, system, retriever, None), keys)  # type: ignore[no-any-return]


def build_retriever(
    train_dataset: Any, test_dataset: Any, retriever_type: str, **kwargs: Any
) -> Retriever:
    """The retriever of a type; a sample of ``test_dataset`` is never its own example."""
    kind: Any = RETRIEVERS.get(retriever_type)
    retriever: Retriever = _made(kind, (), kwargs)
    retriever.prepare(ExamplePool(train_dataset, is_split=train_dataset is not test_dataset))
    return retriever


def build_metric(
    metric_type: str, dataset_name: str, compat: Compat = "corrected", **kwargs: Any
) -> Metric:
    """The metric of a type (or ``basic``, or a protocol of the data set) for a data set."""
    known = SCENARIOS.get(dataset_name) if dataset_name in SCENARIOS else None
    protocols = {} if known is None else {BASIC: known.metric, **known.protocols}
    kind: Any = METRICS.get(protocols.get(metric_type, metric_type), compat=compat)
    return _made(kind, (dataset_name,), kwargs)  # type: ignore[no-any-return]


def build_prompt(prompt_type: str = "singleturn", **kwargs: Any) -> str | tuple[str, str]:
    """The wording (or pair) by ``task_name``, ``assigned_ids`` and ``defined_prompt``."""
    return _wording("prompts", kwargs.pop("defined_prompt", None), prompt_type, **kwargs)


def build_template(
    task_name: str,
    assigned_ids: int = 0,
    defined_template: str | None = None,
    prompt_type: str = "singleturn",
    **kwargs: Any,
) -> str | tuple[str, str]:
    """The wording of an answer; as `build_prompt`."""
    del kwargs
    return _wording("templates", defined_template, prompt_type, task_name, assigned_ids)


def _wording(
    what: str,
    defined: str | None,
    prompt_type: str,
    task_name: str = "",
    assigned_ids: int = 0,
) -> str | tuple[str, str]:
    if defined is not None:
        return defined
    keys = {"prompt_type": prompt_type, f"{what[:-1]}_assigned_ids": assigned_ids}
    handler = _made(INSTRUCTIONS.get("InstructionHandler"), (task_name,), keys)
    texts: tuple[str, ...] = getattr(handler, what)
    return texts[0] if len(texts) == 1 else (texts[0], texts[1])


def _made(kind: Any, first: tuple[Any, ...], keys: dict[str, Any]) -> Any:
    try:
        return make(kind, first, keys)
    except TypeError as error:
        raise ConfigError(f"{kind.__name__} cannot be made: {error}") from error


class BaseRetriever(Retriever):
    """A retriever written for ChEF: `retrieve` without a question gives the examples of each."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Keep the subclass's ``retrieve()`` apart from chef's ``retrieve(query)``."""
        super().__init_subclass__(**options)
        if (own := vars(cls).get("retrieve")) is not None:
            cls.places = own  # type: ignore[method-assign]
            del cls.retrieve

    def __init__(
        self,
        train_dataset: Any,
        test_dataset: Any,
        ice_num: int | None = 1,
        random_seed: int = 0,
        **kwargs: Any,
    ) -> None:
        del kwargs
        super().__init__(selection=Selection(ice_num or 0, random_seed))
        self.index_ds, self.test_ds = train_dataset, test_dataset
        self._places: list[Sequence[int]] | None = None

    def places(self) -> list[Sequence[int]]:
        """For each question the places of its examples, in order of preference."""
        return [[] for _ in range(len(self.test_ds))]

    def retrieve(self, query: Sample | None = None) -> Any:
        """The examples of a question; without one, the places of the examples of every question."""
        return self.places() if query is None else super().retrieve(query)

    def preference(self, query: Sample) -> Iterator[int]:
        if self._places is None:
            self._places = list(self.places())
        return iter(self._places[self._place_of(query)])

    def get_corpus_from_dataset(self, dataset: Any) -> list[str]:
        """The questions of a data set."""
        return [str(item["question"]) for item in dataset]

    def process_list(self, items: Sequence[int], own: int) -> list[int]:
        """The places without a question's own, at most ``ice_num``."""
        return [place for place in items if place != own][: self.ice_num]

    def _place_of(self, query: Sample) -> int:
        pool: ExamplePool | None = self.pool
        assert pool is not None, "prepare has to be called first"
        scenario = pool.scenario
        names = (scenario.sample_id(place) for place in range(len(scenario)))
        return next(place for place, name in enumerate(names) if name == query.id)


#: System messages of LAMM's tasks, in chef's words, by task; and of tasks that ask for a place.
common_task2sysmsg: Mapping[str, str] = messages()
locating_task2sysmsg: Mapping[str, str] = common_task2sysmsg


def get_image(image: Any) -> Pixels:
    """An image, a path or an address as an RGB PIL image; raises `ImageError`."""
    return ChefHelpers().get_image_list(image)[0]


def get_multi_imgs(images: Any) -> list[Pixels]:
    """One image or several as a list of RGB PIL images; errors as in `get_image`."""
    return ChefHelpers().get_image_list(images)


def copy_batch_dict(batch: Mapping[str, Sequence[Any]], idx: int | Sequence[int]) -> dict[str, Any]:
    """A batch (lists by name) of some of the rows of another one, by their places.

    >>> copy_batch_dict({"id": ["a", "b", "c"]}, [0, 2])
    {'id': ['a', 'c']}
    """
    places = [idx] if isinstance(idx, int) else list(idx)
    return {name: [items[place] for place in places] for name, items in batch.items()}


class SeparatorStyle(Enum):
    """What stands between the turns of a chat: the same text, or one behind each role."""

    SINGLE = auto()
    TWO = auto()


@dataclass
class Conversation:
    """A chat as the text that a model reads; in a message without a text the model goes on."""

    system: str
    roles: Sequence[str]
    messages: list[list[Any]]
    offset: int = 0
    sep_style: SeparatorStyle = SeparatorStyle.SINGLE
    sep: str = "###"
    sep2: str | None = None
    version: str = "Unknown"
    skip_next: bool = False
    conv_id: Any = field(default=None)

    def get_prompt(self) -> str:
        """The text: system, then ``role: text`` of each turn, with the separators.

        >>> chat = Conversation("Be brief.", ("Human", "Assistant"), [["Human", "Hi"]])
        >>> chat.append_message("Assistant", None)
        >>> chat.get_prompt()
        'Be brief.###Human: Hi###Assistant:'
        """
        ends = [self.sep, self.sep]
        if self.sep_style is SeparatorStyle.TWO:
            ends[1] = self.sep2 or ""
        text = self.system + ends[0]
        for number, (role, said) in enumerate(self.messages):
            words = said[0] if isinstance(said, tuple) else said  # with its images
            text += f"{role}: {words}{ends[number % 2]}" if words else f"{role}:"
        return text

    def append_message(self, role: str, message: Any) -> None:
        """Add a turn."""
        self.messages.append([role, message])

    def to_gradio_chatbot(self) -> list[list[Any]]:
        """The turns behind the example as pairs of the user's and the assistant's text."""
        texts = [text for _, text in self.messages[self.offset :]]
        return [
            [text, texts[place + 1] if place + 1 < len(texts) else None]
            for place, text in enumerate(texts)
            if place % 2 == 0
        ]

    def copy(self) -> Conversation:
        """A chat of its own with the same turns."""
        return copying.deepcopy(self)

    def dict(self) -> dict[str, Any]:
        """The fields by name."""
        return {**asdict(self), "sep_style": self.sep_style.name}
