"""What the tests against chef's own code need besides words."""

from __future__ import annotations

import pytest

from chef.metric.upstream import wordnet
from upstream_rules.text import SYNONYMS
from upstream_rules.words import Words


@pytest.fixture
def lexicon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The small WordNet, and of the synonyms only those that the reference names."""
    monkeypatch.setattr(wordnet, "lexicon", Words)
    monkeypatch.setattr(wordnet, "_narrower", lambda: SYNONYMS)
