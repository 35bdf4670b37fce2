"""Data of the running session: each kind is asked, resumed and compared as a file is."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import PIL.Image
import pytest
from scenario.records_table.conftest import png

import chef
from chef.errors import ConfigError, DataError, ImageError, SampleError
from chef.image import Image
from chef.scenario.table.scenario import Records
from chef.scenario.table.session import is_frame, plain, stored
from chef.types import Conversation

COLORS = ("red", "green", "blue")


def rows() -> list[dict[str, Any]]:
    return [
        {"id": f"r{n}", "image": png(color), "question": "Which color?", "A": "red", "B": "blue",
         "answer": "B" if color == "blue" else "A"}
        for n, color in enumerate(COLORS)
    ]  # fmt: skip


def as_generator() -> Iterator[dict[str, Any]]:
    yield from rows()


def as_dataset() -> Any:
    datasets = pytest.importorskip("datasets")
    names = datasets.ClassLabel(names=["A", "B"])
    features = datasets.Features(
        {"id": datasets.Value("string"), "image": datasets.Image(),
         **dict.fromkeys(("question", "A", "B"), datasets.Value("string")), "answer": names}
    )  # fmt: skip
    listed = [{**row, "image": {"bytes": row["image"], "path": None}} for row in rows()]
    return datasets.Dataset.from_list(listed, features=features)


def as_frame() -> Any:
    return pytest.importorskip("pandas").DataFrame(rows())


class Polars:
    """What chef calls of a polars frame."""

    columns = ("id",)

    def iter_rows(self, *, named: bool) -> Iterator[dict[str, Any]]:
        assert named
        yield from rows()


FORMS: Mapping[str, Callable[[], Any]] = {
    "list": rows, "generator": as_generator, "dataset": as_dataset, "pandas": as_frame,
    "polars": Polars,
}  # fmt: skip


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHEF_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_the_same_table(form: str) -> None:
    made = Records(path=str(stored(FORMS[form]())))
    wanted = Records(path=str(stored(rows())))
    for index in range(3):
        one, other = made[index], wanted[index]
        assert (one.id, one.question, one.answer, one.images[0].digest) == (
            f"r{index}", other.question, other.answer, Image(png(COLORS[index])).digest,
        )  # fmt: skip
    assert [sample.answer for sample in map(made.__getitem__, range(3))] == ["(A)", "(A)", "(B)"]


class Scripted(chef.Model):
    """Answers "(A)" to everything, and keeps what it is asked."""

    asked: ClassVar[list[str]] = []

    def generate_one(self, conversation: Conversation, max_new_tokens: int) -> str:
        self.asked.append(str(conversation))
        return "(A)"


@pytest.mark.parametrize("form", FORMS)
def test_data_of_the_session_is_evaluated_resumed_and_compared(
    form: str,
) -> None:
    model = Scripted()
    model.asked.clear()
    first = chef.evaluate(model, FORMS[form](), save_dir="results", name="a")
    assert first.value == pytest.approx(100 * 2 / 3)
    assert len(model.asked) == 3
    again = chef.evaluate(model, FORMS[form](), save_dir="results", name="a")
    assert again.value == first.value
    assert len(model.asked) == 3, "the run was finished"
    other = chef.evaluate(model, FORMS[form](), save_dir="results", name="b")
    difference = chef.compare(first, other)
    assert "0.0" in str(difference)


def test_a_recipe_may_name_data_of_the_session(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "0.png").write_bytes(png())
    table = [{"picture": "pictures/0.png", "wanted": "a square"}]
    model = Scripted()
    model.asked.clear()
    recipe = {
        "scenario_cfg": {
            "dataset_name": "Records", "path": table, "template": "What is it?",
            "columns": {"answer": "wanted"},
        },
        "eval_cfg": {
            "inferencer_cfg": {"inferencer_type": "Direct"},
            "metric_cfg": {"metric_type": "basic"},
        },
    }  # fmt: skip
    report = chef.evaluate(model, recipe, save_dir="results")
    assert len(model.asked) == 1
    assert "What is it?" in model.asked[0]
    assert report.value == 0.0


def test_a_race_and_a_scoring_take_data_of_the_session() -> None:
    recipe = {
        "scenario_cfg": {"dataset_name": "Records", "path": rows()},
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": "Direct"}},
    }
    models = [Scripted(), Scripted()]
    for number, model in enumerate(models):
        model.name = f"m{number}"
    assert chef.race(models, recipe).asked == len(COLORS)
    report = chef.evaluate(models[0], recipe, save_dir="results")
    assert chef.score(report, recipe=recipe).value == report.value


OBJECT = "an object of type Image is no text, number, list or mapping"


def with_pictures(key: str) -> dict[str, Any]:
    data = [{**rows()[0], "image": PIL.Image.new("RGB", (4, 4))}]
    return {
        key: {"dataset_name": "Records", "path": data},
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": "Direct"}},
    }


@pytest.mark.parametrize(
    ("call", "what", "hint"),
    [
        (
            lambda: chef.evaluate(Scripted(), with_pictures("scenario_cgf")),
            f"scenario_cgf.path.0.image: {OBJECT}",
            "did you mean 'scenario_cfg'?",
        ),
        (
            lambda: chef.load_recipe(with_pictures("scenario_cfg")),
            f"scenario_cfg.path.0.image: {OBJECT}",
            "give a mapping with data to chef.evaluate",
        ),
        (
            lambda: chef.evaluate([Scripted(), Scripted()], rows()),
            "another of the models is called 'Scripted' too",
            "model.name = 'Scripted-2'",
        ),
    ],
)
def test_where_no_object_can_stand(call: Callable[[], Any], what: str, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        call()
    assert what in str(caught.value)
    assert hint in str(caught.value)


def test_one_word_and_whole_numbers_are_understood() -> None:
    data = [{"id": number, "question": "Which?", "answer": "red"} for number in range(3)]
    report = chef.evaluate(Scripted(), data, allow="text-only", ids=[2], save_dir="results")
    assert [one.sample_id for one in chef.load_run(report.folder).predictions] == ["2"]


def test_a_folder_of_images(tmp_path: Path) -> None:
    """One sample an image, with one question for all; the names of inner folders are answers."""
    for name in ("red/a.png", "blue/b.png", ".hidden/c.png"):
        (tmp_path / "set" / name).parent.mkdir(parents=True)
        (tmp_path / "set" / name).write_bytes(png(name.partition("/")[0].strip(".h") or "red")
                                              if not name.startswith(".") else png())  # fmt: skip
    made = Records(path=str(tmp_path / "set"), template="Which color is it?")
    assert [made.sample_id(index) for index in range(len(made))] == ["blue/b.png", "red/a.png"]
    assert made[0].question == "Which color is it?"
    assert made[0].answer == ["blue"]
    assert made[0].images[0].digest == Image(png("blue")).digest
    before = made.row_digests()
    assert (
        before == Records(path=str(tmp_path / "set"), template="Which color is it?").row_digests()
    )


@pytest.mark.parametrize("name", ["metadata.csv", "metadata.jsonl"])
def test_a_folder_of_images_with_metadata(tmp_path: Path, name: str) -> None:
    """As the hub's imagefolder has it."""
    (tmp_path / "a.png").write_bytes(png("blue"))
    text = {
        "metadata.csv": "file_name,question,answer\na.png,Which color?,blue\n",
        "metadata.jsonl": '{"file_name": "a.png", "question": "Which color?", "answer": "blue"}\n',
    }[name]
    (tmp_path / name).write_text(text)
    made = Records(path=str(tmp_path))
    assert len(made) == 1
    assert made[0].images[0].digest == Image(png("blue")).digest
    assert made[0].answer == ["blue"]


