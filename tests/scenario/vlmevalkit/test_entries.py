"""Every entry of the table of benchmarks, on drawn rows in its columns, among malformed ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from scenario.vlmevalkit.test_families import FAMILIES, JUDGED

from chef.errors import SampleError
from chef.scenario import SCENARIOS
from chef.scenario.vlmevalkit.table import entry, registered_name, table

Put = Callable[..., Path]
#: Drawn rows for each family.
ROWS = {entry(name).benchmark.family: rows for name, rows, *_ in [*FAMILIES, *JUDGED]}
#: What is wrong with a row, where its family has such a column, and what its error says.
MALFORMED = (
    ({"index": ""}, "the id is missing"),
    ({"index": "image", "image": "nowhere"}, "no valid row has that index"),
    ({"index": "base64", "image": "a picture, in words" * 10}, "is not base64"),
    ({"index": "asked", "question": " "}, "question"),
    ({"index": "answer", "answer": "zebra"}, "zebra"),
)


def breaks(family: str, column: str) -> bool:
    """Whether a wrong cell of a column makes a row of a family unusable."""
    about = table().families[family]
    if column == "question":
        return about.layout != "picture"
    return column != "answer" or about.kind in {"mcq", "yesno"} or about.kind == "turns"


@pytest.mark.parametrize("name", table().benchmarks)
def test_an_entry(put: Put, name: str) -> None:
    known = entry(name)
    good = ROWS[known.benchmark.family]()
    wrong = [
        ({**good[0], **cells}, words)
        for cells, words in MALFORMED
        if breaks(known.benchmark.family, [*cells][-1])
    ]
    put(name, [*good, *(row for row, _ in wrong)])
    scenario = SCENARIOS.get(registered_name(name))(check_md5=False)  # type: ignore[call-arg]
    assert (scenario.wording, scenario.name) == (known.family.wording, name)
    assert scenario.metric in {known.family.metric, "MMBenchVQA"}
    assert len(scenario) == len(good) + len(wrong)
    for index, row in enumerate(good):
        sample = scenario[index]
        assert sample.id == row["index"] == scenario.sample_id(index)
        assert sample.images
        assert sample.answer not in (None, "")
        asked = row["question"].split("<")[0].strip() if "question" in row else ""
        assert known.family.layout in {"picture", "turns"} or asked in sample.question
        if known.family.kind == "mcq" and row.get("A") and known.family.layout != "natural":
            assert sample.fields["choices"] == [row[label] for label in "ABCD"]
            assert sample.options[sample.fields["gt_choice"]] == row["answer"]
    for index, (_, words) in enumerate(wrong, len(good)):
        with pytest.raises(SampleError, match=words):
            scenario[index]
    assert len({scenario.sample_id(index) for index in range(len(scenario))}) == len(scenario)
