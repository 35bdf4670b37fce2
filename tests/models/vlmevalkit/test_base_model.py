"""Subclasses of VLMEvalKit's `BaseModel`, written as its guide says, through ``chef eval``."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import PIL.Image
import pytest

from chef.common.vlmevalkit_messages import MessageError
from chef.errors import ImageError, ReplyError, SampleError
from chef.image import Image
from chef.models.hooks.vlmevalkit.registry import BaseModel
from chef.types import Generate, Text, Turn

#: As the guide says: one image, its own settings in ``**kwargs``, and the usual imports.
GUIDE = """
import torch
from PIL import Image
from .base import BaseModel
from ..smp import *
from ..dataset import DATASET_TYPE


class MyModel(BaseModel):
    INSTALL_REQ = False
    INTERLEAVE = False

    def __init__(self, model_path="somebody/model", **kwargs):
        self.model_path = model_path
        default = dict(max_new_tokens=16)
        default.update(kwargs)
        self.kwargs = default

    def use_custom_prompt(self, dataset):
        return listinstr(["Shapes"], dataset) and DATASET_TYPE(dataset) == "MCQ"

    def build_prompt(self, line, dataset=None):
        options = {c: line[c] for c in string.ascii_uppercase if c in line and not pd.isna(line[c])}
        listed = "\\n".join(f"{key}. {text}" for key, text in options.items())
        message = [dict(type="image", value=path) for path in self.dump_image(line, dataset)]
        message.append(dict(type="text", value=f"{line['question']}\\n{listed}\\nLetter, please."))
        return message

    def generate_inner(self, message, dataset=None):
        prompt, image_path = self.message_to_promptimg(message, dataset=dataset)
        image = Image.open(image_path).convert("RGB")
        return f"{dataset} {image.size} {self.kwargs} {prompt}"
