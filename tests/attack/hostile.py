"""Models that misbehave: a plugin whose model files name the hook, what it does, and when."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from chef.models import Model
from chef.models.hooks import chef as hooks
from chef.types import Generate, Generated, Score, Scored

#: The question whose sample a hostile model answers badly.
MARK = "7?"


class Endless:
    """An iterator that never ends."""

    def __iter__(self) -> Endless:
        return self

    def __next__(self) -> str:
        return "red"


class Words(str):
    """A text whose own methods lie."""

    def __str__(self) -> str:
        return "another"


#: What a hook gives in place of the reply to one row: the good reply goes in.
ROWS: dict[str, Callable[[Any], Any]] = {
    "None": lambda _: None,
    "bytes": lambda _: b"red",
    "int": lambda _: 3,
    "bool": lambda _: True,
    "dict": lambda _: {"text": "red"},
    "object": lambda _: object(),
    "class": lambda _: str,
    "two": lambda good: [good, good],
    "nothing": lambda _: [],
    "complex": lambda _: 1 + 2j,
}
#: The same for scores only.
SCORES: dict[str, Callable[[Any], Any]] = {
    "text": lambda _: "-1.0",
    "nan": lambda _: float("nan"),
    "above 0": lambda _: 0.5,
    "infinite": lambda _: float("inf"),
    "no tokens": lambda _: Scored(-1.0, 0),
    "tokens below 0": lambda _: Scored(-1.0, -3),
    "half a token": lambda _: Scored(-1.0, 1.5),  # type: ignore[arg-type]
}
#: What a hook gives in place of the whole list.
LISTS: dict[str, Callable[[list[Any]], Any]] = {
    "a row too few": lambda rows: rows[:-1],
    "a row too many": lambda rows: [*rows, rows[0]],
    "no list": lambda _: 5,
    "a mapping": lambda rows: dict(enumerate(rows)),
    "without an end": lambda _: Endless(),
}


def end(how: str) -> None:
    """Raise what the name says."""
    if how == "exit 0":
        sys.exit(0)
    if how == "exit text":
        sys.exit("done")
    kinds: dict[str, BaseException] = {
        "interrupt": KeyboardInterrupt(),
        "generator": GeneratorExit(),
        "stop": StopIteration("red"),
        "value": ValueError("bad on purpose"),
        "recursion": RecursionError(),
        "base": type("Own", (BaseException,), {})("own"),
        "system": OSError(28, "No space left on device"),
        "pipe": BrokenPipeError("of a server"),
        "group": BaseExceptionGroup("several", [SystemExit(0)]),
    }
    if how in kinds:
        raise kinds[how]


ENDS = ("exit 0", "exit text", "interrupt", "generator", "stop", "value", "recursion", "base",
        "system", "pipe", "group")  # fmt: skip


class _Hostile(Model):
    """What all of them share.

    Args:
        what: one of the names above; empty for a good model.
        at: the method that misbehaves as a whole (``prepare``, ``close``, ...), instead of a reply.
    """

    def __init__(self, *, what: str = "", at: str = "") -> None:
        self.what, self.at = what, at
        self.act("__init__")

    def act(self, at: str) -> bool:
        """Misbehave, if it is this method's turn; whether it is to return nonsense."""
        if self.at != at:
            return False
        end(self.what)
        return self.what in ROWS

    def row(self, text: str, good: Any) -> Any:
        """The reply to one row."""
        if self.at or MARK not in text:
            return good
        end(self.what)
        return {**ROWS, **SCORES}.get(self.what, lambda same: same)(good)

    def rows_of(self, texts: Sequence[str], rows: list[Any]) -> Any:
        """The replies to a batch."""
        if self.at or not any(MARK in text for text in texts):
            return rows
        return LISTS.get(self.what, lambda same: same)(rows)

    def prepare(self) -> None:
        self.act("prepare")

    def close(self) -> None:
        self.act("close")

    def cost(self, request: Any) -> Any:
        return None if self.act("cost") else super().cost(request)

    def rows(self, request: Any) -> Any:
        return None if self.act("rows") else super().rows(request)

    def memory_headroom(self) -> Any:
        return None if self.act("memory_headroom") else 8.0

    def is_out_of_memory(self, error: BaseException) -> Any:
        return None if self.act("is_out_of_memory") else super().is_out_of_memory(error)

    @property
    def notices(self) -> Any:
        return 5 if self.act("notices") else ()

    def fingerprint(self) -> Any:
        return None if self.act("fingerprint") else f"{type(self).__name__} of a test"


def said(text: str) -> str:
    """A good reply, which depends on the question."""
    return f"{len(text)} letters"


def mean(text: str, option: str) -> float:
    """A good score."""
    return -1.0 - (len(text) * 7 + len(option) * 3) % 11


class GenerateOne(_Hostile):
    def generate_one(self, conversation: Any, max_new_tokens: int) -> Any:
        text = conversation[-1].text
        return self.row(text, said(text))

    def score_one(self, conversation: Any, candidates: Sequence[str]) -> Any:
        text = "".join(turn.text for turn in conversation if turn.role == "user")
        return self.rows_of([text], [self.row(text, mean(text, item)) for item in candidates])


