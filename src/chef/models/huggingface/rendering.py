"""Write a conversation as a processor takes it, and encode such rows as the tensors of a batch."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from chef.errors import DependencyError, RunError, SampleError
from chef.frozen import Frozen
from chef.image import Image
from chef.models.huggingface.loading import Processing, Quirk, Runtime
from chef.types import Conversation, Turn

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image as Pixels

#: Marks the end of an unfinished reply while the template is rendered, and is cut off after it.
END = "<<end-of-the-reply-so-far>>"
#: Anything that a template may look for in a reply (reasoning, tool calls, images) begins with one
#: of these characters.
MARKS = frozenset("<[{")
#: The system message with which a template is tried.
PROBE = "a system message to try the template with"


class Rendered(Frozen):
    """One row of a batch: a prompt with one mark for each image.

    Attributes:
        suffix: the reply, for a family whose processor takes it separately (see `Quirk.prefix_lm`).
        scored: how many characters at the end of ``suffix``, if there is one, or ``text`` are
            scored.
    """

    text: str
    images: tuple[Pixels, ...]
    suffix: str | None = None
    scored: int = 0


@dataclass(frozen=True)
class Renderer:
    """Writes prompts for one model by ``template(messages, add_generation_prompt)``."""

    name: str
    template: Callable[[list[dict[str, Any]], bool], str]
    image_token: str | None
    quirk: Quirk

    def prompt(self, conversation: Conversation, answer_prefix: str = "") -> Rendered:
        """The row to generate from, up to the reply; a SampleError if it cannot be sent."""
        if self.quirk.prefix_lm:
            return self._plain(conversation, answer_prefix, scored=0)
        messages = self._messages(conversation)
        if answer_prefix:
            text = self._continued(messages, answer_prefix)
        else:
            text = self._render(messages, add_generation_prompt=True)
        return self._checked(text, conversation)

    def reply(self, conversation: Conversation, answer_prefix: str, candidate: str) -> Rendered:
        """The row to score, which ends with the candidate; a SampleError if that changes."""
        if not candidate:
            raise SampleError(
                "an option is empty: there is nothing to score", hint="drop the empty option"
            )
        if self.quirk.prefix_lm:
            return self._plain(conversation, answer_prefix + candidate, scored=len(candidate))
        text = self._continued(self._messages(conversation), answer_prefix + candidate)
        if not text.endswith(answer_prefix.lstrip() + candidate):
            raise SampleError(
                f"the chat template of {self.name} changes the option {candidate!r}",
                hint="remove white space at the start of the option",
            )
        return self._checked(text, conversation, scored=len(candidate))

    def replies(
        self, conversation: Conversation, answer_prefix: str, candidates: Sequence[str]
    ) -> list[Rendered]:
        """The rows of `reply`; candidates that no template could change are rendered only once."""
        rows = []
        model: Rendered | None = None
        for candidate in candidates:
            plain = bool(candidate) and not MARKS.intersection(candidate)
            plain = plain and (bool(answer_prefix) or not candidate[0].isspace())
            if plain and model is not None:
                kept = model.text if model.suffix is None else model.suffix
                whole = kept[: len(kept) - model.scored] + candidate
                row = replace(model, scored=len(candidate))
                row = replace(row, text=whole) if row.suffix is None else replace(row, suffix=whole)
            else:
                row = self.reply(conversation, answer_prefix, candidate)
                model = row if plain else model
            rows.append(row)
        return rows

    def _continued(self, messages: list[dict[str, Any]], reply: str) -> str:
        # A finished turn is rendered and cut, so that whatever the template writes before an
        # assistant's words (a space, a newline, a header) is there. transformers' own
        # continue_final_message does the same but loses white space at the end of the reply.
        answer = {"role": "assistant", "content": [{"type": "text", "text": reply + END}]}
        text = self._render([*messages, answer], add_generation_prompt=False)
        if END not in text:
            raise SampleError(f"the chat template of {self.name} drops the assistant's turn")
        return text[: text.rindex(END)]

    def _render(self, messages: list[dict[str, Any]], *, add_generation_prompt: bool) -> str:
        from jinja2 import TemplateError

        try:
            return self.template(messages, add_generation_prompt)
        except TemplateError as error:
            raise SampleError(
                f"the chat template of {self.name} refuses this conversation: {error}",
                hint="many templates need alternating turns, and no system message",
            ) from None

    def _messages(self, conversation: Conversation) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = []
        for turn in conversation:
            content: Any = _parts(turn)
            if turn.role == "system" and not self._system_in_parts:
                content = turn.text
            messages.append({"role": turn.role, "content": content})
        return messages

    @cached_property
    def _system_in_parts(self) -> bool:
        """Whether a system message is a list of parts or a string: templates differ."""
        asked = {"role": "user", "content": [{"type": "text", "text": "?"}]}
        for content in ([{"type": "text", "text": PROBE}], PROBE):
            system = {"role": "system", "content": content}
            try:
                text = self._render([system, asked], add_generation_prompt=True)
            except Exception:  # templates fail in many ways on content of the wrong type
                text = ""
            if PROBE in text and "'text'" not in text:
                return isinstance(content, list)
        raise SampleError(
            f"the chat template of {self.name} has no place for a system message",
            hint="put the text of the system message into the prompt",
        )

    def _plain(self, conversation: Conversation, reply: str, *, scored: int) -> Rendered:
        texts = [turn.text for turn in conversation if turn.text]
        marks = self.quirk.image_mark * sum(len(turn.images) for turn in conversation)
        if not marks:
            raise SampleError(f"{self.name} needs an image, and this sample has none")
        row = self._checked(marks + "\n".join(texts), conversation, scored=scored)
        return Rendered(row.text, row.images, suffix=reply, scored=scored)

    def _checked(self, text: str, conversation: Conversation, scored: int = 0) -> Rendered:
        images = tuple(image.view() for turn in conversation for image in turn.images)
        marked = len(images) if self.image_token is None else text.count(self.image_token)
        if marked != len(images):
            raise SampleError(
                f"{len(images)} image(s), but {self.image_token!r} occurs {marked} time(s) in "
                f"the prompt for {self.name}",
                hint="remove the model's image mark from the text; not every template "
                "takes images in every turn",
            )
        return Rendered(text, images, scored=scored)


def _parts(turn: Turn) -> list[dict[str, str]]:
    """The parts of a turn; adjacent texts are joined, as templates write marks between parts."""
    parts: list[dict[str, str]] = []
    for part in turn.parts:
        if isinstance(part, Image):
            parts.append({"type": "image"})
        elif parts and parts[-1]["type"] == "text":
            parts[-1]["text"] += part.text
        else:
            parts.append({"type": "text", "text": part.text})
    return parts or [{"type": "text", "text": ""}]


def encode(runtime: Runtime, rows: Sequence[Rendered], **options: Any) -> dict[str, Any]:
    """The processor's output on the CPU for rows that all have images or all have none
    (`by_images`).

    ``input_ids`` and ``attention_mask`` are [rows, length], padded on the left. A SampleError if
    the processor refuses a row, or one is longer than the model's context.
    """
    if rows[0].suffix is not None:
        options["suffix"] = [row.suffix for row in rows]
    if has_bos(runtime, rows[0].text):
        options["add_special_tokens"] = False
    images = [row.images for row in rows] if rows[0].images else None
    encoded = process(runtime, runtime.processor, [row.text for row in rows], images, **options)
    encoded.pop("labels", None)  # made for training
    if rows[0].suffix is not None and not rows[0].scored:
        # The processor ends a suffix with EOS, which a reply that is to be continued cannot have.
        for key in ("input_ids", "attention_mask", "token_type_ids"):
            encoded[key] = encoded[key][:, :-1]
    check_length(runtime, int(encoded["attention_mask"].sum(dim=1).max()))
    return encoded


def process(
    runtime: Runtime,
    processor: Any,
    texts: Sequence[str],
    images: Sequence[Sequence[Pixels]] | None,
    **options: Any,
) -> dict[str, Any]:
    """Call a processor, padding on the left; a SampleError if it refuses its input."""
    arguments: dict[str, Any] = {"text": list(texts), **options}
    if images is not None:
        arguments["images"] = [list(each) for each in images]
        if runtime.image_options:
            arguments["images_kwargs"] = dict(runtime.image_options)
    try:
        return dict(processor(**arguments, padding=True, padding_side="left", return_tensors="pt"))
    except ImportError as error:
        raise DependencyError(str(error), hint="install the package with pip") from error
    except (ValueError, TypeError, IndexError, KeyError, AttributeError) as error:
        raise SampleError(
            f"{type(processor).__name__} refuses the prompt ({type(error).__name__}: {error})",
            hint="check that the model takes this many images, and images of this size",
        ) from error


def has_bos(processing: Processing, text: str) -> bool:
    """Whether the template wrote the beginning-of-sequence token, so that none is added."""
    bos = processing.tokenizer.bos_token
    return bool(bos) and text.startswith(bos)


def check_length(runtime: Runtime, longest: int) -> None:
    """Check that the longest row, in tokens, fits in the model's context; else a SampleError."""
    if runtime.context is not None and longest > runtime.context:
        raise SampleError(
            f"the prompt has {longest} tokens, and the model's context is {runtime.context}",
            hint="use fewer in-context examples, or smaller images (processor_options)",
        )


