"""What VLMEvalKit's base classes of models share: messages, prompts of their own, images."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from chef.common.options import by_letter, unlettered
from chef.common.vlmevalkit_messages import (
    Message,
    MessageError,
    chat_of,
    is_chat,
    message_of,
    typed,
)
from chef.errors import RunError, SampleError
from chef.models.hooks.chef import with_prefix
from chef.models.hooks.vlmevalkit.image_files import image_path, joined_path, local_path
from chef.types import Conversation, Generate, Sample, Turn

# ruff: noqa: ARG002 (the arguments of a method that a subclass gives are its contract)


#: The settings of a request, by the names that methods have for them.
_SETTINGS = {
    "max_new_tokens": "max_new_tokens",
    "max_tokens": "max_new_tokens",
    "temperature": "temperature",
    "top_p": "top_p",
    "seed": "seed",
}
_JOINED = "message_to_promptimg gives one image: several images of a sample are shown side by side"


class TakesMessages:
    """The methods and attributes that models written for VLMEvalKit have or use.

    Attributes:
        INTERLEAVE: is not looked at: a class gets every image, and `message_to_promptimg` joins
            them.
        takes_further_keys: keys of its model file that no constructor names go into ``**kwargs``.
    """

    INTERLEAVE: bool = False
    VIDEO_LLM: bool = False
    INSTALL_REQ: bool = False
    install_req: bool = False
    is_api: bool = False
    allowed_types: Sequence[str] = ("text", "image")
    dump_image_func: Callable[..., Any] | None = None
    takes_further_keys: ClassVar[bool] = True
    takes_dataset: bool = True

    @property
    def notices(self) -> Sequence[str]:
        """Messages for the user, in the order in which they came up."""
        return tuple(vars(self).get("_notices_so_far", ()))

    # What a subclass may override.

    def use_custom_prompt(self, dataset: str | None) -> bool:
        """Whether the class has a prompt of its own for a data set (``prompt: model``)."""
        return False

    def build_prompt(self, line: Any, dataset: str | None = None) -> Any:
        """The message for a row of a data set."""
        raise RunError(
            f"{type(self).__name__} has no prompt of its own",
            hint=f"give {type(self).__name__} a method build_prompt(line, dataset)",
        )

    # What a subclass may call.

    def set_dump_image(self, dump_image_func: Callable[..., Any]) -> None:
        """Let `dump_image` be answered by a function of a row."""
        self.dump_image_func = dump_image_func

    def dump_image(self, line: Any, dataset: str | None = None) -> list[str]:
        """The paths of the images of a row."""
        return list((self.dump_image_func or dumped_images)(line))

    def check_content(self, msgs: Any) -> str:
        """The form of a message: ``str``, ``dict``, ``liststr``, ``listdict`` or ``unknown``."""
        if isinstance(msgs, str):
            return "str"
        if isinstance(msgs, Mapping):
            return "dict"
        for kind, name in ((str, "liststr"), (Mapping, "listdict")):
            if isinstance(msgs, list) and all(isinstance(item, kind) for item in msgs):
                return name
        return "unknown"

    def preproc_content(self, inputs: Any) -> Message:
        """A message in any form as a list of parts with local files; else a MessageError."""
        parts = typed(inputs)
        for part in parts:
            if part["type"] not in self.allowed_types:
                raise MessageError(
                    f"{type(self).__name__} takes no part of the type {part['type']}",
                    hint=f"it takes: {', '.join(self.allowed_types)}",
                )
            if part["type"] == "image":
                part["value"] = local_path(part["value"])
        return parts

    def message_to_promptimg(
        self, message: Message, dataset: str | None = None
    ) -> tuple[str, str | None]:
        """The texts, and the path of the image (several are joined, with a notice) or None."""
        images = [part["value"] for part in message if part["type"] == "image"]
        texts = [part["value"] for part in message if part["type"] == "text"]
        if len(images) < 2:
            return "\n".join(texts), images[0] if images else None
        note(self, _JOINED)
        if self.is_api:  # where each image stands, as its classes expect
            texts = [part["value"] if part["type"] == "text" else "<image>" for part in message]
        return "\n".join(texts), joined_path(images)

    def chat(self, messages: Any, dataset: str | None = None) -> str:
        """The reply to several turns, by the subclass's ``chat_inner``; a failure is an error."""
        raise NotImplementedError


