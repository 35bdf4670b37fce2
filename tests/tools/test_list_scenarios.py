"""The page of scenarios is what the classes say."""

from conftest import ROOT
from list_scenarios import own_scenarios, page

from chef.scenario import SCENARIOS


def test_the_page_of_scenarios_is_not_stale() -> None:
    text = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    assert text == page(), "run `python tools/list_scenarios.py > docs/scenarios.md`"


def test_every_scenario_has_a_row_that_says_what_it_asks() -> None:
    own, _, benchmarks = page().partition("## Benchmarks of VLMEvalKit")
    rows = [line.split(" | ") for line in own.splitlines() if line.startswith("| `")]
    assert [row[0] for row in rows] == [f"| `{name}`" for name in own_scenarios()]
    for row in rows:
        assert row[1].endswith((".", "?")), row[0]
        assert all(row[n] for n in (1, 2, 3)), row[0]
    for name in SCENARIOS.further:
        assert f"`{name}`" in benchmarks