def to_device(runtime: Runtime, encoded: dict[str, Any]) -> dict[str, Any]:
    """The inputs on the model's device, pixels in the model's floating-point type."""
    import torch

    moved = {}
    for key, value in encoded.items():
        if isinstance(value, torch.Tensor):
            dtype = runtime.model.dtype if value.is_floating_point() else value.dtype
            moved[key] = value.to(runtime.device, dtype)
        else:
            moved[key] = value
    return moved


def encode_scored(
    runtime: Runtime, rows: Sequence[Rendered]
) -> tuple[dict[str, Any], list[list[int]]]:
    """`encode`, with the positions of each row's scored tokens in its padded sequence.

    A token is scored if its characters, by the tokenizer's offsets, reach into the candidate. So
    one that spans the boundary counts, and the candidate is never tokenised without its context.
    """
    if not runtime.tokenizer.is_fast:
        raise RunError(
            f"{type(runtime.tokenizer).__name__} does not report which characters a token covers",
            hint="use a checkpoint with a tokenizer.json",
        )
    encoded = encode(runtime, rows, return_offsets_mapping=True)
    offsets = encoded.pop("offset_mapping").tolist()
    # Offsets in a suffix count from its own beginning, and the EOS at its end is not scored.
    parts = encoded["attention_mask"]
    if rows[0].suffix is not None:
        parts = parts * encoded["token_type_ids"]
    taken = parts.bool().tolist()
    return encoded, [scored_span(*each) for each in zip(rows, offsets, taken, strict=True)]


