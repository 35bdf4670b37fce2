"""Subclasses of VLMEvalKit's `BaseAPI`: failures are never answers, and nothing accumulates."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from chef.errors import ConfigError, ReplyError
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.hooks.vlmevalkit.base_api import FAIL_MSG, BaseAPI, reply_of
from chef.types import Generate, Score, Text, Turn

#: As VLMEvalKit's classes are: settings in ``__init__``, failures as codes, the log last.
GUIDE = """
from vlmeval.api.base import BaseAPI


class MyAPI(BaseAPI):
    is_api: bool = True

    def __init__(self, model="m", retry=2, wait=60, key=None, verbose=False, system_prompt=None,
                 temperature=0, max_tokens=64, **kwargs):
        self.model, self.temperature, self.max_tokens = model, temperature, max_tokens
        self.tries = {}
        super().__init__(wait=wait, retry=retry, system_prompt=system_prompt, verbose=verbose,
                         **kwargs)

    def generate_inner(self, inputs, **kwargs):
        text = "".join(x["value"] for x in inputs if x["type"] == "text")
        images = [x["value"] for x in inputs if x["type"] == "image"]
        kind = "color" if "olor" in text else "other"
        self.tries[text] = self.tries.get(text, 0) + 1
        BODY
        return 0, f"{kwargs['dataset']} {len(images)} {self.tries[text]}", "done"
