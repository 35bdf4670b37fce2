"""Shapes: answers are recomputed independently from the scene and from the pixels."""

from __future__ import annotations

import pickle
import random
import re
from collections import Counter
from copy import deepcopy

import pytest

from chef.common.seeding import sample_rng
from chef.errors import ConfigError
from chef.scenario.shapes.drawing import (
    CELL,
    COLORS,
    GRID,
    SHAPES,
    SIZE,
    Scene,
    Split,
    Thing,
    draw_scene,
    render,
    split_of,
)
from chef.scenario.shapes.questions import plural
from chef.scenario.shapes.scenario import Shapes
from chef.types import Sample

TASKS = ("mcq", "yesno", "counting", "color", "shape", "caption", "detection", "classification")
SPLITS = ("train", "pool", "test")
POOLS = {
    "yesno": "POPE",
    "counting": "counting",
    "caption": "caption",
    "detection": "detection",
    "classification": "fine_grained_classification",
}


def samples(task: str, size: int = 60, **options: object) -> list[Sample]:
    scenario = Shapes(task=task, size=size, **options)
    return [scenario[index] for index in range(size)]


def things(sample: Sample) -> list[tuple[str, str]]:
    return [tuple(label.split()) for label in sample.fields["objects"]]


@pytest.mark.parametrize("task", TASKS)
def test_a_sample_is_the_same_whenever_asked(task: str) -> None:
    scenario, again = Shapes(task=task, size=20), Shapes(task=task, size=300)
    backwards = [again[index] for index in reversed(range(20))][::-1]
    for index, other in enumerate(backwards):
        sample = scenario[index]
        assert sample.to_record() == other.to_record()
        assert sample.images[0].digest == other.images[0].digest
        assert sample.id == scenario.sample_id(index)
    assert len({sample.id for sample in backwards}) == 20


def test_other_seeds_tasks_and_splits_give_other_samples() -> None:
    base = [sample.images[0].digest for sample in samples("mcq", 8)]
    for other in (
        samples("mcq", 8, seed=1),
        samples("mcq", 8, split="pool"),
        samples("yesno", 8),
    ):
        assert [sample.images[0].digest for sample in other] != base
        assert not {sample.id for sample in other} & {s.id for s in samples("mcq", 8)}


def test_splits_share_no_scene() -> None:
    seen: dict[object, str] = {}
    for split in SPLITS:
        for task in TASKS:
            scenario = Shapes(task=task, split=split, size=150)
            for index in range(150):
                scene, _ = scenario.draw(index)
                assert seen.setdefault(scene.content, split) == split


def test_every_small_scene_has_one_split_and_each_split_has_some() -> None:
    singles = [((cell, c, s),) for cell in range(9) for c in COLORS for s in SHAPES]
    counts = Counter(split_of(single) for single in singles)
    assert set(counts) == set(SPLITS)
    assert counts["train"] > counts["test"] > counts["pool"] > 0
    two = [(0, "red", "star"), (4, "blue", "cross")]
    assert split_of(two) == split_of(two[::-1])


@pytest.mark.parametrize("task", TASKS)
def test_the_recipe_side_of_a_task(task: str) -> None:
    scenario = Shapes(task=task, size=30)
    assert scenario.wording == POOLS.get(task, "VQA")
    options = {len(scenario[index].options) for index in range(30)}
    assert len(options) == 1
    number = options.pop()
    if scenario.random_accuracy is not None:
        assert scenario.random_accuracy == pytest.approx(1 / number)
    assert len(scenario) == 30
    with pytest.raises(IndexError):
        scenario[30]


def test_the_colour_asked_for_is_the_colour_of_the_only_such_shape() -> None:
    for sample in samples("color"):
        shape = next(shape for shape in SHAPES if shape in sample.question)
        assert [color for color, other in things(sample) if other == shape] == [sample.answer]
        assert sample.options[sample.fields["gt_choice"]] == sample.answer


def test_the_shape_asked_for_is_the_shape_of_the_only_such_colour() -> None:
    for sample in samples("shape"):
        color = next(color for color in COLORS if color in sample.question)
        assert [shape for other, shape in things(sample) if other == color] == [sample.answer]
        assert sample.options[sample.fields["gt_choice"]] == sample.answer


