"""Models that take fewer images than a question shows."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
from conftest import FAKES
from fakes import Hashing, seen
from PIL import Image as Pillow

from chef.config import load_model, load_recipe
from chef.engine.engine import Engine
from chef.engine.executor_base import fit_images
from chef.errors import ConfigError
from chef.evaluator import Evaluator
from chef.image import Image
from chef.models import MODELS
from chef.run.folder import RunFolder
from chef.session.runners import LocalRunner
from chef.types import Generate, Score, Text, Turn


def block(width: int, height: int, color: tuple[int, int, int]) -> Image:
    return Image(Pillow.new("RGB", (width, height), color))


RED, GREEN, BLUE = block(2, 3, (255, 0, 0)), block(4, 1, (0, 255, 0)), block(1, 2, (0, 0, 255))


def test_images_stand_side_by_side_from_the_top_on_black() -> None:
    turn = Turn("user", (Text("a"), RED, Text("b"), GREEN, BLUE, Text("c")))
    request = fit_images(Generate((turn,), seed=5), 1)
    first, joined, *texts = request.conversation[0].parts
    assert [part.text for part in (first, *texts)] == ["a", "b", "c"]
    assert request.seed == 5
    pixels = joined.load()
    assert pixels.size == (7, 3)
    assert [pixels.getpixel((x, 0)) for x in (0, 1, 2, 5, 6)] == [
        (255, 0, 0), (255, 0, 0), (0, 255, 0), (0, 255, 0), (0, 0, 255),
    ]  # fmt: skip
    assert pixels.getpixel((3, 1)) == (0, 0, 0)
    assert pixels.getpixel((6, 1)) == (0, 0, 255)
    assert pixels.getpixel((6, 2)) == (0, 0, 0)


def test_the_last_ones_are_joined_across_turns() -> None:
    turns = (Turn("user", (RED, Text("x"))), Turn("user", (GREEN, BLUE)))
    request = fit_images(Score(turns, ("yes", "no")), 2)
    assert request.conversation[0] == turns[0]
    (joined,) = request.conversation[1].images
    assert joined.load().size == (5, 2)
    assert fit_images(request, 2) is request


class OneImage(Hashing):
    name, max_images = "one", 1


RECIPE = """\
plugins: [{plugins}]
scenario_cfg: {{dataset_name: {scenario}, size: 3}}
eval_cfg:
  instruction_cfg: {{{instruction}}}
  inferencer_cfg: {{inferencer_type: {inferencer}}}
"""
PAIRS = """\
from fakes import Numbers
from chef.image import Image
from chef.types import Sample
from PIL import Image as Pillow
from dataclasses import replace

class Pairs(Numbers):
    def __getitem__(self, index):
        shown = [Image(Pillow.new("RGB", (4, 4), (shade, index, 0))) for shade in (10, 20)]
        return replace(super().__getitem__(index), images=tuple(shown))
"""


def prepare(tmp_path: Path, scenario: str, instruction: str = "", inferencer: str = "Direct"):
    (tmp_path / "pairs.py").write_text(PAIRS)
    path = tmp_path / "r.yaml"
    path.write_text(
        RECIPE.format(
            plugins=f"{FAKES}, pairs.py",
            scenario=scenario,
            instruction=instruction,
            inferencer=inferencer,
        )
    )
    return Evaluator(load_recipe(path))


def test_a_run_joins_says_so_once_and_counts(tmp_path: Path, caplog) -> None:
    evaluator = prepare(tmp_path, "Pairs")
    (tmp_path / "m.yaml").write_text(f"plugins: [{FAKES}]\nmodel_name: Hashing\n")
    model, spec = OneImage(), load_model(tmp_path / "m.yaml")
    with (
        caplog.at_level(logging.WARNING),
        RunFolder(tmp_path / "run", evaluator.config(spec)) as folder,
    ):
        evaluator.evaluate(model, folder, LocalRunner(model))
    assert [record.message for record in caplog.records] == [
        "one takes at most 1 image(s) at once: further images are joined side by side"
    ]
    session = json.loads((tmp_path / "run" / "environment.json").read_text())["sessions"][0]
    assert (session["joined_images"], session["bare_examples"]) == (3, 0)
    asked = [text for call in model.calls for text in call]
    assert all(text.count("|") == 1 for text in asked)  # one image, one text
    assert len(set(asked)) == 3


def first_request(evaluator: Evaluator):
    return next(evaluator.inferencer.infer(evaluator.scenario[0]))


@pytest.mark.parametrize("turns", ["true", "false"])
def test_examples_are_shown_without_their_images(tmp_path: Path, caplog, turns: str) -> None:
    examples = f"incontext_cfg: {{retriever_type: fixed, ice_num: 2, mult_conversations: {turns}}}"
    evaluator = prepare(tmp_path, "Shapes", examples, "PPL")
    before = first_request(evaluator)
    assert sum(len(turn.images) for turn in before.conversation) == 3
    engine = Engine(OneImage(), evaluator.inferencer)
    after = first_request(evaluator)
    own = evaluator.scenario[0].images[0].digest
    assert [image.digest for turn in after.conversation for image in turn.images] == [own]
    texts = [part for part in seen(before).split("|") if len(part) != 32]
    assert "".join(part for part in seen(after).split("|") if part != own) == "".join(texts)
    assert engine.executor.statistics.bare_examples == 1
    assert "examples are shown without their images" in caplog.text
    Engine(Hashing(), evaluator.inferencer)  # a model that takes any number
    assert seen(first_request(evaluator)) == seen(before)


def test_chefs_own_form_joins_the_examples_images(tmp_path: Path) -> None:
    examples = "incontext_cfg: {retriever_type: fixed, ice_num: 2, compat: upstream}"
    evaluator = prepare(tmp_path, "Shapes", examples)
    engine = Engine(OneImage(), evaluator.inferencer)
    (joined,) = engine.executor.pending(0, first_request(evaluator)).request.conversation[0].images
    width = evaluator.scenario[0].images[0].load().width
    assert joined.load().width == 3 * width


def test_the_key_of_a_model_file(tmp_path: Path) -> None:
    kind = MODELS.get("HuggingFace")
    assert kind(str(tmp_path), max_images=1).max_images == 1
    assert kind(str(tmp_path)).max_images is None
    with pytest.raises(ConfigError, match="max_images is 0"):
        kind(str(tmp_path), max_images=0)