"""


class Plain(BaseAPI):
    """Says what it was given."""

    def __init__(self, **kwargs: Any) -> None:
        self.given: list[Any] = []
        super().__init__(**kwargs)

    def generate_inner(self, inputs: Any, **kwargs: Any) -> Any:
        self.given.append((inputs, kwargs))
        return 0, "a reply. And more", None


def asked(*texts: str, system: str = "") -> Generate:
    turns = [Turn("system", (Text(system),))] if system else []
    return Generate((*turns, Turn("user", tuple(map(Text, texts)))), stop=(".",))


def test_a_file_of_the_guide_runs(evaluate: Callable[..., Any]) -> None:
    ran = evaluate(GUIDE.replace("BODY", "pass"), name="MyAPI")
    assert ran.code == 0, ran.err
    assert set(ran.answers) == {"Shapes 1 1"}
    assert "generate_inner does not take max_new_tokens" in ran.err


def test_a_failure_that_passes_is_asked_again(evaluate: Callable[..., Any]) -> None:
    body = "if kind == 'color' and self.tries[text] == 1: return 503, self.fail_msg, 'busy'"
    ran = evaluate(GUIDE.replace("BODY", body), name="MyAPI", limit=8)
    assert ran.code == 0, ran.err
    assert set(ran.answers) == {"Shapes 1 1", "Shapes 1 2"}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return -1, 'an answer', 'overloaded'", "the code -1 (overloaded) (the last of 2"),
        ("return 0, self.fail_msg, 'busy'", "returned its failure message (busy) (the last of 2"),
        ("return 0, '', None", "returned no text (the last of 2"),
        ("raise ConnectionError('no route')", "raised ConnectionError: no route (the last of 2"),
        ("return 400, self.fail_msg, 'too long'", "returned the code 400 (too long)"),
        ("return 'A'", "returned str 'A', and not a code, a text and a log"),
        ("return None", "returned None, and not a code, a text and a log"),
        ("return 0, ['A'], ''", "an object of type list as its text"),
        ("return 'bad', 'A', ''", "returned the code 'bad'"),
        ("raise KeyError('choices')", "KeyError('choices')"),
        ("raise SystemExit(2)", "would end the process"),
    ],
)
def test_a_failure_is_an_error_of_its_sample(
    evaluate: Callable[..., Any], body: str, said: str
) -> None:
    source = GUIDE.replace("BODY", f"\n        if 'olor' in text and len(self.tries) > 1: {body}")
    ran = evaluate(source, "max_in_flight: 1", name="MyAPI", limit=6)
    assert ran.errors, ran.err
    assert all(said in message for message in ran.errors), ran.errors
    assert len(ran.errors) < 6
    for line in ran.lines():
        assert (line["status"] == "error") == (line["answer"] is None)
        if line["status"] == "error":
            assert "olor" in line["sample"]["question"]


def test_a_wrong_key_ends_the_run(evaluate: Callable[..., Any]) -> None:
    ran = evaluate(GUIDE.replace("BODY", "return 401, self.fail_msg, 'bad key'"), name="MyAPI")
    assert ran.code == 2
    assert "the code 401 (bad key)" in ran.err


@pytest.mark.parametrize(
    ("given", "failure"),
    [
        ((0, FAIL_MSG, ""), Failure.SERVER),
        ((0, "  ", ""), Failure.BROKEN_BODY),
        ((429, "", ""), Failure.RATE_LIMITED),
        ((-1, "right", ""), Failure.SERVER),
        ((7, "right", ""), Failure.SERVER),
        ((422, "right", ""), Failure.BAD_REQUEST),
    ],
)
def test_what_a_triple_means(given: Any, failure: Failure) -> None:
    with pytest.raises(RequestFailedError) as caught:
        reply_of(given, "M.generate_inner", FAIL_MSG)
    assert caught.value.failure is failure
    assert reply_of([0, "right", object()], "M", FAIL_MSG) == "right"
    for wrong in ((0, "right"), "right", (0, None, ""), ("0", "right", "")):
        with pytest.raises(ReplyError):
            reply_of(wrong, "M", FAIL_MSG)


def test_the_system_text_of_a_sample_does_not_accumulate() -> None:
    model = Plain(system_prompt="Always polite.")
    for number in range(3):
        model.generate([asked("What?", system=f"You are {number}.")])
    said = [[part["value"] for part in inputs] for inputs, _ in model.given]
    assert said == [[f"You are {number}.", "What?"] for number in range(3)]
    assert model.system_prompt == "Always polite."


def test_arguments_of_the_class_go_into_every_call() -> None:
    model = Plain(retry=3, wait=9, seed=5, max_in_flight=7)
    assert (model.traffic.max_attempts, model.traffic.max_in_flight) == (3, 7)
    assert model.default_kwargs == {"seed": 5}
    (reply,) = model.generate([asked("What?")])
    assert reply.text == "a reply"
    assert model.given[0][1] == {"seed": 5, "dataset": None}
    assert model.generate("What?", dataset="D") == "a reply. And more"
    assert model.given[1] == ([{"type": "text", "value": "What?"}], {"seed": 5, "dataset": "D"})
    assert Plain(retry=3, max_attempts=9).traffic.max_attempts == 9
    assert model.working()


def test_attempts_run_beside_each_other_without_sleeping(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(asyncio, "sleep", slept.append)
    together = threading.Barrier(12, timeout=300)

    class Blocks(Plain):
        def generate_inner(self, inputs: Any, **kwargs: Any) -> Any:
            together.wait()  # returns only when all twelve are under way
            return 0, inputs[0]["value"], ""

    model = Blocks(wait=1000)

    async def ask() -> list[str]:
        several = [model.attempt(asked(str(number))) for number in range(12)]
        return [received.reply.text for received in await asyncio.gather(*several)]  # type: ignore[union-attr]

    assert asyncio.run(ask()) == [str(number) for number in range(12)]
    assert slept == []


def test_a_call_that_is_given_up_keeps_nothing_waiting() -> None:
    release, begun, ended = threading.Event(), threading.Event(), threading.Event()

    class Hangs(Plain):
        def generate_inner(self, inputs: Any, **kwargs: Any) -> Any:
            begun.set()
            release.wait(1000)
            ended.set()
            return 0, "late", ""

    async def ask() -> None:
        attempt = asyncio.create_task(Hangs().attempt(asked("What?")))
        while not begun.is_set():
            await asyncio.sleep(0.01)
        attempt.cancel()
        await attempt

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(ask())
    assert not ended.is_set()  # nothing waits for the call that goes on
    release.set()


def test_a_chat_is_one_call() -> None:
    class Talks(Plain):
        def chat_inner(self, inputs: Any, **kwargs: Any) -> Any:
            self.given.append(inputs)
            return 0, "chatted", ""

    turns = (*asked("One?").conversation, Turn("assistant", (Text("1"),)))
    model = Talks()
    (reply,) = model.generate([Generate((*turns, *asked("Two?").conversation))])
    assert reply.text == "chatted"
    assert [turn["role"] for turn in model.given[0]] == ["user", "assistant", "user"]


def test_images_of_several_are_marked_in_the_text(tmp_path: Any) -> None:
    import PIL.Image

    paths = [str(tmp_path / f"{number}.png") for number in range(2)]
    for path in paths:
        PIL.Image.new("RGB", (3, 3)).save(path)
    images = [{"type": "image", "value": path} for path in paths]
    text, shown = Plain().message_to_promptimg([*images, {"type": "text", "value": "Same?"}])
    assert text == "<image>\n<image>\nSame?"
    assert shown not in {None, *paths}


def test_options_cannot_be_scored_and_the_constructor_must_be_called() -> None:
    class Bare(Plain):
        def __init__(self) -> None:
            pass

    with pytest.raises(ConfigError, match="score options"):
        Plain().check_request(Score(asked("What?").conversation, ("A",)))
    with pytest.raises(ConfigError, match=r"super\(\).__init__"):
        Bare().prepare()
