"""What `compat: vlmevalkit` computes, held against cases worked out from its description alone."""

from __future__ import annotations

from typing import Any

import pytest
from vlmevalkit_by_hand import tables
from vlmevalkit_by_hand.letters import LETTERS, OPTIONS, VANISHED
from vlmevalkit_by_hand.rotations import GROUPS
from vlmevalkit_by_hand.yes_no import YES_NO

from chef.errors import DataError
from chef.metric import METRICS
from chef.metric.vlmevalkit.table import accuracy_table
from chef.reading.options import extract_option
from chef.reading.rules.vlmevalkit import can_infer, yes_no
from chef.reading.verdicts import extract_verdict
from chef.scoring.answers import read_answers
from chef.types import Status

#: The reference does not say what is correct.
OPEN = "-"


@pytest.mark.parametrize(("answer", "options", "upstream", "corrected"), LETTERS)
def test_letters(answer, options, upstream, corrected):
    choices = OPTIONS[options]
    assert can_infer(answer, choices) == upstream
    if corrected != OPEN:
        place = extract_option(answer, list(choices.values()), list(choices)).value
        assert (None if place is None else list(choices)[place]) == corrected


@pytest.mark.parametrize(("answer", "texts", "right", "upstream", "corrected"), VANISHED)
def test_options_that_vanish(stored, answer, texts, right, upstream, corrected):
    row = {"index": 1, "question": "Which?", **dict(zip("ABCD", texts, strict=False))}
    predictions = stored([{**row, "answer": right, "prediction": answer}])
    for compat, label in (("vlmevalkit", upstream), ("corrected", corrected)):
        (entry,) = METRICS.get("Accuracy", compat=compat)().evaluate(predictions).samples
        if label != OPEN:
            assert entry["parsed"] == (None if label is None else "ABCD".index(label)), compat
            assert entry["metric_result"] == (label == right), compat


@pytest.mark.parametrize(("answer", "upstream", "corrected"), YES_NO)
def test_verdicts(answer, upstream, corrected):
    assert yes_no(answer) == (upstream or "Unknown")
    if corrected != OPEN:
        assert extract_verdict(answer).value == (corrected and corrected.lower())


def values(report) -> dict[str, float | None]:
    return {name: item.value for name, item in report.metrics.items()}


@pytest.fixture
def stored(tmp_path):
    """``stored(rows)``: the predictions of a table of VLMEvalKit, as ``chef score`` reads them."""

    def read(rows: list[dict[str, Any]]):
        file = tmp_path / "model_Data.tsv"
        columns = list(dict.fromkeys(key for row in rows for key in row))
        lines = ["\t".join(columns)]
        lines += ["\t".join(str(row.get(key, "")) for key in columns) for row in rows]
        file.write_text("\n".join(lines) + "\n", "utf-8")
        return read_answers(file)

    return read


def scores(name: str, predictions, *, dataset: str = "", compat: str = "vlmevalkit"):
    metric = METRICS.get(name, compat=compat)(dataset)
    return values(metric.evaluate(predictions))


TEXTS = ("cat", "dog", "bird", "horse")


@pytest.mark.parametrize("name", GROUPS)
def test_groups_of_rotations(stored, name):
    rows, size, upstream, corrected = GROUPS[name]
    table = []
    for place, (index, group, reference, answer) in enumerate(rows):
        number = place if group is not None else index // 1_000_000
        texts = [TEXTS[:size][(number + label) % size] for label in range(size)]
        given = {} if group is None else {"g_index": group}
        table.append(
            {
                "index": index, **given, "question": "Which one?",
                **dict(zip("ABCD", texts, strict=False)), "answer": reference, "prediction": answer,
            }
        )  # fmt: skip
    found = scores("Accuracy", stored(table), dataset="MMBench_DEV_EN")
    assert found["Overall"] == (None if upstream is None else float(upstream))
    found = scores("MMBenchVQA", stored(table), compat="corrected")
    assert found["circular_acc"] == (None if corrected is None else 100.0 * corrected)
    assert found["incomplete_groups"] == (corrected is None)


def asked(rows) -> list[dict[str, Any]]:
    return [
        {"index": index, "question": "Is it?", **row, "answer": row["answer"]}
        for index, row in enumerate(rows)
    ]


def yes_no_rows(rows, columns=("category", "answer", "prediction")):
    return asked([dict(zip(columns, row, strict=True)) for row in rows])


@pytest.mark.parametrize("name", tables.MME)
def test_mme(stored, name):
    rows, expected = tables.MME[name]
    columns = ("category", "image_path", "answer", "prediction")
    predictions = stored(yes_no_rows(rows, columns))
    found = scores("MMEVQA", predictions)
    for key, value in expected.items():
        wanted = sum(value) if isinstance(value, tuple) else value
        assert found[key] == pytest.approx(wanted), key
    corrected = scores("MMEVQA", predictions, compat="corrected")
    for key, value in expected.items():
        if isinstance(value, tuple):
            assert (corrected[key], corrected[f"{key}_plus"]) == pytest.approx(value), key


@pytest.mark.parametrize("name", tables.HALLUSION)
@pytest.mark.parametrize("compat", ["vlmevalkit", "corrected"])
def test_hallusionbench(stored, name, compat):
    rows, expected = tables.HALLUSION[name]
    columns = ("index", "l2-category", "category", "answer", "prediction")
    predictions = stored(yes_no_rows(rows, columns))
    found = scores("HallusionBench", predictions, compat=compat)
    assert tuple(found[key] for key in ("aAcc", "fAcc", "qAcc")) == pytest.approx(expected)