def count(sample: Sample, text: str) -> int:
    """How many things of the sample a phrase like ``red objects`` or ``blue stars`` means."""
    colors = [color for color in COLORS if color in text] or list(COLORS)
    shapes = [shape for shape in SHAPES if shape in text] or list(SHAPES)
    return sum(color in colors and shape in shapes for color, shape in things(sample))


def test_counts_are_true_and_varied() -> None:
    asked = samples("counting", 300)
    for sample in asked:
        assert sample.answer == count(sample, sample.question)
        assert sample.options[sample.fields["gt_choice"]] == str(sample.answer)
    answers = Counter(sample.answer for sample in asked)
    assert set(answers) == set(range(7))
    assert max(answers.values()) < 0.45 * len(asked)


def test_yes_and_no_are_true_and_balanced() -> None:
    asked = samples("yesno", 400)
    for sample in asked:
        assert (sample.answer == "Yes") == (count(sample, sample.question) > 0)
        assert sample.options == ("Yes", "No")
    yes = sum(sample.answer == "Yes" for sample in asked)
    assert 0.42 < yes / len(asked) < 0.58


def test_many_noes_can_only_be_told_by_binding_colour_to_shape() -> None:
    noes = [sample for sample in samples("yesno", 300) if sample.answer == "No"]
    bound = 0
    for sample in noes:
        color = [c for c in COLORS if c in sample.question]
        shape = [s for s in SHAPES if s in sample.question]
        here = things(sample)
        if color and shape:
            bound += any(c in color for c, _ in here) and any(s in shape for _, s in here)
    assert bound / len(noes) > 0.3


def true_choices(sample: Sample) -> list[str]:
    """The choices of a multiple-choice sample that are right, found from its objects."""
    choices, question = sample.fields["choices"], sample.question.partition("\nOptions:")[0]
    here = things(sample)
    if sample.fields["category"] == "count":
        return [choice for choice in choices if int(choice) == count(sample, question)]
    if sample.fields["category"] == "object":
        return [choice for choice in choices if count(sample, choice) > 0]
    if sample.fields["category"] == "color":
        shape = next(shape for shape in SHAPES if shape in question)
        return [choice for choice in choices if (choice, shape) in here]
    color = next(color for color in COLORS if color in question)
    return [choice for choice in choices if (color, choice) in here]


def test_lettered_options_hold_exactly_one_right_answer() -> None:
    asked = samples("mcq", 300)
    for sample in asked:
        gt = sample.fields["gt_choice"]
        assert sample.options == ("(A", "(B", "(C", "(D")
        assert sample.answer == sample.options[gt] + ")"
        assert true_choices(sample) == [sample.fields["choices"][gt]]
        listed = re.findall(r"\([A-D]\) ((?:(?! \([A-D]\)).)+)", sample.question)
        assert listed == sample.fields["choices"]
    letters = Counter(sample.answer for sample in asked)
    assert min(letters.values()) > 0.15 * len(asked)
    kinds = Counter(sample.fields["category"] for sample in asked)
    assert set(kinds) == {"color", "shape", "count", "object"}


def test_a_caption_has_one_true_option_and_names_what_is_there() -> None:
    for sample in samples("caption"):
        right = [option for option in sample.options if option in sample.answer]
        assert right == [sample.options[sample.fields["gt_choice"]]]
        assert len(set(sample.options)) == 4
        for reference in sample.answer:
            assert all(label in reference for label in sample.fields["objects"])
    assert samples("caption", 1, ppl=False)[0].options == ()
    assert samples("caption", 1, ppl=False)[0].answer == samples("caption", 1)[0].answer


def test_the_only_object_has_one_true_option() -> None:
    for sample in samples("classification"):
        (label,) = sample.fields["objects"]
        assert sample.answer == [label.split()[1], label]
        assert sample.options[sample.fields["gt_choice"]] == label
        assert len(set(sample.options)) == 4
    assert samples("classification", 1, ppl=False)[0].options == ()


