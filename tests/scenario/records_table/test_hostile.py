"""Whatever the cells hold, a row is a sample or one recorded error, and nothing else is raised."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chef.errors import ConfigError, DataError, SampleError
from chef.scenario.table.json_tables import JsonScanner
from chef.scenario.table.scenario import Records
from chef.types import Sample

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        ["A", "(B)", "yes", "no", "0", "1", "[", "['a', 'b']", "['a' 'b']", '["a"]', "{}", "data:,",
         "http://", "/dev/zero", "\0", "iVBORw0KGgo" * 9, "__import__('os')", "x" * 2000]
    ),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.text(max_size=3) | st.sampled_from(["bytes", "path", "label", "text", "answer"]),
        inner, max_size=3,
    ),
    max_leaves=6,
)  # fmt: skip
ROLES = ("question", "image", "options", "answer", "id", "hint", "category", "split")
ROWS = st.lists(st.dictionaries(st.sampled_from(ROLES), VALUES, max_size=8), min_size=1, max_size=5)


def check(path: Path, **keys: Any) -> None:
    try:
        scenario = Records(path=str(path), **keys)
    except (ConfigError, DataError):
        return
    ids = [scenario.sample_id(index) for index in range(len(scenario))]
    assert len(set(ids)) == len(ids)
    places: list[str] = []
    for index, name in enumerate(ids):
        try:
            sample = scenario[index]
        except SampleError as error:
            places.append(error.where or "")
            continue
        assert isinstance(sample, Sample)
        assert sample.id == name
        json.dumps(sample.to_record(), allow_nan=False)
    assert all(place.startswith(f"{path}: row ") for place in places)
    assert set(scenario.row_digests()) == set(ids)


@settings(max_examples=300, deadline=None)
@given(rows=ROWS, kind=st.sampled_from([None, "mcq", "yesno", "vqa", "caption"]))
def test_hostile_values(rows: list[dict[str, Any]], kind: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)))
        check(path, kind=kind)
        path = Path(folder) / "a.json"
        path.write_text(json.dumps(rows, indent=1))
        check(path, kind=kind, template="{hint}: {question} {category}")


@settings(max_examples=300, deadline=None)
@given(
    content=st.binary(max_size=60) | st.text('[]{}",:\\ \na1question', max_size=60).map(str.encode),
    suffix=st.sampled_from(["jsonl", "json", "csv", "tsv", "parquet", "arrow"]),
)
def test_hostile_files(content: bytes, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a.{suffix}"
        path.write_bytes(content)
        check(path, template="q")


@settings(max_examples=200)
@given(items=st.lists(VALUES, max_size=6), indent=st.sampled_from([None, 0, 2]))
def test_the_scanner_finds_what_json_finds(items: list[Any], indent: int | None) -> None:
    with tempfile.TemporaryFile() as file:
        file.write(json.dumps(items, indent=indent, ensure_ascii=False).encode("utf-8", "replace"))
        scanner = JsonScanner(file)
        found = [item.content for item in scanner.items(to_end=True)]
    again = [json.loads(content) for content in found]
    expected = json.loads(json.dumps(items, ensure_ascii=False).encode("utf-8", "replace"))
    assert json.dumps(again) == json.dumps(expected)


@pytest.mark.parametrize("chunk", [1, 2, 7])
def test_items_may_be_cut_anywhere(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    from chef.scenario.table import json_tables

    monkeypatch.setattr(json_tables, "CHUNK", chunk)
    items = [{"a": '\\"]'}, [1, [2]], "x", 5, None, {"é": {}}]
    content = ("\ufeff " + json.dumps(items, ensure_ascii=False)).encode()
    scanner = JsonScanner(io.BytesIO(content))
    found = list(scanner.items())
    assert [json.loads(item.content) for item in found] == items
    for item in found:
        assert content[item.offset : item.offset + len(item.content)] == item.content