def test_data_without_rows_is_refused() -> None:
    with pytest.raises(DataError, match="no row"):
        stored([])
    assert not list(Path("cache/tables").iterdir())


def test_bytes_are_no_path(tmp_path: Path) -> None:
    """A stream is read, and bytes that are no image are no name of a file."""
    assert plain(io.BytesIO(png("red"))) == png("red")
    assert plain(bytearray(png("red"))) == png("red")
    (tmp_path / "red.png").write_bytes(png("red"))
    with (tmp_path / "red.png").open("rb") as file:
        assert plain([file, file]) == [png("red")] * 2
    data = [{**rows()[0], "image": b"no image"}]
    (sample,) = Records(path=str(stored(data)))
    with pytest.raises(ImageError, match="not an image"):
        sample.images[0].load()


def test_numbers_in_the_place_of_an_image_have_a_remedy() -> None:
    numpy = pytest.importorskip("numpy")
    data = [{**rows()[0], "image": numpy.zeros((4, 6, 3))}]
    scenario = Records(path=str(stored(data)))
    with pytest.raises(SampleError, match="holds numbers in rows, not an image") as caught:
        scenario[0]
    assert "PIL.Image.fromarray(pixels)" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("given", "what", "hint"),
    [
        (list, "nothing is asked", "give a recipe, or a row for each question"),
        (lambda: rows()[0], "one row of data is no recipe", "give a list of rows: [row]"),
        (
            lambda: {"dev": Polars(), "test": Polars()},
            "several data sets: dev, test",
            "data['dev']",
        ),
        (Scripted, "in the place of a recipe", "the model comes first"),
    ],
)
def test_what_is_no_data_is_refused_with_the_remedy(
    given: Callable[[], Any], what: str, hint: str
) -> None:
    with pytest.raises(ConfigError, match=what) as caught:
        chef.evaluate(Scripted(), given())
    assert hint in str(caught.value)
    assert not Path("results").exists()


def test_what_is_no_model_is_refused_with_the_remedy() -> None:
    with pytest.raises(ConfigError, match="no model is given"):
        chef.evaluate([], rows())
    with pytest.raises(ConfigError, match=r"class Mine\(chef.Model\)"):
        chef.evaluate(lambda conversation: "(A)", rows())


def test_a_metric_goes_by_its_name() -> None:
    report = chef.evaluate(Scripted(), rows(), name="a")
    for wrong in (Scripted, {"metric_type": "VQA"}):
        with pytest.raises(ConfigError, match="is not the name of a metric") as caught:
            chef.score(report, metric=wrong)
        assert "--recipe_cfg RECIPE" in str(caught.value)