@pytest.mark.parametrize("name", tables.POPE)
def test_pope(stored, name):
    rows, upstream, corrected = tables.POPE[name]
    predictions = stored(yes_no_rows(rows))
    found = scores("POPE_Metric", predictions)
    for split, figures in upstream.items():
        prefix = "" if split == "Overall" else f"{split}/"
        keys = ("Overall", "acc", "precision", "recall")
        assert tuple(found[prefix + key] for key in keys) == pytest.approx(figures), split
    found = scores("POPE_Metric", predictions, compat="corrected")
    for split, figures in (corrected or {}).items():
        prefix = "" if split == "Overall" else f"{split}/"
        keys = ("F1 score", "Accuracy", "Precision", "Recall")
        assert tuple(100 * found[prefix + key] for key in keys) == pytest.approx(figures), split


@pytest.mark.parametrize("name", tables.AMBER)
@pytest.mark.parametrize("compat", ["vlmevalkit", "corrected"])
def test_amber(stored, name, compat):
    rows, expected = tables.AMBER[name]
    found = scores("AMBER", stored(yes_no_rows(rows)), compat=compat)
    assert {key: found[key] for key in expected} == pytest.approx(expected)


@pytest.mark.parametrize("name", tables.VSR)
def test_vsr(stored, name):
    rows, expected = tables.VSR[name]
    predictions = stored(yes_no_rows(rows))
    found = scores("YesNo", predictions, dataset="VSR-zeroshot")
    found["f1"] = found["f1_score"]
    assert {key: found[key] for key in expected} == pytest.approx(expected)
    own = scores("YesNo", predictions, compat="corrected")
    keys = {"precision": "Precision", "recall": "Recall", "acc": "Accuracy"}
    assert {key: 100 * own[name] for key, name in keys.items()} == pytest.approx(
        {key: expected[key] for key in keys}
    )
    assert own["F1 score"] == pytest.approx(expected["f1"])


def hits(rows, columns=("split", "l2-category", "category", "metric_result")):
    records = [dict(zip(columns, row, strict=True)) for row in rows]
    return [{key: item for key, item in row.items() if item is not None} for row in records]


@pytest.mark.parametrize("name", tables.SCORES)
def test_the_table_of_scores(name):
    rows, expected = tables.SCORES[name]
    found = {line["split"]: line for line in accuracy_table(hits(rows), dataset_name="MMBench")}
    assert sorted(found) == sorted(expected)
    for split, line in expected.items():
        assert {key: found[split][key] for key in line} == pytest.approx(line)


def test_one_name_of_two_columns():
    (line,) = accuracy_table(hits(tables.SAME_NAME))
    assert line == {"split": "dev", "Overall": 2 / 3, "logic": 1.0, "more": 1.0, "other": 0.0}


def test_the_row_all_of_mmt_bench():
    rows, expected = tables.MMT
    found = accuracy_table(hits(rows), dataset_name="MMT-Bench_ALL")
    assert [line["split"] for line in found] == ["TEST", "VAL", "ALL"]
    assert {key: found[-1][key] for key in expected} == pytest.approx(expected)
    assert found[1]["L1"] == 0.75  # within a split, the mean of its rows
    assert len(accuracy_table(hits(rows), dataset_name="SEEDBench_IMG")) == 2


def test_the_settings_of_mmsci():
    rows, expected = tables.MMSCI
    (line,) = accuracy_table(hits(rows, ("setting", "metric_result")), dataset_name="MMSci_DEV_MCQ")
    assert {key: line[key] for key in expected} == pytest.approx(expected)


def choices_of(hits_by_index):
    return [
        {"index": index, "question": "Which?", "A": "cat", "B": "dog", "answer": "A",
         "prediction": "A" if hit else "B"}
        for index, hit in hits_by_index
    ]  # fmt: skip


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("name", tables.MMVP)
def test_mmvp(stored, name, first):
    rows, expected = tables.MMVP[name]
    predictions = stored(choices_of([(index - 1 + first, hit) for index, hit in rows]))
    found = scores("MMVP", predictions)
    assert (found["Overall"], found["incomplete_groups"]) == (expected, 0)
    found = scores("MMVP", predictions, compat="corrected")
    assert (found["pair_acc"], found["incomplete_groups"]) == (100 * expected, 0)
    # Without the last row, its pair is left out and counted.
    last = max(predictions, key=lambda one: int(one.sample_id))
    found = scores("MMVP", [one for one in predictions if one is not last], compat="corrected")
    assert found["incomplete_groups"] == 1
    first_pair = {index: hit for index, hit in rows if index < 3}
    assert found["pair_acc"] == 100 * all(first_pair.values())


@pytest.mark.parametrize("compat", ["vlmevalkit", "corrected"])
@pytest.mark.parametrize("name", tables.NATURAL)
def test_naturalbench(stored, name, compat):
    groups, expected = tables.NATURAL[name]
    rows = list(enumerate(hit for group in groups for hit in group))
    found = scores("NaturalBench", stored(choices_of(rows)), compat=compat)
    figures = tuple(found[key] for key in ("Q_Acc", "I_Acc", "G_Acc", "Acc"))
    assert figures == pytest.approx(expected)
    assert found["incomplete_groups"] == 0


def test_a_block_that_is_not_known_is_told(stored):
    rows = [{**row, "index": f"x{row['index']}"} for row in choices_of([(1, 1), (2, 1)])]
    with pytest.raises(DataError, match=r"sample 'x1'(.|\n)*the fields block and block_place"):
        scores("MMVP", stored(rows))


def test_a_row_that_could_not_be_made_does_not_stop_the_others(stored, make):
    predictions = [*stored(choices_of([(1, 1), (2, 1)])), make("row 3", None, Status.ERROR)]
    report = METRICS.get("MMVP")().evaluate(predictions, None, {"category": "category"})
    assert (report.metrics["pair_acc"].value, report.coverage.errors) == (100, 1)
