"""In-context examples: the right ones, in the right form, and never the query in disguise."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from fakes import Numbers

from chef.config import load_recipe
from chef.errors import ConfigError, SampleError
from chef.evaluator import Evaluator
from chef.image import Image
from chef.inferencer.base import render
from chef.instruction import RETRIEVERS, Instruction
from chef.instruction.examples import ExampleFormat
from chef.instruction.retriever import ExamplePool, Retriever
from chef.instruction.retriever.base import example_answer
from chef.scenario import Scenario
from chef.scenario.shapes.scenario import Shapes
from chef.types import Sample, Text


def picture(shade: int, form: str = "PNG") -> bytes:
    from PIL import Image as Pillow

    stream = io.BytesIO()
    Pillow.new("RGB", (4, 4), (shade, 0, 0)).save(stream, form)
    return stream.getvalue()


class Pictures(Scenario):
    """Samples given as they are."""

    name, task, metric = "Pictures", "VQA", "Accuracy"

    def __init__(self, samples: Sequence[Sample]) -> None:
        self.samples = samples

    def __len__(self) -> int:
        return len(self.samples)

    def sample_id(self, index: int) -> str:
        return self.samples[index].id

    def __getitem__(self, index: int) -> Sample:
        return self.samples[index]


def sample(name: str, shade: int, form: str = "PNG", group: str | None = None) -> Sample:
    fields = {"circular_group": group} if group else {}
    images = (Image(picture(shade, form)),)
    return Sample(name, images, f"{name}?", answer=f"answer {name}", fields=fields)


def ready(kind: str, scenario: Scenario, **options: object) -> Retriever:
    retriever = RETRIEVERS.get(kind)(**options)
    retriever.prepare(ExamplePool(scenario))
    return retriever


@pytest.mark.parametrize("kind", ["random", "fixed"])
def test_the_query_in_any_disguise_is_never_an_example(kind: str) -> None:
    query = sample("query", 10, group="7")
    scenario = Pictures(
        [
            query,
            sample("re-encoded", 10, "BMP"),
            sample("rotated", 20, group="7"),
            sample("other", 30, group="8"),
            sample("another", 40),
        ]
    )
    for seed in range(20):
        retriever = ready(kind, scenario, ice_num=2, random_seed=seed)
        assert {found.id for found in retriever.retrieve(query)} == {"other", "another"}
    with pytest.raises(SampleError, match="only 2 samples of the pool may serve"):
        ready(kind, scenario, ice_num=3).retrieve(query)


@pytest.mark.parametrize("kind", ["random", "fixed"])
def test_retrieval_depends_on_seed_and_query_alone(kind: str) -> None:
    scenario = Numbers(size=60)
    one, two = (ready(kind, scenario, ice_num=3, random_seed=1) for _ in range(2))
    forwards = [one.retrieve(scenario[index]) for index in range(60)]
    backwards = [two.retrieve(scenario[index]) for index in reversed(range(60))]
    assert forwards == backwards[::-1]
    other = ready(kind, scenario, ice_num=3, random_seed=2)
    assert [other.retrieve(scenario[index]) for index in range(60)] != forwards


def test_random_differs_by_query_and_fixed_does_not() -> None:
    scenario, queries = Numbers(size=60), Numbers(size=90)
    chosen = {
        kind: {
            tuple(item.id for item in ready(kind, scenario, ice_num=2).retrieve(queries[index]))
            for index in range(60, 90)
        }
        for kind in ("random", "fixed")
    }
    assert len(chosen["random"]) > 20
    assert len(chosen["fixed"]) == 1


def test_assigned_examples_and_their_substitutes() -> None:
    scenario = Numbers(size=10)
    retriever = ready("fixed", scenario, ice_num=2, ice_assigned_ids=[4, 1])
    assert [item.id for item in retriever.retrieve(scenario[7])] == ["n4", "n1"]
    substituted = [item.id for item in retriever.retrieve(scenario[4])]
    assert substituted[0] == "n1"
    assert substituted[1] not in ("n1", "n4")


def test_a_bad_sample_is_no_example() -> None:
    scenario = Numbers(size=6, bad=[0, 1, 2])
    for index in range(6, 30):
        found = ready("random", scenario, ice_num=3).retrieve(Numbers(size=30)[index])
        assert {item.id for item in found} == {"n3", "n4", "n5"}


@pytest.mark.parametrize(
    ("sample", "shown"),
    [
        (Sample("a", answer=["a red star", "one star"]), "a red star"),
        (Sample("a", answer=["star", "red star"], shown_answer="red star"), "red star"),
        (Sample("a", answer=7), "7"),
        (Sample("a", answer=[{"label": "star", "bbox": [0, 0, 1, 1]}]), None),
        (Sample("a", answer=[[10.0, 20.0]]), None),
        (Sample("a"), None),
    ],
)
def test_the_truth_that_an_example_shows(sample: Sample, shown: str | None) -> None:
    assert example_answer(sample) == shown


def test_the_finest_class_is_shown() -> None:
    (chain,) = {tuple(Shapes(task="classification", size=1)[0].answer)}
    assert example_answer(Shapes(task="classification", size=1)[0]) == chain[-1]


@pytest.mark.parametrize(
    ("answer", "words"), [([{"label": "star"}], "are no texts"), (None, "are not known")]
)
def test_truths_that_cannot_be_shown_are_refused_at_once(answer: object, words: str) -> None:
    unseen = (Image(Path("nowhere.png")),)  # no image is opened to find out
    scenario = Pictures([Sample(str(number), unseen, answer=answer) for number in range(3)])
    with pytest.raises(ConfigError, match=words):
        ready("random", scenario)
    assert ready("random", scenario, ice_num=0).retrieve(scenario[0]) == ()


def test_settings_that_make_no_sense() -> None:
    scenario = Numbers(size=3)
    for options, words in (
        ({"ice_num": 3}, "the pool has 3"),
        ({"ice_num": -1}, "ice_num is -1"),
    ):
        with pytest.raises(ConfigError, match=words):
            ready("random", scenario, **options)
    with pytest.raises(ConfigError, match="different ids"):
        ready("fixed", scenario, ice_num=2, ice_assigned_ids=[1, 1])
    with pytest.raises(ConfigError, match="outside the pool"):
        ready("fixed", scenario, ice_num=1, ice_assigned_ids=[3])


def handler(**style: object) -> Instruction:
    scenario = Pictures([sample("a", 1), sample("b", 2), sample("c", 3)])
    retriever = ready("fixed", scenario, ice_num=2, ice_assigned_ids=[0, 1])
    return Instruction("VQA", "", retriever, ExampleFormat(**style), prompt_assigned_ids=2)


def test_examples_as_turns() -> None:
    query = handler().query(sample("q", 9))
    assert render(query.conversation) == (
        "[user] <image>\na?\n[assistant] The answer is answer a\n"
        "[user] <image>\nb?\n[assistant] The answer is answer b\n"
        "[user] <image>\nq?"
    )
    assert query.examples == ("a", "b")


def test_examples_as_turns_of_text_with_a_system_message() -> None:
    query = handler(ice_with_image=False, add_sysmsg=True, sysmsg="Look at the form.")
    text = render(query.query(sample("q", 9)).conversation)
    assert text.startswith("[system] Look at the form.\n[user] a?\n[assistant]")
    assert text.count("<image>") == 1


def test_examples_in_one_turn() -> None:
    (turn,) = handler(mult_conversations=False).query(sample("q", 9)).conversation
    shown = [part.text if isinstance(part, Text) else "<image>" for part in turn.parts]
    assert shown == [
        "<image>", "a?\nThe answer is answer a\n",
        "<image>", "b?\nThe answer is answer b\n",
        "<image>", "q?",
    ]  # fmt: skip


def test_examples_in_one_turn_of_text() -> None:
    style = {"mult_conversations": False, "ice_with_image": False}
    (turn,) = handler(**style).query(sample("q", 9)).conversation
    shown = [part.text if isinstance(part, Text) else "<image>" for part in turn.parts]
    assert shown == ["<image>", "a?\nThe answer is answer a\nb?\nThe answer is answer b\nq?"]


RECIPE = """\
scenario_cfg: {dataset_name: Shapes, task: yesno, size: 20}
eval_cfg:
  instruction_cfg:
    incontext_cfg: {retriever_type: random, ice_num: 2, random_seed: 1}
  inferencer_cfg: {inferencer_type: PPL}
