"""Names that stand for several benchmarks: asked together, with figures for each and for all."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lmu_data import choice_row, rotations

from chef.cli import main
from chef.errors import ChefError
from chef.metric.vqa.vqa import MMBenchVQA
from chef.scenario import SCENARIOS
from chef.scenario.vlmevalkit.table import table
from chef.types import Prediction, Status

Put = Callable[..., Path]
LANGUAGES = ("ar", "cn", "en", "pt", "ru", "tr")


def scenario_of(name: str, **keys: Any) -> Any:
    return SCENARIOS.get(name)(check_md5=False, **keys)  # type: ignore[call-arg]


@pytest.mark.parametrize("name", table().joined)
def test_it_is_the_rows_of_its_parts(put: Put, name: str) -> None:
    parts = table().joined[name]
    assert [part.rpartition("_")[2] for part in parts] == [*LANGUAGES]
    for number, part in enumerate(parts):
        put(part, [row for item in range(number + 1) for row in rotations(item)])
    scenario = scenario_of(name)
    alone = {part: scenario_of(part) for part in parts}
    wanted = [(part, base, place) for part, base in alone.items() for place in range(len(base))]
    assert len(scenario) == len(wanted)
    assert scenario.metric == "MMBenchVQA"
    for index, (part, base, place) in enumerate(wanted):
        sample, own = scenario[index], base[place]
        assert sample.id == scenario.sample_id(index) == f"{part}/{own.id}"
        assert (sample.question, sample.options, sample.answer) == (
            own.question, own.options, own.answer,
        )  # fmt: skip
        assert sample.fields["split"] == part
        assert sample.fields["circular_group"] == scenario.group(index)
    assert [item.id for item in scenario.outlines()] == [
        scenario.sample_id(index) for index in range(len(scenario))
    ]
    assert {*scenario.row_digests()} == {item.id for item in scenario.outlines()}
    assert len({scenario.group(index) for index in range(len(scenario))}) == 1 + 2 + 3 + 4 + 5 + 6


def test_one_question_in_two_languages_is_two_questions(put: Put) -> None:
    for language in LANGUAGES:
        put(f"MMMB_{language}", rotations(0))
    scenario = scenario_of("MMMB")
    answers = []
    for index in range(len(scenario)):
        sample = scenario[index]
        # Wrong is one rotation of the English question.
        said = "I cannot say." if sample.id == "MMMB_en/1000000" else str(sample.answer)
        record = {"id": sample.id, **sample.fields, "gt_answers": sample.answer}
        answers.append(Prediction(sample.id, Status.OK, answer=said, sample=record))
    assert sum(answer.answer == "I cannot say." for answer in answers) == 1
    report = MMBenchVQA().evaluate(answers)
    values = {name: item.value for name, item in report.metrics.items()}
    assert values["circular_acc"] == pytest.approx(100 * 5 / 6)
    assert values["vanilla_acc"] == 100


def test_a_part_of_it(put: Put) -> None:
    for language in LANGUAGES:
        put(f"MMMB_{language}", [choice_row(number) for number in range(2)])
    assert len(scenario_of("MMMB", split="MMMB_ru")) == 2
    assert scenario_of("MMMB").random_accuracy == scenario_of("MMMB_ru").random_accuracy
    with pytest.raises(ChefError, match="no part 'MMMB_ur'") as raised:
        scenario_of("MMMB", split="MMMB_ur")
    assert "MMMB_" in str(raised.value.hint)


def test_a_missing_part_is_named(put: Put) -> None:
    put("MMMB_ar", [choice_row(1)])
    with pytest.raises(ChefError, match=r"MMMB_cn\.tsv"):
        scenario_of("MMMB")


def test_it_is_run_by_its_name(put: Put, tmp_path: Path, capsys: Any) -> None:
    for language in LANGUAGES:
        put(f"MMMB_{language}", [choice_row(number) for number in range(2)])
    run = ["eval", "tiny", "mmmb", "scenario_cfg.check_md5=false", "--by", "split"]
    short = "eval_cfg.inferencer_cfg.max_new_tokens=4"
    assert main([*run, short, "--save_dir", str(tmp_path / "out"), "--time", "now"]) == 0
    shown = capsys.readouterr().out
    assert all(f"MMMB_{language}" in shown for language in LANGUAGES)
    assert "12 of 12 samples" in shown


def test_a_file_has_the_figures_that_it_has_alone(put: Put, tmp_path: Path, capsys: Any) -> None:
    """By VLMEvalKit's own rules, too: rotations count as one question within their file."""
    for number, language in enumerate(LANGUAGES):
        put(
            f"MMBench_dev_{language}",
            [row for item in range(2) for row in rotations(item + number)],
        )
    rules = ["compat=vlmevalkit", "scenario_cfg.check_md5=false"]
    short = "eval_cfg.inferencer_cfg.max_new_tokens=4"
    found = {}
    for name in ("MTL_MMBench_DEV", "MMBench_dev_ru"):
        run = ["eval", "tiny", name, *rules, short, "--save_dir", str(tmp_path / name)]
        assert main([*run, "--time", "now"]) == 0
        (file,) = (tmp_path / name).rglob("results.json")
        found[name] = json.loads(file.read_text())["metrics"]
    together = found["MTL_MMBench_DEV"]
    whole, alone = together["MMBench_dev_ru/Overall"], found["MMBench_dev_ru"]["Overall"]
    assert (whole["value"], whole["n"]) == (alone["value"], alone["n"]) == (alone["value"], 2)
    parts = [together[f"MMBench_dev_{language}/Overall"]["value"] for language in LANGUAGES]
    assert together["Overall"]["value"] == pytest.approx(sum(parts) / 6)
    assert len({*parts}) > 1
    capsys.readouterr()
