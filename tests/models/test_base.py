"""The two ways of writing a model, and what every model can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from chef.errors import ReplyError, RunError, SampleError
from chef.image import Image
from chef.models import Model
from chef.types import Conversation, Generate, Score, Scored, Text, Turn


def user(*parts: str | Image) -> Turn:
    return Turn("user", tuple(Text(part) if isinstance(part, str) else part for part in parts))


def plain(color: str) -> Image:
    def draw() -> Any:
        from PIL import Image as PIL

        return PIL.new("RGB", (4, 4), color)

    return Image(draw)


class One(Model):
    def generate_one(self, conversation: Conversation, max_new_tokens: int) -> str:
        return f"{len(conversation)} {conversation[-1].text} {max_new_tokens}. More."


class Rater(One):
    def score_one(
        self, conversation: Conversation, candidates: Sequence[str]
    ) -> Sequence[Scored | float]:
        said = conversation[-1].text if conversation[-1].role == "assistant" else ""
        return [Scored(-len(said + word), 2) if word != "?" else -1.5 for word in candidates]


class Hooked(Model):
    def __init__(self) -> None:
        self.calls: list[Any] = []

    def do_generate(
        self, input_images: Sequence[Any], conversations: Sequence[str], max_new_tokens: int
    ) -> list[str]:
        self.calls.append((input_images, conversations, max_new_tokens))
        return [f"reply to {text}. The end" for text in conversations]

    def do_ppl(
        self,
        input_images: Sequence[Any],
        conversations: Sequence[str],
        batch_options: Sequence[str],
    ) -> list[float]:
        self.calls.append((input_images, conversations, batch_options))
        return [-float(i) for i in range(len(conversations))]


def test_one_method_is_enough_to_generate() -> None:
    replies = One().generate(
        [Generate((user("a"),), max_new_tokens=3, stop=(".",)), Generate((user("b"),))]
    )
    assert [reply.text for reply in replies] == ["1 a 3", "1 b 16. More."]
    (begun,) = One().generate([Generate((user("a"),), answer_prefix="So")])
    assert begun.text == "2 So 16. More."


def test_one_method_cannot_score_and_says_what_is_missing() -> None:
    with pytest.raises(RunError, match="'One' cannot score options") as caught:
        One().score([Score((user("a"),), ("x",))])
    assert "score_one" in str(caught.value)
    with pytest.raises(RunError, match="generate_one"):
        Model().generate([Generate((user("a"),))])


def test_score_one() -> None:
    replies = Rater().score(
        [Score((user("a"),), ("xx", "?"), "It is "), Score((user("a"),), ("x",))]
    )
    assert replies == [(Scored(-8, 2), Scored(-1.5, 1)), (Scored(-1, 2),)]


def test_a_wrong_number_of_replies_is_refused() -> None:
    class Short(Hooked):
        def do_ppl(self, *args: Any) -> list[float]:
            return [-1.0]

        def do_generate(self, *args: Any) -> list[str]:
            return []

        def score_one(self, *args: Any) -> list[float]:
            return []

    with pytest.raises(ReplyError, match=r"Short\.do_ppl returned 1 replies for 2 rows"):
        Short().score([Score((user("a"),), ("x", "y"))])
    with pytest.raises(ReplyError, match="returned 0 replies for 1 rows"):
        Short().generate([Generate((user("a"),))])


def test_hooks_generate_in_one_batch() -> None:
    red, blue = plain("red"), plain("blue")
    model = Hooked()
    examples = (user(red, "one"), Turn("assistant", (Text("two"),)), user(blue, "three"))
    replies = model.generate(
        [
            Generate(examples, max_new_tokens=5, stop=("The",)),
            Generate((user("four"),), max_new_tokens=5, stop=("The",), answer_prefix="I think"),
        ]
    )
    assert [reply.text for reply in replies] == [
        "reply to one\ntwo\nthree. ",
        "reply to four\nI think. ",
    ]
    ((images, conversations, limit),) = model.calls
    assert conversations == ["one\ntwo\nthree", "four\nI think"]
    assert [len(row) for row in images] == [2, 0]
    assert images[0][1].getpixel((0, 0)) == (0, 0, 255)
    assert limit == 5


def test_a_hook_that_does_not_name_the_length_is_called_without() -> None:
    """Of one row, of all rows, and of the first generation."""

    class One(Model):
        def do_generate(self, image_list: Any, prompt: str) -> str:
            return prompt

    class All(Model):
        def do_generate(self, images: Any, conversations: list[str]) -> list[str]:
            return conversations

    class First(Model):
        def generate(self, image: Any, question: str) -> str:
            return question

    class Named(Model):
        def do_generate(self, images: Any, prompt: str, *, max_new_tokens: int) -> str:
            return f"{prompt} {max_new_tokens}"

    request = Generate((Turn("user", (Text("What?"),)),), max_new_tokens=5)
    texts = [kind().generate([request])[0].text for kind in (One, All, First, Named)]
    assert texts == ["What?", "What?", "What?", "What? 5"]


def test_hooks_score_all_rows_at_once() -> None:
    model = Hooked()
    first = Score((user(plain("red"), "q"),), ("x", "y"), "It is ")
    replies = model.score([first, Score((), ()), Score((user("r"),), ("z",))])
    assert [[scored.mean for scored in reply] for reply in replies] == [[0.0, -1.0], [], [-2.0]]
    ((images, conversations, options),) = model.calls
    assert conversations == ["q\nIt is x", "q\nIt is y", "r\nz"]
    assert options == ["x", "y", "z"]
    assert [len(row) for row in images] == [1, 1, 0]
    assert model.score([]) == []
    assert model.generate([]) == []


def test_hooks_see_their_row() -> None:
    seen = []

    class Watching(Hooked):
        def build_conversation(
            self,
            idx: int,
            image_list: Sequence[Any],
            prompt: str,
            CoT_answer_list: Sequence[str] | None = None,
            batch_answers: Sequence[str] | None = None,
            generate: bool = True,
        ) -> str:
            seen.append((idx, len(image_list), prompt, CoT_answer_list, batch_answers, generate))
            return prompt

        def build_input_image(self, image_list: Sequence[Any]) -> Any:
            return f"{len(image_list)} images"

    model = Watching()
    model.score([Score((user(plain("red"), "q"),), ("x", "y"), "It is ")])
    answers = ["It is x", "It is y"]
    assert seen == [(0, 1, "q", None, answers, False), (1, 1, "q", None, answers, False)]
    assert model.calls[0][0] == ["1 images", "1 images"]


def test_names_default_to_the_class() -> None:
    class Named(Model):
        name = "mine"

    assert (One.name, Named.name, Rater().name) == ("One", "mine", "Rater")


def test_fingerprint_follows_source_and_settings() -> None:
    assert One().fingerprint() == One().fingerprint()
    assert One().fingerprint() != Rater().fingerprint()
    model = Hooked()
    before = model.fingerprint()
    model.calls = ["changed"]
    assert model.fingerprint() != before


def test_fingerprint_is_that_of_the_settings_before_and_after_loading() -> None:
    class Late(One):
        def __init__(self, width: int = 1) -> None:
            self.width, self.net, self.tokenizer = width, None, object()

        def prepare(self) -> None:
            self.net = object()

    model = Late()
    before = model.fingerprint()
    model.prepare()
    assert model.fingerprint() == Late().fingerprint() == before
    assert Late(2).fingerprint() != before


def test_costs() -> None:
    model = One()
    text = Generate((user("x" * 400),), max_new_tokens=10)
    assert model.cost(text) == pytest.approx(110, abs=2)
    shown = Generate((user(plain("red"), "x" * 400),), max_new_tokens=10)
    assert model.cost(shown) > model.cost(text) + 100
    scored = Score((user("x" * 40),), ("y" * 40, "z"))
    assert model.cost(scored) == pytest.approx(20, abs=2)
    assert (model.rows(text), model.rows(scored)) == (1, 2)


def test_out_of_memory() -> None:
    model = One()
    assert model.is_out_of_memory(MemoryError())
    assert model.is_out_of_memory(type("OutOfMemoryError", (RuntimeError,), {})())
    assert model.is_out_of_memory(RuntimeError("DefaultCPUAllocator: out of memory"))
    assert not model.is_out_of_memory(RuntimeError("shapes"))
    assert not model.is_out_of_memory(SampleError("a picture of an out of memory error"))


def typed_in(reply: str) -> Model:
    """A model as a notebook defines it: its class has no source."""
    code = (
        "class Typed(Model):\n"
        "    words = 3\n"
        "    def generate_one(self, conversation, max_new_tokens):\n"
        f"        return [text for text in ({reply!r}, 'x')][0]\n"
    )
    names = {"Model": Model, "__name__": "__main__"}
    exec(code, names)
    return names["Typed"]()


def test_an_edited_class_without_a_file_is_another_model() -> None:
    assert typed_in("A").fingerprint() == typed_in("A").fingerprint()
    assert typed_in("A").fingerprint() != typed_in("B").fingerprint()
