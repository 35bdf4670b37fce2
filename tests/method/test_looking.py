"""Methods that ask whether a model looks: what is left out, what is put in its place."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from chef.config import load_recipe
from chef.errors import ConfigError, SampleError
from chef.image import Image
from chef.method import METHODS
from chef.method.base import WithMethod
from chef.scenario import Scenario
from chef.types import Sample, TurnSpec


def shapes(methods: str = "", recipe: str = "Shapes/ppl") -> Scenario:
    keys = [f"scenario_cfg.method_cfg={methods}"] if methods else []
    return load_recipe(recipe, keys).scenario.build()


def make(name: str, **keys: Any) -> Any:
    return METHODS.get(name)(name, **keys)


def picture(red: int) -> Image:
    from PIL import Image as Pillow

    return Image(Pillow.new("RGB", (3, 2), (red, 0, 0)))


class Few(Scenario):
    """Samples with given images; a None cannot be made."""

    name, wording, metric = "Few", "VQA", "Accuracy"

    def __init__(self, images: list[int | None]) -> None:
        self.images = images

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, index: int) -> Sample:
        red = self.images[index]
        if red is None:
            raise SampleError("damaged", where=str(index))
        return Sample(str(index), (picture(red),), "Which?", ("a", "b"), "a")

    def sample_id(self, index: int) -> str:
        return str(index)


def red_of(sample: Sample) -> int:
    return int(np.asarray(sample.images[0].view())[0, 0, 0])


def test_without_image_nothing_else_changes() -> None:
    before, after = shapes()[3], shapes("{without-image: {}}")[3]
    assert before.images
    assert after == replace(before, images=())


def test_marks_go_with_the_images() -> None:
    sample = Sample(
        "1", (picture(1), picture(2)), "Left <image 1>, right <image 2>?",
        turns=(TurnSpec(question="And <image 2>?"),), image_marks=("<image 1>", "<image 2>"),
    )  # fmt: skip
    after = make("without-image").transform(sample)
    assert (after.question, after.turns[0].question) == ("Left , right ?", "And ?")
    assert after.image_marks == ()


def test_options_without_the_question() -> None:
    before, after = shapes()[3], shapes("{without-question: {}}")[3]
    listed = before.question.partition("\n")[2]
    assert listed.startswith("Options: (A)")
    assert (after.question, after.options, after.answer) == (listed, before.options, before.answer)
    assert shapes("{without-question: {}}", "Shapes/yesno_ppl")[0].question == ""


@pytest.mark.parametrize("recipe", ["Digits/ppl", "Shapes/detection_direct"])
def test_no_question_to_leave_out(recipe: str) -> None:
    with pytest.raises(SampleError, match="has no") as caught:
        shapes("{without-question: {}}", recipe)[0]
    assert caught.value.where is not None


def test_one_color_keeps_number_and_size() -> None:
    sample = Sample("1", (picture(9), picture(8)), "Which?")
    after = make("one-color", color=[1, 2, 3]).transform(sample)
    assert [image.size for image in after.images] == [(3, 2), (3, 2)]
    assert {tuple(pixel) for image in after.images for pixel in image.load().getdata()} == {
        (1, 2, 3)
    }
    for color in ([1, 2], [0, 0, 256]):
        with pytest.raises(ConfigError, match="color"):
            make("one-color", color=color)


def test_the_other_image_is_never_the_same_pixels() -> None:
    """Most samples share one image; what cannot be made is passed over."""
    scenario = Few([5] * 200 + [None, 7])
    for index in range(10):
        assert red_of(WithMethod(scenario, make("other-image"))[index]) == 7
    assert red_of(WithMethod(scenario, make("other-image"))[201]) == 5
    with pytest.raises(SampleError, match="no other sample"):
        WithMethod(Few([5, 5, None]), make("other-image"))[0]


def test_the_other_image_depends_on_seed_and_id_alone() -> None:
    scenario = Few(list(range(100)))

    def drawn(order: list[int], seed: int = 0) -> dict[int, int]:
        changed = WithMethod(scenario, make("other-image", seed=seed))
        return {index: red_of(changed[index]) for index in order}

    order = list(range(100))
    shuffled = random.Random(1).sample(order, 100)
    assert drawn(order) == drawn(shuffled) == drawn(order[:50]) | drawn(order[50:])
    assert all(index != red for index, red in drawn(order).items())
    assert drawn(order) != drawn(order, seed=1)
    assert len(set(drawn(order).values())) > 50


def test_the_other_image_after_another_method() -> None:
    """The other sample is changed by the methods before, as the sample is."""
    changed = shapes("[{one-color: {}}, {other-image: {}}]")
    with pytest.raises(SampleError, match="no other sample has another image"):
        changed[0]
    kept = shapes("[{other-image: {}}, {one-color: {color: [9, 9, 9]}}]")[0]
    assert red_of(kept) == 9


def test_the_images_of_options_are_left_out() -> None:
    """That of the question stays, also where an option has it, too."""
    sample = Sample(
        "1", (picture(1), picture(2), picture(3)),
        "Question: Which is like <image 1>?\nOptions: (A) <image 2> (B) <image 3>", ("(A", "(B"),
        "(A)", {"choices": ["<image 2>", "<image 3>"], "gt_choice": 0},
        image_marks=("<image 1>", "<image 2>", "<image 3>"),
    )  # fmt: skip
    made = make("without-option-images").transform(sample)
    assert [red_of(made), len(made.images), made.image_marks] == [1, 1, ("<image 1>",)]
    assert made.question == "Question: Which is like <image 1>?\nOptions: (A)  (B) "
    assert (made.options, made.answer, made.fields) == (
        sample.options, sample.answer, sample.fields,
    )  # fmt: skip
    plain = replace(sample, images=(picture(1),), image_marks=("<image 1>",))
    with pytest.raises(SampleError, match="images of options, and the sample has none"):
        make("without-option-images").transform(plain)
