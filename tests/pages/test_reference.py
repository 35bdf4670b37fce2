"""The generated pages of docs/reference are what the code says."""

from __future__ import annotations

import pytest
from conftest import ROOT
from reference.rooms import BLOCKS, PACKAGE
from reference.scenarios import own_scenarios
from reference.scenarios import page as scenarios
from write_reference import FOLDER, PAGES

from chef.cli.arguments import build_parser
from chef.scenario import SCENARIOS


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_not_stale(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert text == PAGES[name](), f"run `python tools/write_reference.py {name}`"


def test_every_room_has_a_block_and_a_map() -> None:
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert rooms == {room for block in BLOCKS.values() for room in block}
    text = (FOLDER / "rooms.md").read_text(encoding="utf-8")
    for room in rooms:
        section = text.partition(f"\n### {room}\n")[2].partition("\n#")[0]
        for path in (PACKAGE / room).glob("*.py"):
            assert path.name == "__init__.py" or f"- `{path.name}`: " in section, path


def test_every_module_says_what_it_is() -> None:
    """Else its line on the map would be empty."""
    lines = (FOLDER / "rooms.md").read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if line.rstrip().endswith("`:")]


def test_every_option_has_its_line() -> None:
    text = (FOLDER / "commands.md").read_text(encoding="utf-8")
    _, commands = build_parser()
    for name in commands:
        assert f"\n## chef {name}\n" in text
    for option in ("--limit", "--dry-run", "--export", "--fail-if-worse", "--allow-host"):
        assert f"{option}" in text


def test_every_scenario_has_a_row_that_says_what_it_asks() -> None:
    own, _, benchmarks = scenarios().partition("## Benchmarks of VLMEvalKit")
    rows = [line.split(" | ") for line in own.splitlines() if line.startswith("| `")]
    assert [row[0] for row in rows] == [f"| `{name}`" for name in own_scenarios()]
    for row in rows:
        assert row[1].endswith((".", "?")), row[0]
        assert all(row[n] for n in (1, 2, 3)), row[0]
    for name in SCENARIOS.further:
        assert f"`{name}`" in benchmarks


def test_the_pages_stand_where_the_index_leads() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert all(f"(reference/{name}.md)" in index for name in PAGES)