"""


def test_a_recipe_with_examples_draws_them_from_the_pool_split(tmp_path: Path) -> None:
    path = tmp_path / "icl.yaml"
    path.write_text(RECIPE)
    request = Evaluator(load_recipe(path)).preview().request
    assert len(request.conversation) == 5
    evaluator = Evaluator(load_recipe(path))
    query = evaluator.instruction.query(evaluator.scenario[0])
    assert all(name.startswith("yesno-pool-") for name in query.examples)
    section = evaluator.recipe.effective()["eval_cfg"]["instruction_cfg"]["incontext_cfg"]
    assert section["ice_with_image"] is True


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("retriever_type: random", "retriever_type: randon", "did you mean 'random'?"),
        ("random_seed", "randm_seed", "did you mean 'random_seed'?"),
        ("random_seed: 1", "ice_with_images: true", "did you mean 'ice_with_image'?"),
        ("random_seed: 1", "ice_with_image: 3", "expected 'bool'"),
        ("retriever_type: random, ", "", "needs the key 'retriever_type'"),
    ],
)
def test_mistakes_in_the_section_are_refused(tmp_path: Path, old, new, words) -> None:
    path = tmp_path / "icl.yaml"
    path.write_text(RECIPE.replace(old, new))
    with pytest.raises(ConfigError) as caught:
        load_recipe(path)
    assert words in str(caught.value)
    assert "icl.yaml:4" in str(caught.value)


def test_older_names(tmp_path: Path) -> None:
    path = tmp_path / "icl.yaml"
    path.write_text(RECIPE.replace("random_seed: 1", "use_pic: false").replace("PPL", "ICL_PPL"))
    recipe = load_recipe(path)
    assert recipe.incontext is not None
    assert recipe.incontext.style.ice_with_image is False
    assert recipe.inferencer.name == "PPL"
    assert len(recipe.notices) == 2
    path.write_text(RECIPE.replace("ice_num: 2", "ice_num: 0").replace("PPL", "ICL_PPL"))
    assert load_recipe(path).incontext is None  # the zero-shot baseline of an ICL series
    path.write_text("\n".join(line for line in RECIPE.replace("PPL", "ICL_PPL").splitlines()
                              if "context" not in line and "instruction" not in line))  # fmt: skip
    with pytest.raises(ConfigError, match="needs in-context examples"):
        load_recipe(path)


def test_a_split_of_its_own_may_be_shown_as_a_whole() -> None:
    pool = Pictures([sample("a", 1), sample("b", 2)])
    retriever = RETRIEVERS.get("random")(ice_num=2)
    retriever.prepare(ExamplePool(pool, is_split=True))
    found = retriever.retrieve(sample("query", 3))
    assert sorted(example.id for example in found) == ["a", "b"]
    # In the evaluated set a query would miss one, because it is not its own example.
    with pytest.raises(ConfigError, match="2 examples are wanted, and the pool has 2"):
        ready("random", pool, ice_num=2)


def test_of_an_empty_split_no_question_becomes_an_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Shapes, "pool", lambda self: Shapes(size=0) if self.size else None)
    path = tmp_path / "icl.yaml"
    path.write_text(RECIPE)
    with pytest.raises(ConfigError, match="2 examples are wanted, and the pool has 0 samples"):
        Evaluator(load_recipe(path))


@pytest.mark.parametrize(
    ("preferred", "told"),
    [
        (None, "Own.preference returned None, and no positions"),
        ([40], "Own.preference gave 40, which is no position"),
        ([-1], "Own.preference gave -1, which is no position"),
        (["0"], "Own.preference gave '0', which is no position"),
        ([1.0], "Own.preference gave 1.0, which is no position"),
    ],
)
def test_what_is_no_position_of_the_pool_is_told(preferred: object, told: str) -> None:
    class Own(Retriever):
        def preference(self, query: Sample) -> object:
            return preferred

    retriever = Own(ice_num=1)
    retriever.prepare(ExamplePool(Shapes(size=20, task="mcq")))
    with pytest.raises(SampleError, match=told) as caught:
        retriever.retrieve(Shapes(size=20, task="mcq", split="train")[0])
    assert "from 0 to 19" in (caught.value.hint or "")


def test_a_position_given_twice_is_one_example() -> None:
    class Own(Retriever):
        def preference(self, query: Sample) -> list[int]:
            return [3, 3, 4]

    retriever = Own(ice_num=2)
    retriever.prepare(ExamplePool(Shapes(size=20, task="mcq")))
    examples = retriever.retrieve(Shapes(size=20, task="mcq", split="train")[0])
    assert len({example.id for example in examples}) == 2
