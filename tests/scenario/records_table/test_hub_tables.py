"""Data sets of the library `datasets`: saved, streamed, and as the hub gives them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import datasets
import pytest
from scenario.records_table.conftest import png

from chef.errors import ConfigError, DataError
from chef.scenario.table.scenario import Records

COLORS = ("red", "blue", "green", "black")
FEATURES = datasets.Features(
    {
        "question": datasets.Value("string"),
        "image": datasets.Image(),
        "choices": datasets.List(datasets.Value("string")),
        "answer": datasets.Value("int64"),
        "label": datasets.ClassLabel(names=["warm", "cold"]),
    }
)


def made(colors: tuple[str, ...] = COLORS) -> datasets.Dataset:
    rows = {
        "question": [f"Which {color}?" for color in colors],
        "image": [{"bytes": png(color), "path": None} for color in colors],
        "choices": [[color, "pink", "gray"] for color in colors],
        "answer": [0] * len(colors),
        "label": [int(color != "red") for color in colors],
    }
    return datasets.Dataset.from_dict(rows, FEATURES)


def check(scenario: Records, count: int = 4) -> None:
    assert (len(scenario), scenario.kind) == (count, "mcq")
    for index in (count - 1, 0, 1):
        sample = scenario[index]
        assert sample.question.startswith(f"Question: Which {COLORS[index]}?\nOptions:\n(A)")
        assert (sample.fields["gt_choice"], sample.answer) == (0, "(A)")
        assert sample.images[0].source == png(COLORS[index])  # the very bytes
        assert sample.fields["label"] == ("warm" if index == 0 else "cold")
    assert pickle.loads(pickle.dumps(scenario))[1].to_record() == scenario[1].to_record()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """In place of the hub: data sets with the splits test and train; what it was asked."""
    asked: list[Any] = []

    def load(name: str, config: Any = None, *, split: Any = None, revision: Any = None) -> Any:
        asked.append((name, config, split, revision))
        found = datasets.DatasetDict({"test": made(), "train": made(COLORS[:2])})
        if split is not None and split not in found:
            raise ValueError(f'Unknown split "{split}". Should be one of {list(found)}.')
        return found if split is None else found[split]

    monkeypatch.setattr(datasets, "load_dataset", load)
    return asked


def test_a_data_set_of_the_hub(hub: list[Any]) -> None:
    keys: dict[str, Any] = {"path": "owner/colors", "source": "hub", "keep": ["label"]}
    scenario = Records(**keys, split="test", revision="v2", config="all")
    assert hub == [("owner/colors", "all", "test", "v2")]
    assert scenario.name == "colors"
    check(scenario)
    assert (scenario.row_state(), scenario.row_digests()) == ("", {})
    assert scenario.fingerprint()
    with pytest.raises(ConfigError, match=r"has several splits(.|\n)*known: test, train"):
        Records(**keys)
    with pytest.raises(DataError, match="Unknown split"):
        Records(**keys, split="tset")


def test_a_saved_data_set(tmp_path: Path) -> None:
    made().save_to_disk(tmp_path / "one")
    datasets.DatasetDict({"test": made()}).save_to_disk(tmp_path / "split")
    before = sorted(tmp_path.rglob("*"))
    one = Records(path=str(tmp_path / "one"), keep=["label"])
    check(one)
    check(Records(path=str(tmp_path / "split"), source="hub", keep=["label"]))
    assert sorted(tmp_path.rglob("*")) == before  # nothing is written beside it
    made(COLORS[::-1]).save_to_disk(tmp_path / "other")
    assert Records(path=str(tmp_path / "other")).fingerprint() != one.fingerprint()
    with pytest.raises(ConfigError, match=r"no split 'tset'(.|\n)*did you mean 'test'"):
        Records(path=str(tmp_path / "split"), split="tset")


def test_a_stream_is_read_as_far_as_it_is_needed(tmp_path: Path) -> None:
    folder = tmp_path / "colors"
    folder.mkdir()
    made().to_parquet(folder / "test.parquet")
    keys: dict[str, Any] = {"path": str(folder), "source": "hub", "streaming": True}
    scenario = Records(**keys, split="test", rows=4, keep=["label"])
    check(scenario)
    assert scenario.fingerprint()
    assert len(Records(**keys, split="test", rows=3)) == 3
    with pytest.raises(ConfigError, match=r"does not say how many rows(.|\n)*rows: 500"):
        Records(**keys, split="test")
    with pytest.raises(ConfigError, match="rows of a stream cannot be chosen"):
        Records(**keys, split="test", rows=4, where={"answer": 0})
    with pytest.raises(ConfigError, match="did you mean 'test'"):
        Records(**keys, split="tset", rows=4)


def test_the_ids_of_a_stream_are_the_numbers_of_its_rows(tmp_path: Path) -> None:
    rows = {"id": [f"q{n}" for n in range(40)], "question": ["q"] * 40, "answer": ["yes"] * 40}
    datasets.Dataset.from_dict(rows).to_parquet(tmp_path / "test.parquet")
    keys: dict[str, Any] = {"path": str(tmp_path), "source": "hub", "streaming": True, "rows": 40}
    scenario = Records(**keys)
    assert [scenario[index].id for index in (39, 0)] == ["40", "1"]
    assert (scenario.kind, len(scenario)) == ("yesno", 40)
    with pytest.raises(ConfigError, match="the ids of a stream are not known"):
        Records(**keys, columns={"id": "id"})


def test_what_cannot_be_loaded_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="owner/none: cannot be loaded as a data set"):
        Records(path="owner/none", source="hub")
    with pytest.raises(ConfigError, match="set source: hub"):
        Records(path="owner/none", streaming=True)


def test_a_name_of_the_hub_without_the_key_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="source: hub"):
        Records(path="owner/none")