class DoGenerate(_Hostile):
    def do_generate(self, input_images: Any, conversations: Any, max_new_tokens: int) -> Any:
        rows = [self.row(text, said(text)) for text in conversations]
        return self.rows_of(conversations, rows)

    def do_ppl(self, input_images: Any, conversations: Any, batch_options: Any) -> Any:
        pairs = zip(conversations, batch_options, strict=True)
        return self.rows_of(conversations, [self.row(t, mean(t, o)) for t, o in pairs])


class DoGenerateOneRow(_Hostile):
    def do_generate(self, image_list: Any, prompt: str, max_new_tokens: int) -> Any:
        return self.row(prompt, said(prompt))


class BatchGenerate(_Hostile):
    def batch_generate(
        self, batch_images: Any, batch_prompt: Any, max_new_tokens: int, **more: Any
    ) -> Any:
        rows = [self.row(text, said(text)) for text in batch_prompt]
        return self.rows_of(batch_prompt, rows)

    def ppl_inference(
        self, batch_images: Any, batch_prompt: Any, batch_options: Any, batch_answers: Any, **_: Any
    ) -> Any:
        pairs = zip(batch_prompt, batch_options, strict=True)
        return self.rows_of(batch_prompt, [self.row(t, mean(t, o)) for t, o in pairs])


class FirstGeneration(_Hostile):
    def generate(self, image: Any, question: str, max_new_tokens: int) -> Any:
        return self.row(question, said(question))


class OwnBatches(_Hostile):
    def generate(self, requests: Sequence[Generate]) -> Any:
        texts = [request.conversation[-1].text for request in requests]
        return self.rows_of(texts, [self._generated(text) for text in texts])

    def _generated(self, text: str) -> Any:
        given = self.row(text, said(text))
        if MARK in text and self.what in ("tokens below 0", "half a token"):
            tokens: Any = -3 if self.what == "tokens below 0" else 1.5
            return Generated("red", tokens=tokens)
        return Generated(given) if isinstance(given, str | bytes) else given

    def score(self, requests: Sequence[Score]) -> Any:
        texts = [request.conversation[-1].text for request in requests]
        replies = []
        for text, request in zip(texts, requests, strict=True):
            means = [self.row(text, mean(text, item)) for item in request.candidates]
            replies.append(
                [Scored(item, 1) if isinstance(item, float | str) else item for item in means]
            )
        return self.rows_of(texts, replies)


def paint(pixels: Any) -> None:
    """Do everything to an image that a model may do to it."""
    from PIL import ImageDraw

    pixels.paste((255, 255, 255), (0, 0, *pixels.size))
    ImageDraw.Draw(pixels).rectangle((0, 0, 5, 5), fill=(1, 2, 3))
    pixels.load()[0, 0] = (9, 9, 9)
    pixels.info["seen"] = "yes"
    pixels.frombytes(bytes(3 * pixels.width * pixels.height))
    pixels.thumbnail((2, 2))
    pixels.close()


class Painter(Model):
    """Says what it sees, and spoils all that it is handed.

    Args:
        hook: whether it is asked through `do_generate`.
        spoils: False for a model that only looks.
    """

    def __init__(self, *, hook: bool = False, spoils: bool = True) -> None:
        self.hook, self.spoils = hook, spoils
        self.seen: dict[str, int] = {}

    def fingerprint(self) -> str:
        return "painter"

    def _look(self, images: Sequence[Any]) -> str:
        import zlib

        found = " ".join(str(zlib.crc32(image.tobytes())) for image in images)
        assert not any(image.info for image in images)
        if self.spoils:
            for image in images:
                paint(image)
        return found

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        replies = []
        for request in requests:
            if self.hook:
                (reply,) = hooks.generate(_Looker(self), [request])
                replies.append(reply)
            else:
                images = [image for turn in request.conversation for image in turn.images]
                replies.append(Generated(self._look([image.load() for image in images])))
        if self.spoils and isinstance(requests, list):
            requests.clear()
        return replies


class _Looker(Model):
    def __init__(self, painter: Painter) -> None:
        self._painter = painter

    def do_generate(self, input_images: Any, conversations: Any, max_new_tokens: int) -> Any:
        found = [self._painter._look(images) for images in input_images]
        input_images.clear()
        conversations.clear()
        return found


class Slow(Model):
    """A model that does not answer one question.

    Args:
        waits_for: a pipe, which it waits for until something is written; else it computes for an
            hour.
    """

    def __init__(self, *, waits_for: str | None = None) -> None:
        self.waits_for = waits_for

    def generate_one(self, conversation: Any, max_new_tokens: int) -> str:
        import time

        if MARK in conversation[-1].text and self.waits_for is not None:
            Path(self.waits_for).read_text()
        end_at = time.monotonic() + 3600
        while MARK in conversation[-1].text and time.monotonic() < end_at:
            pass
        return said(conversation[-1].text)
