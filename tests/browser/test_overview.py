"""The overview of many runs in a browser: its matrix, comparisons, and samples of all runs."""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from runs_by_hand import outcomes, prediction, write_run

import chef
from chef.run.answers import encode
from chef.suite.pages.served import Served
from chef.suite.pages.server import PageServer

#: What three models answered to the same six questions.
ANSWERS = {"one": "RRWWRR", "two": "RRRRRW", "three": "WRWWWE"}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("many") / "results"
    for model, answers in ANSWERS.items():
        write_run(folder, outcomes(answers), model=model)
    write_run(folder, outcomes("RRW"), model="one", name="ppl-2")
    write_run(folder, outcomes("RW", prefix="p"), model="two", name="other-1")
    return folder


@pytest.fixture
def page(results: Path) -> Path:
    return chef.view(results)[0]


def names(browser: Any) -> list[str]:
    return list(
        browser.run(
            "return [...document.querySelectorAll('#list thead th')].map((e) => e.textContent)"
        )
    )


def card(title: str) -> str:
    """A script for the card with a heading."""
    is_meant = f"e.querySelector('h2')?.textContent.startsWith('{title}')"
    return f"[...document.querySelectorAll('.card')].find((e) => {is_meant})"


def test_two_cells_are_a_comparison(quiet: Any, page: Path) -> None:
    quiet.open(page)
    labels = quiet.run("return JSON.parse(document.getElementById('index').textContent).runs")
    press = (
        f"for (const label of arguments) {card('Runs')}"
        '.querySelector(`[aria-label="Compare ${label}"]`).click()'
    )
    first, second = (
        next(label for label in labels if part in label) for part in ("three", "two/ppl")
    )
    quiet.run(press, first)
    assert "press ⇄ of another run" in quiet.text("#pair")
    quiet.run(press, second)
    assert (
        "Of 5 samples that both have scored, 1 are right in both, 0 in the first alone, "
        "4 in the second alone, 0 in neither" in quiet.text("#pair")
    )
    quiet.click("#show-flips")
    assert set(quiet.shown_ids()) == {"q0", "q2", "q3", "q4"}
    assert [name.rstrip("↕") for name in names(quiet)][-2:] == [first, second]
    # The state stands in the address, as all states of a page do.
    address = quiet.run("return location.hash")
    quiet.open(page, address)
    assert set(quiet.shown_ids()) == {"q0", "q2", "q3", "q4"}


def test_samples_of_all_runs_are_searched_and_lead_to_their_pages(quiet: Any, page: Path) -> None:
    quiet.open(page)
    assert len(quiet.shown_ids()) == 8
    quiet.run("const s = document.getElementById('search'); s.value = 'what is p1';"
              "s.dispatchEvent(new Event('input'))")  # fmt: skip
    quiet.until("return document.querySelectorAll('#list a.open').length === 1")
    (link,) = quiet.links("#list a.open")
    assert link.endswith("other-1/report.html#sample=p1")
    assert (page.parent / link.partition("#")[0]).is_file()
    (sign,) = quiet.links("#list .signs a")
    assert sign == link
    quiet.click("#list .signs a")
    assert "p1" in quiet.detail("p1") or quiet.text("#detail-title")


def test_columns_are_chosen_and_sorted(quiet: Any, page: Path) -> None:
    quiet.open(page)
    headers = f"[...{card('Runs')}.querySelectorAll('thead th')]"
    hidden = f"return {headers}.filter((e) => e.hidden).length"
    assert quiet.run(hidden) == 0
    quiet.run(f"const d = {card('Runs')}.querySelector('details.columns'); d.open = true;"
              "[...d.querySelectorAll('label')].find((e) => e.textContent === 'date')"
              ".querySelector('input').click()")  # fmt: skip
    assert quiet.run(hidden) == 1
    body = f"{card('Models and recipes')}.querySelectorAll('tbody tr')"
    cells = f"return [...{body}].map((e) => e.cells[0].textContent)"
    sort = f"{card('Models and recipes')}.querySelectorAll('thead button')[arguments[0]].click()"
    before = quiet.run(cells)
    assert set(before) == set(ANSWERS)
    quiet.run(sort, 2)
    quiet.run(sort, 2)
    assert quiet.run(cells)[0] == "two"  # 5 of 6


def test_a_served_page_is_the_same_and_follows_its_runs(browser: Any, tmp_path: Path) -> None:
    results = tmp_path / "results"
    run = write_run(results, outcomes("RRWW"))
    write_run(results, outcomes("RRRW"), model="two")
    (tmp_path / "place").mkdir()
    with PageServer(Served([results], tmp_path / "place")) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            browser.complaints()
            browser.driver.get(server.address)
            browser.until("return document.documentElement.dataset.ready === 'true'")
            assert "served from this machine alone" in browser.text("footer")
            assert len(browser.shown_ids()) == 4
            with (run / "predictions.jsonl").open("ab") as journal:
                journal.write(encode(prediction("q9", "R")))
            browser.until("return document.querySelectorAll('#list a.open').length === 5")
            press = "document.querySelectorAll('table.figures .pick')[arguments[0]].click()"
            for place in (0, 1):
                browser.run(press, place)
            browser.click("#pair a")
            browser.until("return document.body?.className === 'comparison'")
            assert browser.complaints() == []
        finally:
            browser.driver.get("about:blank")
            server.shutdown()
