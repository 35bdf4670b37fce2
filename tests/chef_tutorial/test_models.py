"""Models written for ChEF, of both generations, run recipes as they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import FAKES, ROOT
from PIL import Image as PIL

from chef.cli import main
from chef.errors import ReplyError
from chef.image import Image
from chef.models import Model
from chef.types import Generate, Score, Text, Turn

#: A network whose replies show what they are made from.
NETWORK = """\
class Network:
    def to(self, device, **_):
        self.device = str(device)
        return self

    def reply(self, image, text, max_new_tokens):
        return f"{image.size[0]}x{image.size[1]} {text.splitlines()[-1][-20:]} {max_new_tokens}"

    def logprob(self, text, option):
        assert text.endswith(option), (text, option)
        return -float(len(option)) - len(text) / 1000
"""
SECOND = (
    NETWORK
    + """
from chef.models.test_base import TestBase


class Your_model(TestBase):
    def __init__(self, model_path, device="cpu", **kwargs):
        self.model = Network()
        self.move_to_device(device)

    def build_conversation(self, idx, image_list, prompt, CoT_answer_list=None,
                           batch_answers=None, **kwargs):
        text = f"Human: {prompt}\\nAI:"
        if CoT_answer_list is not None:
            text += CoT_answer_list[idx]
        if batch_answers is not None:
            text += " " + batch_answers[idx]
        return text

    def build_input_image(self, image_list):
        images = self.get_image_list(image_list)
        return self.move_to_device(self.horizontal_concat(images))

    def do_generate(self, image_list, prompt, max_new_tokens):
        return self.model.reply(image_list, prompt, max_new_tokens)

    def do_ppl(self, batch_images, batch_prompt, batch_options, **kwargs):
        return [self.model.logprob(*row) for row in zip(batch_prompt, batch_options)]
"""
)
BATCHES = (
    NETWORK
    + """
from chef.models import TestBase


class Your_model(TestBase):
    def __init__(self, model_path, **kwargs):
        self.model = Network()

    def text(self, prompt, begun=""):
        return f"Human: {prompt}\\nAI:{begun}"

    def batch_generate(self, batch_images, batch_prompt, max_new_tokens, CoT_answer_list=None,
                       sys_msg=None, **kwargs):
        outputs = []
        for i, (images, prompt) in enumerate(zip(batch_images, batch_prompt)):
            begun = CoT_answer_list[i] if CoT_answer_list else ""
            image = self.horizontal_concat(images)
            outputs.append(self.model.reply(image, self.text(prompt, begun), max_new_tokens))
        return outputs

    def ppl_inference(self, batch_images, batch_prompt, batch_options, batch_answers,
                      CoT_answer_list=None, ppl_batch_mask=None, **kwargs):
        texts = [self.text(prompt, " " + answer)
                 for prompt, answer in zip(batch_prompt, batch_answers)]
        return [self.model.logprob(*row) for row in zip(texts, batch_options)]
"""
)
FIRST = (
    NETWORK
    + """
from chef.models import TestBase


class Your_model(TestBase):
    def __init__(self, model_path, device=None):
        self.model = Network()

    def generate(self, image, question, max_new_tokens=256):
        return self.model.reply(image, f"Human: {question}\\nAI:", max_new_tokens)

    def batch_generate(self, image_list, question_list, max_new_tokens=256):
        pairs = zip(image_list, question_list)
        return [self.generate(image, question, max_new_tokens) for image, question in pairs]

    def ppl_inference(self, image_list, question_list, answer_list, answer_pool, CoT_list=None,
                      calib=False):
        results = []
        for question, answer, option in zip(question_list, answer_list, answer_pool):
            mean = self.model.logprob(f"Human: {question}\\nAI: {answer}", option)
            results.append(mean if calib else -mean)
        return results