"""


class Plain(BaseModel):
    """Says what it was given."""

    def __init__(self) -> None:
        self.given: list[Any] = []

    def generate_inner(self, message: Any, dataset: str | None = None) -> Any:
        self.given.append((message, dataset))
        return "a reply. And more"


class Talks(Plain):
    def chat_inner(self, message: Any, dataset: str | None = None) -> str:
        self.given.append(message)
        return "chatted"


def png(path: Path, color: str = "red", size: tuple[int, int] = (4, 3)) -> str:
    PIL.Image.new("RGB", size, color).save(path)
    return str(path)


def user(*parts: Text | Image) -> Turn:
    return Turn("user", tuple(parts))


def test_a_file_of_the_guide_runs(evaluate: Callable[..., Any]) -> None:
    ran = evaluate(GUIDE, "max_new_tokens: 32\nmodel_path: mine")
    assert ran.code == 0, ran.err
    for line in ran.lines():
        asked = line["sample"]["question"]
        start = "Shapes (72, 72) {'max_new_tokens': 32} " + asked
        assert line["answer"].startswith(start), line["answer"]
        assert "worded_by" not in line["trace"]
    assert "MyModel names no argument max_new_tokens: passed on in its **kwargs" in ran.err
    assert "generate_inner does not take max_new_tokens, temperature, top_p" in ran.err


def test_a_key_of_a_class_without_kwargs_is_still_checked(evaluate: Callable[..., Any]) -> None:
    source = GUIDE.replace(", **kwargs", "").replace("default.update(kwargs)", "")
    ran = evaluate(source, "model_pth: mine")
    assert ran.code == 2
    assert "did you mean 'model_path'?" in ran.err


def test_its_own_prompt_is_asked_where_the_recipe_says_so(evaluate: Callable[..., Any]) -> None:
    ran = evaluate(GUIDE, instruction="prompt: model")
    assert ran.code == 0, ran.err
    for line in ran.lines():
        texts = line["sample"]["choices"]
        listed = "\n".join(f"{letter}. {text}" for letter, text in zip("ABCD", texts, strict=True))
        assert line["trace"]["query"].endswith(f"\n{listed}\nLetter, please.")
        assert line["trace"]["query"].startswith("<image>\n")
        assert "Options:" not in line["trace"]["query"]
        assert line["trace"]["worded_by"] == "MyModel.build_prompt"
    (results,) = ran.folder.rglob("results.json")
    assert '"MyModel.build_prompt"' in results.read_text()


def test_without_a_prompt_for_the_data_set_the_recipe_words(evaluate: Callable[..., Any]) -> None:
    ran = evaluate(GUIDE.replace('["Shapes"]', '["MMBench"]'), instruction="prompt: model")
    assert ran.code == 0, ran.err
    assert ran.err.count("MyModel has no prompt of its own for Shapes; the recipe's is used") == 1
    assert all("Options:" in line["trace"]["query"] for line in ran.lines())


def test_a_prompt_that_fails_is_the_error_of_its_sample(evaluate: Callable[..., Any]) -> None:
    body = "    def build_prompt(self, line, dataset=None):\n"
    broken = GUIDE.replace(body, body + "        if line['category'] == 'count': return 3\n")
    ran = evaluate(broken, instruction="prompt: model", limit=12)
    assert ran.code == 1, ran.err
    failed = [line for line in ran.lines() if line["status"] == "error"]
    assert failed
    assert {line["sample"]["category"] for line in failed} == {"count"}
    assert all("a message is a int" in message for message in ran.errors)


@pytest.mark.parametrize(
    ("instruction", "said"),
    [
        ("prompt: modle", "did you mean 'model'?"),
        ("prompt: model, incontext_cfg: {retriever_type: random, ice_num: 1}", "incontext_cfg"),
        ("prompt: model, prompt_type: multiturn, defined_prompt: '{question}'", "a single turn"),
    ],
)
def test_a_prompt_that_cannot_be_is_refused(
    evaluate: Callable[..., Any], instruction: str, said: str
) -> None:
    ran = evaluate(GUIDE, instruction=instruction)
    assert ran.code == 2
    assert said in ran.err


def test_a_model_without_a_prompt_is_refused(recipe_file: Any, model_file: Path, tmp_path) -> None:
    from chef.cli import main

    recipe = recipe_file("Direct")
    text = recipe.read_text().replace("eval_cfg:", "eval_cfg:\n  instruction_cfg: {prompt: model}")
    recipe.write_text(text)
    given = ["--model_cfg", str(model_file), "--recipe_cfg", str(recipe)]
    assert main(["eval", *given, "--save_dir", str(tmp_path)]) == 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return None", "returned None, and a reply is text"),
        ("return ['A']", "returned an object of type list"),
        ("return 3", "returned"),
        ("raise ValueError('no weights')", "no weights"),
        ("raise SystemExit(1)", "would end the process"),
    ],
)
def test_what_is_no_reply_is_an_error(evaluate: Callable[..., Any], body: str, said: str) -> None:
    source = (
        "from vlmeval.vlm.base import BaseModel\n"
        "class MyModel(BaseModel):\n"
        "    def generate_inner(self, message, dataset=None):\n"
        f"        if 'olor' in message[-1]['value']: {body}\n"
        "        return '(A)'\n"
    )
    ran = evaluate(source, limit=12)
    asked = {line["id"]: line["sample"]["question"] for line in ran.lines()}
    errors = {line["id"] for line in ran.lines() if line["status"] == "error"}
    assert errors == {name for name, text in asked.items() if "olor" in text} != set(asked)
    assert errors
    assert all(said in message for message in ran.errors), ran.errors


def test_a_class_without_generate_inner_is_refused(evaluate: Callable[..., Any]) -> None:
    source = (
        "from vlmeval.vlm.base import BaseModel\n"
        "class MyModel(BaseModel):\n"
        "    def generate_iner(self, message, dataset=None): return 'A'\n"
    )
    ran = evaluate(source)
    assert ran.code == 2
    assert "is 'generate_iner' meant to be 'generate_inner'?" in ran.err
    assert "def generate_inner(self, message, dataset)" in ran.err


def test_options_cannot_be_scored(evaluate: Callable[..., Any]) -> None:
    ran = evaluate(GUIDE, inferencer="PPL")
    assert ran.code == 2
    assert "cannot score options" in ran.err


def test_the_settings_that_a_method_names_are_the_recipes(evaluate: Callable[..., Any]) -> None:
    source = (
        "from chef.vlmevalkit import BaseModel\n"
        "class MyModel(BaseModel):\n"
        "    def generate_inner(self, message, dataset=None, max_new_tokens=5):\n"
        "        return f'{dataset} {max_new_tokens}'\n"
    )
    ran = evaluate(source)
    assert set(ran.answers) == {"Shapes 16"}
    assert "MyModel.generate_inner is given max_new_tokens of the recipe" in ran.err


def test_every_form_of_input(tmp_path: Path) -> None:
    model, path = Plain(), png(tmp_path / "a.png")
    text, image = {"type": "text", "value": path}, {"type": "image", "value": path}
    for given, expected in [
        (path, [text]),
        (text, [text]),
        ([path, "What?"], [image, {"type": "text", "value": "What?"}]),
        ([image, text], [image, text]),
    ]:
        assert model.generate(given, dataset="D") == "a reply. And more"
        assert model.given[-1] == (expected, "D")
    forms = [path, text, [path], [text], [], [path, text]]
    kinds = ["str", "dict", "liststr", "listdict", "liststr", "unknown"]
    assert [model.check_content(item) for item in forms] == kinds
    with pytest.raises(MessageError):
        model.generate([path, text])
    with pytest.raises(ImageError, match="not found"):
        model.generate([{"type": "image", "value": str(tmp_path / "gone.png")}])
    model.allowed_types = ["text"]
    with pytest.raises(MessageError, match="takes no part of the type image"):
        model.generate([image])
    with pytest.raises(MessageError, match="takes no part of the type image"):
        model.generate([Generate((user(Image(path), Text("What?")),))])


def test_an_address_becomes_a_file(tmp_path: Path) -> None:
    model, path = Plain(), Path(png(tmp_path / "a.png"))
    import base64

    address = f"data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}"
    model.generate([address, "What?"])
    shown = Path(model.given[0][0][0]["value"])
    assert shown.read_bytes() == path.read_bytes()
    assert shown.suffix == ".png"


def test_images_are_files_with_the_bytes_that_were_given(tmp_path: Path) -> None:
    path = png(tmp_path / "a.png")
    jpeg = io.BytesIO()
    PIL.Image.new("RGB", (5, 5), "blue").save(jpeg, "JPEG")
    drawn = PIL.Image.new("RGB", (2, 7), "green")
    model = Plain()
    images = [Image(path), Image(jpeg.getvalue()), Image(drawn), Image(lambda: drawn)]
    model.generate([Generate((user(*images, Text("What?")),))])
    *shown, asked = [part["value"] for part in model.given[0][0]]
    assert shown[0] == path
    assert Path(shown[1]).read_bytes() == jpeg.getvalue()
    assert shown[1].endswith(".jpg")
    assert shown[2] == shown[3] != path
    assert PIL.Image.open(shown[2]).getpixel((0, 0)) == (0, 128, 0)
    assert asked == "What?"
    before = Path(shown[2]).stat().st_mtime_ns
    model.generate([Generate((user(images[2]),))])
    assert Path(shown[2]).stat().st_mtime_ns == before


def test_several_images_are_joined_and_noted(tmp_path: Path) -> None:
    model = Plain()
    paths = [png(tmp_path / "a.png", "red", (4, 3)), png(tmp_path / "b.png", "blue", (2, 5))]
    parts = [{"type": "image", "value": path} for path in paths]
    assert model.message_to_promptimg([{"type": "text", "value": "Why?"}]) == ("Why?", None)
    assert model.message_to_promptimg(parts[:1]) == ("", paths[0])
    assert not model.notices
    prompt, joined = model.message_to_promptimg([*parts, {"type": "text", "value": "Why?"}])
    assert prompt == "Why?"
    assert joined is not None
    with PIL.Image.open(joined) as row:
        assert row.size == (6, 5)
        assert row.getpixel((0, 0)) == (255, 0, 0)
        assert row.getpixel((5, 4)) == (0, 0, 255)
    assert "several images of a sample are shown side by side" in model.notices[0]


def test_a_conversation_is_a_chat_or_one_message() -> None:
    said = (
        Turn("system", (Text("Be brief."),)), user(Text("One?")),
        Turn("assistant", (Text("1"),)), user(Text("Two?")),
    )  # fmt: skip
    talks, plain = Talks(), Plain()
    assert talks.generate([Generate(said)])[0].text == "chatted"
    brief, one, two = ({"type": "text", "value": text} for text in ("Be brief.", "One?", "Two?"))
    assert talks.given[0] == [
        {"role": "user", "content": [brief, one]},
        {"role": "assistant", "content": [{"type": "text", "value": "1"}]},
        {"role": "user", "content": [two]},
    ]
    assert plain.generate([Generate(said, stop=(".",))])[0].text == "a reply"
    roles = [(part["role"], part["value"]) for part in plain.given[0][0]]
    assert roles == [
        ("system", "Be brief."),
        ("user", "One?"),
        ("assistant", "1"),
        ("user", "Two?"),
    ]


def test_a_failing_chat_drops_no_turn() -> None:
    class Fails(Talks):
        def chat_inner(self, message: Any, dataset: str | None = None) -> str:
            self.given.append(len(message))
            raise RuntimeError("too long")

    model = Fails()
    turns = [{"role": role, "content": "hm"} for role in ("user", "assistant", "user")]
    with pytest.raises(RuntimeError, match="too long"):
        model.chat(turns)
    assert model.given == [3]
    for wrong in ([], "hello", turns[:2], [{"role": "system", "content": "a"}]):
        with pytest.raises(MessageError):
            Talks().chat(wrong)
    with pytest.raises(SampleError, match="chat_inner"):
        Plain().chat(turns)


def test_a_generate_of_its_own_is_called_with_messages() -> None:
    class Own(Plain):
        def generate(self, message: Any, dataset: str | None = None) -> Any:
            return f"own {dataset} " + super().generate(message, dataset)

    model = Own()
    assert model.generate("hm", "D") == "own D a reply. And more"
    (reply,) = model.generate([Generate((user(Text("What?")),), dataset="E")])
    assert reply.text == "own E a reply. And more"
    assert model.given[-1] == ([{"type": "text", "value": "What?"}], "E")


def test_a_reply_that_is_no_text_is_an_error() -> None:
    class Wrong(Plain):
        def generate_inner(self, message: Any, dataset: str | None = None) -> Any:
            return None

    with pytest.raises(ReplyError, match="generate_inner returned None"):
        Wrong().generate("What?")


def test_rows_have_what_prompts_are_built_of(tmp_path: Path) -> None:
    import pandas as pd

    from chef.common.options import lettered
    from chef.models.hooks.vlmevalkit.messages import line_of
    from chef.types import Sample

    path = png(tmp_path / "a.png")
    asked = lettered("What is it?", "It purrs.", {"A": "cat", "B": "dog"})
    fields = {"choices": ["cat", "dog"], "gt_choice": 0, "category": "pets"}
    line = line_of(Sample("12", (Image(path),), asked, ("(A", "(B"), "(A", fields))
    assert isinstance(line, pd.Series)
    assert line.to_dict() == {
        "index": 12, "question": "What is it?", "hint": "It purrs.", "A": "cat", "B": "dog",
        "image_path": path, "category": "pets",
    }  # fmt: skip
    assert "answer" not in line
    several = line_of(Sample("x", (Image(path), Image(path)), "Is it?", ("Yes", "No"), "Yes"))
    assert several.to_dict() == {"index": "x", "question": "Is it?", "image_path": [path, path]}


def test_the_data_set_is_a_part_of_what_decides_a_reply() -> None:
    from chef.engine.response_cache import request_digest

    plain = Generate((user(Text("What?")),))
    named = [Generate(plain.conversation, dataset=name) for name in ("A", "B")]
    assert len({request_digest(item) for item in (plain, *named)}) == 3