def dumped_images(line: Any) -> list[str]:
    """The paths in a row of `chef.models.hooks.vlmevalkit.messages.line_of`."""
    given = line.get("image_path", [])
    return [given] if isinstance(given, str) else list(given)


def checked_chat(model: TakesMessages, messages: Any) -> list[dict[str, Any]]:
    """Turns with ``role`` and ``content``, a list of parts; a SampleError if they are none."""
    name = type(model).__name__
    if not callable(getattr(model, "chat_inner", None)):
        raise SampleError(
            f"{name} takes no conversation of several turns",
            hint="give it a method chat_inner(message, dataset)",
        )
    if not is_chat(messages):
        form = '[{"role": "user", "content": "..."}, ...]'
        raise MessageError(f"{name}.chat was given no turns", hint=f"turns are {form}")
    roles = [turn.get("role") for turn in messages]
    if not set(roles) <= {"user", "assistant"} or roles[-1] != "user":
        raise MessageError(
            f"the roles of a chat are {', '.join(map(str, roles))}",
            hint="they are user and assistant, and the last one is user",
        )
    return [{**turn, "content": model.preproc_content(turn["content"])} for turn in messages]


def shown(request: Generate) -> tuple[Conversation, bool]:
    """The conversation of a request with the begun reply, and whether it has several turns."""
    conversation = with_prefix(request.conversation, request.answer_prefix)
    return conversation, sum(turn.role != "system" for turn in conversation) > 1


def as_message(model: TakesMessages, conversation: Conversation) -> Message:
    """The message that stands for a conversation; its images are files."""
    return model.preproc_content(message_of(conversation, image_path))


def as_chat(conversation: Conversation) -> list[dict[str, Any]]:
    """The turns of a conversation; the system's words stand at the start of the first one."""
    system = [part for turn in conversation if turn.role == "system" for part in turn.parts]
    turns = tuple(turn for turn in conversation if turn.role != "system")
    contents = chat_of(turns, image_path)
    if system:
        first = message_of((Turn("user", tuple(system)),), image_path)
        contents[0]["content"] = [*first, *contents[0]["content"]]
    return contents


def handed(model: TakesMessages, method: Callable[..., Any], request: Generate) -> dict[str, Any]:
    """The keyword arguments of a call for a request, with a notice of what has no effect.

    A method gets the settings of the recipe that it names, and the data set also by ``**kwargs``.
    """
    parameters = inspect.signature(method).parameters
    named = {name: getattr(request, of) for name, of in _SETTINGS.items() if name in parameters}
    used = {_SETTINGS[name] for name in named}
    unused = [name for name in ("max_new_tokens", "temperature", "top_p") if name not in used]
    where = f"{type(model).__name__}.{method.__name__}"
    if unused:
        note(model, f"{where} does not take {', '.join(unused)}: its class decides them")
    if used:
        note(model, f"{where} is given {', '.join(sorted(used))} of the recipe")
    takes_any = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    if takes_any or "dataset" in parameters:
        named["dataset"] = request.dataset or None
    return named


def note(model: object, text: str) -> None:
    """Remember a notice of a model, once."""
    # A subclass need not call super().__init__, so there may be none so far.
    vars(model).setdefault("_notices_so_far", {})[text] = None


_GROUPS = ("category", "l2-category", "split")


def line_of(sample: Sample) -> Any:
    """The row: a pandas Series, or a dict where pandas is not there; without the right answer."""
    row = columns_of(sample)
    try:
        import pandas as pd
    except ImportError:
        return row
    return pd.Series(row, dtype=object)


def columns_of(sample: Sample) -> dict[str, Any]:
    """The columns of the row by name.

    >>> columns_of(Sample("7", question="Which?", options=("cat", "dog")))
    {'index': 7, 'question': 'Which?', 'A': 'cat', 'B': 'dog'}
    """
    texts = [str(text) for text in sample.fields.get("choices") or sample.options]
    labels = by_letter(texts, sample.fields.get("labels"))
    hint, question = unlettered(sample.question, labels) if labels else ("", sample.question)
    hint = hint or str(sample.fields.get("hint") or "")
    paths = [image_path(image) for image in sample.images]
    is_number = sample.id.isascii() and sample.id.isdecimal()
    row: dict[str, Any] = {"index": int(sample.id) if is_number else sample.id}
    row["question"] = question
    if hint:
        row["hint"] = hint
    row |= labels
    if paths:
        row["image_path"] = paths[0] if len(paths) == 1 else paths
    return row | {name: sample.fields[name] for name in _GROUPS if sample.fields.get(name)}