"""
)
ROW = FIRST[: FIRST.index("    def batch_generate")] + FIRST[FIRST.index("    def ppl_") :]
LOSSES = ROW.replace("CoT_list=None,\n                      calib=False", "CoT_list=None").replace(
    "mean if calib else -mean", "-mean"
)
GENERATIONS = {
    "second": SECOND,
    "second, whole batches": BATCHES,
    "first": FIRST,
    "first, one row": ROW,
    "first, losses": LOSSES,
}


@pytest.fixture
def run(tmp_path: Path, capsys):
    def run(plugin: str, recipe: str, *more: str, code: int = 0) -> list[dict]:
        (tmp_path / "own_model.py").write_text(plugin)
        (tmp_path / "m.yaml").write_text(
            "plugins: [own_model.py]\nmodel_name: Your_model\nmodel_path: nowhere\n"
        )
        path = ROOT / "configs" / "recipes" / "Shapes" / f"{recipe}.yaml"
        returned = main(
            ["eval", "--model_cfg", str(tmp_path / "m.yaml"), "--recipe_cfg", str(path),
             "--save_dir", str(tmp_path / "results"), "--time", "now", *more]
        )  # fmt: skip
        said = capsys.readouterr()
        assert returned == code, said.out + said.err
        (journal,) = tmp_path.rglob("predictions.jsonl")
        return [json.loads(line) for line in journal.read_text().splitlines()]

    return run


@pytest.mark.parametrize("name", GENERATIONS)
def test_it_generates(run, name: str) -> None:
    lines = run(GENERATIONS[name], "direct", "scenario_cfg.size=6")
    assert len(lines) == 6
    (size,) = {line["answer"].split()[0] for line in lines}
    assert all(part.isdigit() for part in size.split("x"))
    assert all(line["answer"].startswith(f"{size} AI: ") for line in lines)
    assert len({line["answer"].split()[-1] for line in lines}) == 1


@pytest.mark.parametrize("name", GENERATIONS)
def test_it_scores_options(run, name: str) -> None:
    lines = run(GENERATIONS[name], "ppl", "scenario_cfg.size=6")
    assert len(lines) == 6
    for line in lines:
        means = line["scores"]["ppl_results"]
        assert all(mean < -1 for mean in means)
        best = line["sample"]["options"][means.index(max(means))]
        assert line["answer"] == best
        assert len(best) == min(map(len, line["sample"]["options"]))


def test_the_chain_of_thought_comes_first() -> None:
    names: dict[str, type[Model]] = {}
    exec(SECOND, names)
    model = names["Your_model"]("x")
    asked = Generate((Turn("user", (red(4, 2), Text("q"))),), answer_prefix=" because")
    assert model.generate([asked])[0].text.startswith("4x2 AI: because 16")
    exec(FIRST, names)
    first = names["Your_model"]("x")
    (reply,) = first.generate([asked])
    assert reply.text.startswith("4x2 AI: ")
    assert first.generate(red(4, 2).load(), "q", 3) == "4x2 AI: 3"  # as its own code calls it


def red(width: int, height: int) -> Image:
    return Image(PIL.new("RGB", (width, height), "red"))


def test_several_images_are_one_beside_the_other() -> None:
    model = Model()
    joined = model.horizontal_concat([red(4, 2).load(), red(3, 5)])
    assert joined.size == (7, 5)
    assert joined.getpixel((0, 4)) == (0, 0, 0)
    assert joined.getpixel((6, 4)) == (255, 0, 0)
    assert [one.mode for one in model.get_image_list(PIL.new("L", (1, 1)))] == ["RGB"]


def test_data_moves_to_the_device() -> None:
    import torch

    model = Model()
    moved = model.move_to_device({"ids": torch.ones(2), "names": ["a"], "more": [torch.ones(1)]})
    assert moved["ids"].device.type == moved["more"][0].device.type
    assert moved["names"] == ["a"]
    model.move_to_device("cpu")
    assert model.device == torch.device("cpu")
    assert model.move_to_device(torch.ones(1)).device.type == "cpu"


def test_a_batch_method_that_returns_one_text() -> None:
    class Confused(Model):
        def do_generate(self, images, texts, max_new_tokens):
            return "one"

    with pytest.raises(ReplyError, match="returned one text for a list of rows") as caught:
        Confused().generate([Generate((Turn("user", (Text("q"),)),))])
    assert "(image_list, prompt, max_new_tokens)" in str(caught.value)


def test_a_wrong_number_of_scores() -> None:
    class Short(Model):
        def ppl_inference(self, image_list, question_list, answer_list, answer_pool):
            return [1.0]

    with pytest.raises(ReplyError, match=r"Short\.ppl_inference returned 1 replies"):
        Short().score([Score((Turn("user", (Text("q"),)),), ("a", "b"))])


def test_a_misspelt_key_of_the_model_is_an_error(tmp_path: Path, capsys) -> None:
    (tmp_path / "own_model.py").write_text(SECOND)
    (tmp_path / "m.yaml").write_text(
        "plugins: [own_model.py]\nmodel_name: Your_model\nmodel_path: x\ndevise: cpu\n"
    )
    (tmp_path / "r.yaml").write_text(
        f"plugins: [{FAKES}]\nscenario_cfg: {{dataset_name: Numbers}}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    assert main(
        ["eval", "--model_cfg", str(tmp_path / "m.yaml"), "--recipe_cfg", str(tmp_path / "r.yaml")]
    ) == 2  # fmt: skip
    said = capsys.readouterr().err
    assert "m.yaml:4: devise: unknown key for Your_model" in said
    assert "did you mean 'device'?" in said
