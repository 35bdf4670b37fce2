"""Images, batches and chat templates, as files of ChEF handle them."""

from __future__ import annotations

import copy as copying
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from chef.models.hooks.chef import ChefHelpers
from chef.scenario.lamm import messages

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

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
