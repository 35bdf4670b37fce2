"""Links, anchors, files, modules and recipes that the pages name exist."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest
from conftest import ROOT
from document import PAGES, anchors, blocks, inline, links, prose, text_of

NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
_TOP = "src|docs|configs|tests|tools|benchmarks"
_PATH = re.compile(rf"(?<![\w./<~-])(?:{_TOP})/[\w./*-]*[\w*/]")
_MODULE = re.compile(r"chef(?:\.\w+)+")
FOLDERS = {path.name for path in (ROOT / "configs" / "recipes").iterdir()}


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_lead_to_pages_and_headings(page: Path) -> None:
    for path, anchor in links(page):
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), path
        if anchor:
            assert anchor in anchors(target), f"{path}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_no_block_is_overlooked(page: Path) -> None:
    """Every fence belongs to a block that was found, and none is made by indentation."""
    assert "```" not in prose(page)
    assert not re.search(r"^    (?:python|chef|pip|make) ", prose(page), re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_paths_exist(page: Path) -> None:
    for path in _PATH.findall(text_of(page)):
        assert next(ROOT.glob(path.rstrip("/")), None), path


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_modules_and_their_names_exist(page: Path) -> None:
    """In inline code, for example `chef.stats.figures`; a file name is not meant."""
    for code in inline(page):
        for name in _MODULE.findall(code):
            if re.search(r"\.(plugins|toml|yaml|yml|txt|py)$", name) or code.startswith('"'):
                continue
            assert _resolves(name), name


def _resolves(name: str) -> bool:
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            found = getattr(found, part, None)
        return found is not None
    return False


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_recipes_and_model_files_exist(page: Path) -> None:
    words = [*inline(page), *(word for block in blocks(page) for word in block.text.split())]
    for word in words:
        found = re.fullmatch(r"(\w+)/(\w+)", word)
        if found and found[1] in FOLDERS and page.name != "scenarios.md":
            assert (ROOT / "configs" / "recipes" / f"{word}.yaml").is_file(), word


def test_every_page_is_in_the_index() -> None:
    index = ROOT / "docs" / "index.md"
    linked = {(index.parent / path).resolve() for path, _ in links(index) if path}
    assert {page for page in PAGES if page != index} <= linked


def test_the_guide_is_short_and_comes_first() -> None:
    """Eight pages of 10,000 words together, and no command in them that needs a checkout."""
    guide = [page for page in PAGES if page.parent == ROOT / "docs" / "guide"]
    assert len(guide) == 8
    assert sum(len(text_of(page).split()) for page in guide) <= 10_000
    index = ROOT / "docs" / "index.md"
    first = [(index.parent / path).resolve() for path, _ in links(index)][:8]
    assert sorted(first) == guide
    for page in guide:
        for block in blocks(page):
            if block.language == "sh":
                assert not re.search(r"\bmake \w|tools/|benchmarks/|configs/", block.text), block


def test_messages_name_pages_and_headings_that_exist() -> None:
    """What the source code and the comments of recipes send a reader to."""
    named = re.compile(r"\bdocs/[\w/]+\.md(?:#[\w-]+)?")
    found = {
        name
        for top in ("src", "configs", "tools", "benchmarks")
        for path in (ROOT / top).rglob("*")
        if path.suffix in {".py", ".yaml"}
        for name in named.findall(path.read_text("utf-8"))
    }
    assert "docs/guide/models.md" in found
    for name in found:
        path, _, anchor = name.partition("#")
        assert (ROOT / path).is_file(), name
        assert not anchor or anchor in anchors(ROOT / path), name
