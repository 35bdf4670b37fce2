"""Contents of pages: their numbers against results.json and an own count of scores.jsonl."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from msgspec import structs
from report.page.reading_pages import COLOURS, HOSTILE, SHAPES, lines, opened, table, texts

import chef
from chef.metric.coverage import Coverage, StoppedEarly
from chef.metric.groups import Group
from chef.report.page.content import Cards, Cell, Headline, PageContent, Plot, Table, Words
from chef.report.page.figures import against_chance, headline
from chef.report.page.opened import OpenedRun
from chef.report.page.run import run_page
from chef.stats.estimate import Estimate

COLORS = ["red", "blue", "green", "pink"]  # the options of every question


def content_of(folder: Path) -> PageContent:
    return run_page(opened(folder), "now")


def plot(content: PageContent, beginning: str) -> Plot:
    return next(
        item
        for item in content.sections
        if isinstance(item, Plot) and item.title.startswith(beginning)
    )


def headline_of(content: PageContent) -> Headline:
    return next(item for item in content.sections if isinstance(item, Headline))


def shown_by(content: PageContent, chosen: dict[str, str]) -> int:
    """How many rows a filter of fields and verdicts of the only run leaves."""
    return sum(
        all(
            (row.runs[0] is not None and row.runs[0].verdict == value)
            if key == "verdict"
            else row.fields.get(key) == value
            for key, value in chosen.items()
        )
        for row in content.rows
    )


def test_figures_are_those_of_the_results_file(made: Callable[..., Path]) -> None:
    folder = made()
    results = json.loads((folder / "results.json").read_text())
    content = content_of(folder)
    rows = {row[0]: row for row in texts(table(content, "Figures"))}
    assert rows.keys() == results["metrics"].keys() - {"ACC"}  # which is the headline
    item, found = results["metrics"]["ACC"], headline_of(content)
    assert (found.title, found.value) == ("ACC", f"{item['value']:.1f}%")
    assert found.interval == f"[{item['low']:.1f}, {item['high']:.1f}]"
    assert found.bar == pytest.approx([item[end] / 100 for end in ("low", "value", "high")])
    assert (found.finding, found.tone) == ("not above guessing, 25.0%", "")
    assert found.chance == 0.25
    assert "All 24 samples are scored." in found.paragraphs
    item = results["metrics"]["match_ratio"]
    value, spread, n, coverage = rows["match_ratio"][1:]
    assert value == f"{item['value']:.1f}%"
    assert spread == f"[{item['low']:.1f}, {item['high']:.1f}]"
    assert (n, coverage) == ("24", "100.0%")


@pytest.mark.parametrize(
    ("ends", "finding", "tone"),
    [
        ((30.0, 60.0), "above guessing, 25.0%", "good"),
        ((25.0, 60.0), "not above guessing, 25.0%", ""),
        ((5.0, 20.0), "below guessing, 25.0%", "bad"),
        ((None, None), "guessing scores 25.0%", ""),
    ],
)
def test_colours_stand_only_for_what_the_interval_shows(
    ends: tuple[float | None, float | None], finding: str, tone: str
) -> None:
    low, high = ends
    item = Estimate(40.0, 30, low=low, high=high, unit="%")
    assert against_chance(item, 0.25) == (finding, tone)
    assert against_chance(item, None) == ("", "")


def test_the_weakest_groups_are_named_with_their_own_chance(made: Callable[..., Path]) -> None:
    run = opened(made())
    assert run.report
    whole = Estimate(60.0, 400, low=55.0, high=65.0, unit="%")

    def group(value: float, chance: float) -> Group:
        figure = Estimate(value, 100, low=value - 9, high=value + 9, unit="%")
        return Group({"ACC": figure}, Coverage(100, 100), random_accuracy=chance)

    def told(**groups: Group) -> str:
        report = structs.replace(run.report, metrics={"ACC": whole}, by={"category": groups})  # type: ignore[type-var]
        return next(text for text in headline(run, report).paragraphs if "category" in text)

    # 53 of 100 with two options is weaker than 40 of 100 with ten.
    found = told(yes_no=group(53.0, 0.5), many=group(40.0, 0.1), good=group(90.0, 0.25))
    assert found == "Weakest by category: many 40.0% [31.0, 49.0], guessing 10.0%."
    found = told(yes_no=group(53.0, 0.5), some=group(58.0, 0.25))
    assert found == (
        "No category is shown to be weaker than the whole; "
        "lowest is yes_no 53.0% [44.0, 62.0], guessing 50.0%."
    )


def test_typical_mistakes_are_wrong_and_of_several_groups(made: Callable[..., Path]) -> None:
    content = content_of(made())
    cards = next(item for item in content.sections if isinstance(item, Cards))
    rows = {row.id: row for row in content.rows}
    assert len(cards.ids) == len(set(cards.ids)) == 3
    assert {rows[name].runs[0].verdict for name in cards.ids} == {"wrong"}  # type: ignore[union-attr]
    assert {rows[name].fields["category"] for name in cards.ids} == {COLOURS, SHAPES}
    wrong = sum(row.runs[0].verdict == "wrong" for row in content.rows if row.runs[0])
    assert cards.all == f"All {wrong} as a gallery"


def test_the_list_agrees_with_an_own_count_of_the_scores(made: Callable[..., Path]) -> None:
    folder = made()
    content, scored = content_of(folder), lines(folder)
    right = sum(line["score"] == 1.0 for line in scored)
    assert 0 < right < 24
    assert Counter(row.runs[0].verdict for row in content.rows if row.runs[0]) == {
        "right": right,
        "wrong": 24 - right,
    }
    assert {row.id: row.truth for row in content.rows} == {
        line["id"]: f"{line['truth']} {line['true_option']}" for line in scored
    }
    answers = {row.id: row.runs[0].answer for row in content.rows if row.runs[0]}
    assert answers == {
        line["id"]: f"({'ABCD'[COLORS.index(line['chosen_option'])]}) {line['chosen_option']}"
        for line in scored
    }
    probabilities = {
        line["sample"]["id"]: max(line["scores"]["probs"])
        for line in map(json.loads, (folder / "predictions.jsonl").read_text().splitlines())
    }
    confidences = {row.id: row.runs[0].confidence for row in content.rows if row.runs[0]}
    assert confidences == pytest.approx(probabilities)


def test_cells_lead_to_as_many_samples_as_they_say(made: Callable[..., Path]) -> None:
    content = content_of(made())
    checked = 0
    for row in table(content, "ACC by category").rows:
        if isinstance(row[0], Cell) and row[0].filter:
            assert shown_by(content, dict(row[0].filter)) == int(texts(Table("", (), [row]))[0][3])
            checked += 1
    parts = headline_of(content).counts
    for part in parts:
        assert part.cell.filter is not None
        assert shown_by(content, dict(part.cell.filter)) == int(part.cell.text.split(" ")[0])
        assert part.share == pytest.approx(int(part.cell.text.split(" ")[0]) / 24)
    assert [part.name for part in parts] == ["right", "wrong"]
    assert sum(part.share for part in parts) == pytest.approx(1)
    assert checked == 2  # categories


def test_hostile_texts_reach_drawings_escaped_and_tables_as_they_are(
    made: Callable[..., Path],
) -> None:
    content = content_of(made())
    assert texts(table(content, "ACC by category"))[0][0] == COLOURS
    assert {row.fields["category"] for row in content.rows} == {COLOURS, SHAPES}
    drawn = [item for item in content.sections if isinstance(item, Plot)]
    assert len(drawn) == 3
    for item in drawn:
        assert "<script" not in item.svg
        ET.fromstring(item.svg)
    assert COLOURS in plot(content, "ACC by category").text


def test_the_confusion_matrix_counts_letters(made: Callable[..., Path]) -> None:
    folder = made()
    letter = dict(zip(["red", "blue", "green", "pink"], "ABCD", strict=True))
    counts = Counter(
        (letter[str(line["true_option"])], letter[str(line["chosen_option"])])
        for line in lines(folder)
    )
    told = plot(content_of(folder), "Option letters").text.split("; ")
    assert {tuple(item.partition(": ")[0].split(", ")): int(item[-1]) for item in told} == {
        (right, chosen): counts[right, chosen] for right in "ABCD" for chosen in "ABCD"
    }


def test_the_reliability_diagram_has_bins_of_all_answers(made: Callable[..., Path]) -> None:
    folder = made()
    found = re.findall(
        r"confidence ([\d.]+)%: ([\d.]+)% right [^;]*n=(\d+)",
        plot(content_of(folder), "Reliability").text,
    )
    # Ten bins of 24 answers, sorted by confidence: four of three, and six of two.
    assert [int(n) for _, _, n in found] == [3] * 4 + [2] * 6
    right = {str(line["id"]): line["score"] for line in lines(folder)}
    known = sorted(
        (line["scores"]["prob"], right[line["sample"]["id"]])
        for line in map(json.loads, (folder / "predictions.jsonl").read_text().splitlines())
    )
    lowest = known[:3]
    assert float(found[0][0]) == pytest.approx(100 * sum(p for p, _ in lowest) / 3, abs=0.06)
    assert float(found[0][1]) == pytest.approx(100 * sum(r for _, r in lowest) / 3, abs=0.06)


def test_errors_stand_by_cause_with_their_remedy(made: Callable[..., Path]) -> None:
    folder = made(broken="Question 7?")
    content = content_of(folder)
    ((number, cause, _, remedy, ids),) = texts(table(content, "Errors by cause"))
    assert number == "1"
    assert "cannot digest" in cause
    assert remedy
    assert ids == f"{HOSTILE}7"
    cell = table(content, "Errors by cause").rows[0][1]
    assert isinstance(cell, Cell)
    assert cell.filter
    assert shown_by(content, dict(cell.filter)) == 1
    assert shown_by(content, {"verdict": "error"}) == 1
    assert texts(table(content, "Coverage"))[0] == ["scored", "23 (95.8%)"]


def test_a_run_without_scores_has_a_page_that_says_so(
    made: Callable[..., Path], tmp_path: Path
) -> None:
    source = made()
    folder = tmp_path / "m" / "s" / "r-t"
    folder.mkdir(parents=True)
    for name in ("config.yaml", "environment.json"):
        (folder / name).write_bytes((source / name).read_bytes())
    journal = (source / "predictions.jsonl").read_text().splitlines(keepends=True)
    (folder / "predictions.jsonl").write_text("".join(journal[:5]))
    content = content_of(folder)
    words = next(item for item in content.sections if isinstance(item, Words))
    assert "no scores yet" in words.paragraphs[0]
    assert "5 answers, not scored" in content.subtitle
    assert {row.runs[0].verdict for row in content.rows if row.runs[0]} == {"unscored"}
    assert not any(isinstance(item, Table) and item.title == "Figures" for item in content.sections)
    (folder / "predictions.jsonl").write_text("")
    assert run_page(opened(folder), "now").rows == []


def test_how_it_was_made_is_collapsed_and_complete(made: Callable[..., Path]) -> None:
    made_by = table(content_of(made()), "How it was made: the configuration")
    assert made_by.is_collapsed
    keys = {row[0]: row[1] for row in texts(made_by)}
    assert keys["recipe_cfg.eval_cfg.inferencer_cfg.inferencer_type"] == "PPL"
    assert keys["run.seed"] == "0"


def test_a_run_that_stopped_early_says_so_first(made: Callable[..., Path]) -> None:
    run = opened(made())
    assert run.report
    stopped = StoppedEarly(24, 500, 6.0, True, "ACC", 5.93)
    run.__dict__["_scores"] = structs.replace(run.report, stopped=stopped), ""
    content = run_page(run, "now")
    first = content.sections[0]
    assert isinstance(first, Words)
    assert "24 of 500" in first.paragraphs[0]
    assert "±5.93 points" in first.paragraphs[0]
    assert "the benchmark has 500" in content.subtitle


def test_answers_that_are_no_options_have_no_letters(made: Callable[..., Path]) -> None:
    run = opened(made("Direct"))
    assert run.reads_options
    name, *_ = run.views.predictions
    run.views.__dict__["entries"] = {
        key: {**entry, "parsed": "a caption"} if key == name else entry
        for key, entry in run.views.entries.items()
    }
    fresh = OpenedRun("r", run.views)
    assert not fresh.reads_options
    content = run_page(fresh, "now")
    titles = [item.title for item in content.sections]
    assert not any(title.startswith("Option letters") for title in titles)
    assert not {"right option", "chosen option"} & {key for r in content.rows for key in r.fields}
    assert run.views.of(name).answers[0].options == []


def test_scores_of_later_calls_stand_on_the_page(made: Callable[..., Path]) -> None:
    folder = made("Direct")
    report = chef.score(folder, "VQA")
    content = content_of(folder)
    title = f"Figures by VQA ({report.file.name})"
    rows = {row[0]: row[1] for row in texts(table(content, title))}
    assert rows["ACC"] == f"{report.metrics['ACC'].value:.1f}%"
    assert texts(table(content, "Figures")) != []