def test_boxes_enclose_exactly_the_coloured_pixels() -> None:
    np = pytest.importorskip("numpy")
    for sample in samples("detection", 25):
        pixels = np.asarray(sample.images[0].load()).astype(int)
        # Ground is light and nearly grey: whatever differs much between channels is an object.
        drawn = np.ptp(pixels, axis=2) > 40
        covered = np.zeros_like(drawn)
        for found in sample.answer:
            x1, y1, x2, y2 = (edge * SIZE for edge in found["bbox"])
            inside = drawn[int(y1) : int(y2) + 1, int(x1) : int(x2) + 1]
            ys, xs = np.nonzero(inside)
            assert abs(xs.max() + 1 - (x2 - int(x1))) <= 2
            assert abs(ys.max() + 1 - (y2 - int(y1))) <= 2
            assert xs.min() <= 2
            assert ys.min() <= 2
            covered[int(y1) : int(y2) + 1, int(x1) : int(x2) + 1] = True
        assert not (drawn & ~covered).any()
        assert sorted(found["label"] for found in sample.answer) == sorted(sample.fields["objects"])


def test_the_middle_of_a_thing_has_its_colour_and_empty_cells_are_empty() -> None:
    for index in range(30):
        scene = draw_scene(sample_rng(0, "pixels", index), "test")
        picture = render(scene)
        assert picture.size == (SIZE, SIZE)
        for thing in scene.things:
            assert picture.getpixel((int(thing.x), int(thing.y))) == COLORS[thing.color]
        for cell in set(range(GRID * GRID)) - {thing.cell for thing in scene.things}:
            x, y = cell % GRID * CELL, cell // GRID * CELL
            colors = picture.crop((x, y, x + CELL, y + CELL)).getcolors()
            assert colors == [(CELL * CELL, scene.ground)]


def plainly_drawn(rng: random.Random) -> Scene:
    """A scene of any split, drawn with the methods of `random.Random`."""
    colors = rng.sample(sorted(COLORS), rng.choice((2, 3, 6)))
    shapes = rng.sample(SHAPES, rng.choice((2, 3, 5)))
    things = []
    for cell in sorted(rng.sample(range(GRID * GRID), rng.randint(1, 6))):
        color, shape, radius = rng.choice(colors), rng.choice(shapes), rng.uniform(7.5, 10.0)
        play = CELL / 2 - radius - 0.5
        x = (cell % GRID + 0.5) * CELL + rng.uniform(-play, play)
        y = (cell // GRID + 0.5) * CELL + rng.uniform(-play, play)
        things.append(Thing(cell, color, shape, x, y, radius))
    level = rng.randint(232, 255)
    other = [min(255, level + rng.randint(-4, 4)) for _ in range(2)]
    return Scene(tuple(things), (level, other[0], other[1]))


@pytest.mark.parametrize("split", SPLITS)
def test_scenes_are_those_that_the_methods_of_random_draw(split: Split) -> None:
    for index in range(50):
        rng, plain = (sample_rng(0, "plain", index) for _ in range(2))
        scene = draw_scene(rng, split)
        expected = plainly_drawn(plain)
        while split_of(expected.content) != split:
            expected = plainly_drawn(plain)
        assert scene == expected
        assert rng.getstate() == plain.getstate()


@pytest.mark.parametrize("task", ["mcq", "detection"])
def test_who_changes_a_sample_changes_no_later_one(task: str) -> None:
    (sample,) = samples(task, 1)
    before = deepcopy((sample.answer, sample.fields))
    for data in (sample.answer, *sample.fields.values()):
        if isinstance(data, list):
            data.clear()
    (again,) = samples(task, 1)
    assert (again.answer, again.fields) == before


def test_a_sample_travels_to_another_process() -> None:
    sample = Shapes(size=1)[0]
    copy = pickle.loads(pickle.dumps(sample))
    assert copy.images[0].digest == sample.images[0].digest
    assert copy.to_record() == sample.to_record()


@pytest.mark.parametrize("options", [{"task": "mqc"}, {"split": "val"}, {"size": -1}])
def test_wrong_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        Shapes(**options)


def test_plurals() -> None:
    assert [plural(noun) for noun in ("cross", "red star")] == ["crosses", "red stars"]
