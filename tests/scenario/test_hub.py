"""Data sets in the schemas of the hub, saved by the test and read back undecoded."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import PIL.Image
import pytest

from chef.config import load_recipe
from chef.errors import ConfigError, DataError
from chef.scenario.records.listed import SCHEMAS, Listed, read_hub
from chef.scenario.scienceqa import ScienceQA
from chef.scenario.seedbench import SEEDBench, SEEDBench2
from chef.scenario.yes_no import MME, PopePopular, PopeRandom

Save = Callable[..., str]


def jpeg(color: str) -> bytes:
    stream = io.BytesIO()
    PIL.Image.new("RGB", (8, 6), color).save(stream, "JPEG")
    return stream.getvalue()


RED, BLUE = jpeg("red"), jpeg("blue")


@pytest.fixture(params=["saved", "splits", "parquet"])
def save(request: pytest.FixtureRequest, tmp_path: Path) -> Save:
    """Saves rows as a data set, in each form that a local folder may have."""

    def save(rows: list[dict[str, Any]], image: Any = None) -> str:
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        made = datasets.Dataset.from_dict(columns).cast_column("image", image or datasets.Image())
        folder = tmp_path / "set"
        if request.param == "saved":
            made.save_to_disk(folder)
        elif request.param == "splits":
            datasets.DatasetDict({"test": made}).save_to_disk(folder)
        else:
            (folder / "data").mkdir(parents=True)
            made.to_parquet(folder / "data" / "test-00000-of-00001.parquet")
        return str(folder)

    return save


def cell(content: bytes | None) -> dict[str, Any] | None:
    return None if content is None else {"bytes": content, "path": None}


SCIENCE = [
    {"image": cell(image), "question": f"Which {n}?", "choices": ["cat", "dog", "owl"][:size],
     "answer": 1, "hint": hint, "grade": "grade 2"}
    for n, (image, size, hint) in enumerate([(RED, 2, ""), (None, 3, ""), (BLUE, 3, "Look.")])
]  # fmt: skip


def test_scienceqa_from_the_hub_reads_as_from_its_files(save: Save) -> None:
    found = ScienceQA(base_data_path=save(SCIENCE), source="hub")
    assert [found.sample_id(n) for n in range(len(found))] == ["0", "2"]  # 1 has no picture
    first, second = found[0], found[1]
    assert first.question == "Question: Which 0?\nOptions: (A) cat (B) dog"
    assert first.options == ("(A", "(B")
    assert second.options == ("(A", "(B", "(C")
    assert first.fields["gt_choice"] == 1
    assert first.fields["grade"] == "grade 2"  # by which it is grouped; other columns are optional
    assert "subject" not in first.fields
    assert first.answer == "(B)"
    assert second.images[0].source == BLUE  # the very bytes
    assert second.images[0].load().size == (8, 6)


def test_pope_from_the_hub_has_one_category(save: Save) -> None:
    rows = [
        {"id": str(n), "question_id": str(n), "question": f"Is there a {n}?", "answer": answer,
         "category": category, "image": cell(RED)}
        for n, (answer, category) in enumerate([("yes", "random"), ("no", "popular")])
    ]  # fmt: skip
    path = save(rows)
    (sample,) = PopePopular(base_data_path=path, source="hub")
    assert (sample.id, sample.question, sample.answer) == ("1", "Is there a 1?", "no")
    assert sample.options == ("Yes", "No")
    assert sample.fields["gt_choice"] == 1
    assert len(PopeRandom(base_data_path=path, source="hub")) == 1


def test_seedbench_from_the_hub_takes_its_image_questions(save: Save) -> None:
    row = {f"choice_{letter}": f"text {letter}" for letter in "abcd"}
    rows = [
        {**row, "answer": "C", "data_id": "x", "data_type": kind, "question": "What?",
         "question_id": str(n), "question_type_id": 4, "image": [cell(RED)]}
        for n, kind in enumerate(["image", "video"])
    ]  # fmt: skip
    path = save(rows, datasets.List(datasets.Image()))
    (sample,) = SEEDBench(base_data_path=path, source="hub")
    assert sample.options == ("text a", "text b", "text c", "text d")
    assert (sample.id, sample.answer, sample.fields["gt_choice"]) == ("0", "text c", 2)
    assert [image.source for image in sample.images] == [RED]


def test_mme_from_the_hub_has_the_ids_of_its_files(save: Save) -> None:
    rows = [
        {"question_id": f"{category}/{name}.png", "category": category, "image": cell(RED),
         "question": f"Is it {answer}? Please answer yes or no.", "answer": answer}
        for category, name in (("artwork", "7"), ("color", "000002"), ("color", "000001"))
        for answer in ("Yes", "No")
    ]  # fmt: skip
    found = MME(base_data_path=save(rows), source="hub")
    assert [found.sample_id(n) for n in range(6)] == [
        "color/000001-1", "color/000001-2", "color/000002-1", "color/000002-2",
        "artwork/7-1", "artwork/7-2",
    ]  # fmt: skip
    assert found.group(0) == found.group(1) != found.group(2)
    second = found[1]
    assert (second.answer, second.fields["task_type"]) == ("No", "color")
    assert second.question == "Is it No? Please answer yes or no."
    assert second.fields["image_path"] == "color/000001.png"
    assert second.images[0].source == RED


def test_other_content_has_another_fingerprint(save: Save, tmp_path: Path) -> None:
    path = save(SCIENCE)
    before = read_hub(path, SCHEMAS["ScienceQA"]).fingerprint
    assert read_hub(path, SCHEMAS["ScienceQA"]).fingerprint == before
    Path(path).rename(tmp_path / "before")
    assert read_hub(save(SCIENCE[:2]), SCHEMAS["ScienceQA"]).fingerprint != before


def test_a_revision_is_asked_for_and_names_the_content(
    save: Save, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = datasets.DatasetDict({"test": read_split(save(SCIENCE))})
    asked: list[tuple[Any, ...]] = []
    commit = "abc"

    def load_dataset(name: str, config: Any, *, split: str, revision: Any) -> Any:
        asked.append((name, config, split, revision))
        found = whole[split]
        found.info.download_checksums = {f"hf://datasets/{name}@{commit}/data/test.parquet": {}}
        return found

    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    first = read_hub("owner/name@v1", SCHEMAS["ScienceQA"])
    assert asked == [("owner/name", None, "test", "v1")]
    assert len(first.records) == 2
    assert read_hub("owner/name@v1", SCHEMAS["ScienceQA"]).fingerprint == first.fingerprint
    commit = "def"
    assert read_hub("owner/name@v1", SCHEMAS["ScienceQA"]).fingerprint != first.fingerprint


def read_split(path: str) -> Any:
    if list(Path(path).rglob("*.parquet")):
        return datasets.Dataset.from_parquet([str(file) for file in Path(path).rglob("*.parquet")])
    found = datasets.load_from_disk(path)
    return found["test"] if isinstance(found, datasets.DatasetDict) else found


def test_a_missing_column_is_named(save: Save) -> None:
    rows = [{"image": cell(RED), "question": "?", "answer": 0}]
    found = ScienceQA(base_data_path=save(rows), source="hub")
    with pytest.raises(DataError, match="has no column hint, choices") as error:
        len(found)
    assert "derek-thomas/ScienceQA" in str(error.value)


def test_offline_and_empty_folders_are_said(tmp_path: Path) -> None:
    for path in ("owner/nowhere", str(tmp_path)):
        with pytest.raises(DataError, match="cannot be loaded as a data set") as error:
            read_hub(path, SCHEMAS["ScienceQA"])
        assert path in str(error.value)


def test_scenarios_without_a_schema_and_corrupted_data_are_refused() -> None:
    with pytest.raises(ConfigError, match="no data set of the hub is known for SEEDBench2"):
        SEEDBench2(base_data_path="x", source="hub")
    with pytest.raises(ConfigError, match="corrupted data"):
        ScienceQA(base_data_path="x", source="hub", img_crp=True)


def test_a_recipe_names_the_source(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text(
        "scenario_cfg: {dataset_name: ScienceQA, base_data_path: owner/name, source: hub}\n"
        "eval_cfg: {inferencer_cfg: {inferencer_type: PPL}}\n"
    )
    scenario = load_recipe(tmp_path / "r.yaml").scenario.build()
    assert isinstance(scenario, Listed)