def scored_span(row: Rendered, offsets: list[list[int]], taken: list[bool]) -> list[int]:
    """The positions of the tokens that reach into the last ``row.scored`` characters.

    Counted from the end, as image marks were expanded earlier; offsets may leave out a leading
    space.
    """
    ends = [end for (_, end), use in zip(offsets, taken, strict=True) if use]
    total = max(ends) if row.suffix is None else len(row.suffix)
    first = total - row.scored
    span = [
        position
        for position, ((start, end), use) in enumerate(zip(offsets, taken, strict=True))
        if use and end > first and (row.suffix is None or start < total)
    ]
    if not span or span != list(range(span[0], span[0] + len(span))):
        raise SampleError("the tokens of an option cannot be told from those of its prompt")
    return span


def by_images(rows: Sequence[Rendered]) -> list[list[int]]:
    """The numbers of the rows with images, and of those without: few processors mix them."""
    groups = [[i for i, row in enumerate(rows) if bool(row.images) is has] for has in (True, False)]
    return [group for group in groups if group]


def forward_options(runtime: Runtime, mask: torch.Tensor) -> dict[str, Any]:
    """The arguments of a forward pass over a left-padded batch, besides the encoded tensors.

    Positions count real tokens only; models with several dimensions (M-RoPE) compute them
    themselves.
    """
    accepted = inspect.signature(runtime.model.forward).parameters
    options: dict[str, Any] = {"use_cache": False, "return_dict": True}
    whole, inner = runtime.model, getattr(runtime.model, "model", None)
    several = hasattr(whole, "get_rope_index") or hasattr(inner, "get_rope_index")
    if "position_ids" in accepted and not several:
        options["position_ids"] = (mask.cumsum(dim=1) - 1).clamp(min=0)
    return options