class Shouted(chef.Metric):
    """Capitals of answers, times ``factor``."""

    primary = "capitals"

    def __init__(self, dataset_name: str = "", *, factor: float = 1.0) -> None:
        super().__init__(dataset_name)
        self.factor = factor

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, float]:
        return {"capitals": self.factor * sum("A" in one["answer"] for one in answers)}


def test_a_metric_may_be_a_class_of_the_session() -> None:
    report = chef.evaluate(Scripted(), rows(), name="a")
    scored = chef.score(report, Shouted, options={"factor": 2.0})
    right = sum("A" in one["answer"] for one in report.samples)
    assert scored.metrics["capitals"].value == 2 * right > 0
    assert scored.file.name == "results_Shouted.json"
    again = type("Shouted", (Shouted,), {"group_figures": ()})  # a cell that is run again
    assert chef.score(report, again).metrics["capitals"].value == right
    own = type("Accuracy", (Shouted,), {})
    with pytest.raises(ConfigError, match="chef has a metric 'Accuracy'"):
        chef.score(report, own)
    for wrong, hint in ((Shouted(), "metric=Shouted"), (len, "class Mine(chef.Metric)")):
        with pytest.raises(ConfigError, match="is not the name of a metric") as caught:
            chef.score(report, wrong)
        assert hint in str(caught.value)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("run_name", "name=NAME"),
        ("overrides", "chef.load_recipe(recipe, ['KEY=VALUE'])"),
        ("metric", "chef.score(report, metric=NAME)"),
        ("by", "report.by has"),
        ("judge", "chef.ask_judge(report, JUDGE)"),
        ("limits", "limit=N asks N samples"),
        ("num_samples", "limit=N asks N samples"),
        ("worker", "did you mean 'workers'?"),
    ],
)
def test_an_unknown_argument_has_a_remedy(name: str, hint: str) -> None:
    with pytest.raises(TypeError, match=f"has no argument '{name}'") as caught:
        chef.evaluate(Scripted(), rows(), **{name: "x"})  # type: ignore[call-overload]
    assert hint in str(caught.value)


def test_reports_go_by_their_recipe() -> None:
    report = chef.evaluate(Scripted(), rows(), name="a")
    reports = chef.Reports([report])
    assert reports[report.label] is reports[report.recipe] is reports[0] is report
    assert reports[f"{report.model}/{report.label}"] is report
    with pytest.raises(ConfigError, match="no reports are of 'x'"):
        reports["x"]
    with pytest.raises(ConfigError, match="2 reports are of"):
        chef.Reports([report, report])[report.label]


def test_a_notebook_shows_the_table() -> None:
    report = chef.evaluate(Scripted(), rows(), name="a")
    for shown in (report, chef.Reports([report]), chef.compare(report, report)):
        assert shown._repr_html_().startswith("<pre>")
        assert "ACC" in shown._repr_html_()


def test_recipes_are_no_data() -> None:
    assert not is_frame({"scenario_cfg": {}})
    assert not is_frame([{"question": "a"}])


SUMS = [{"question": f"What is {n}+{n}?", "answer": str(2 * n)} for n in range(1, 6)]
MORE = [*SUMS, {"question": "What is 9+9?", "answer": "18"}]


def asked_of(data: Any, **how: Any) -> tuple[int, chef.RunResult]:
    model = Scripted()
    model.asked.clear()
    recipe = how.pop("recipe", None)
    report = chef.evaluate(model, recipe(data) if recipe else data, save_dir="results", **how)
    return len(model.asked), report


def test_of_data_with_a_row_more_that_row_is_asked() -> None:
    number, before = asked_of(SUMS)
    assert number == 5
    assert asked_of(SUMS)[0] == 0
    number, report = asked_of(MORE)
    assert (number, report.coverage.scored) == (1, 6)
    environment = json.loads((report.folder / "environment.json").read_text())
    assert environment["taken_answers"] == {"from": str(before.folder), "answers": 5}
    assert chef.load_run(before.folder).predictions[-1].sample_id == "5"  # it stays as it was
    changed = [{**MORE[0], "question": "What is 0+1?"}, *MORE[1:]]
    assert asked_of(changed)[0] == 1
    assert asked_of(MORE[1:])[0] == 5  # without ids, a row is known by its number


def test_answers_are_taken_where_everything_else_is_the_same() -> None:
    asked_of(SUMS)
    assert asked_of(SUMS, name="again")[0] == 5  # another name asks all
    assert asked_of(MORE, name="again")[0] == 1
    assert asked_of(MORE, fresh=True)[0] == 6

    def shorter(data: Any) -> dict[str, Any]:
        inferencer = {"inferencer_type": "Direct", "max_new_tokens": 3}
        return {
            "scenario_cfg": {"dataset_name": "Records", "path": data},
            "eval_cfg": {"inferencer_cfg": inferencer},
        }

    assert asked_of([*MORE, SUMS[0]], recipe=shorter)[0] == 7
