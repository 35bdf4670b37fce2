"""A class of the session is another model once something that its methods name has changed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from chef.models import Model
from chef.models.base import unseen_attributes

#: Each defines a class M that answers WORD, which stands outside of its `generate_one`.
CASES = {
    "global": "WORD = {word!r}\nclass M(Model):\n    def generate_one(self, c, m): return WORD\n",
    "function": "def say(): return {word!r}\n"
    "class M(Model):\n    def generate_one(self, c, m): return say()\n",
    "function of a function": "def deep(): return {word!r}\n"
    "def say(): return [deep() for _ in '1'][0]\n"
    "class M(Model):\n    def generate_one(self, c, m): return say()\n",
    "default": "def say(word={word!r}): return word\n"
    "class M(Model):\n    def generate_one(self, c, m): return say()\n",
    "closure": "def made(word):\n    class M(Model):\n"
    "        def generate_one(self, c, m): return word\n    return M\nM = made({word!r})\n",
    "parent": "class P(Model):\n    def generate_one(self, c, m): return {word!r}\n"
    "class M(P):\n    pass\n",
    "attribute of a parent": "class P(Model):\n    word = {word!r}\n"
    "class M(P):\n    def generate_one(self, c, m): return self.word\n",
    "property": "WORD = [{word!r}]\nclass M(Model):\n"
    "    @property\n    def word(self): return WORD[0]\n"
    "    def generate_one(self, c, m): return self.word\n",
    "put there later": "class M(Model):\n    pass\n"
    "def answer(self, c, m): return {word!r}\nM.generate_one = answer\n",
    "class": "class Words:\n    word = {word!r}\n"
    "class M(Model):\n    def generate_one(self, c, m): return Words.word\n",
    "decorator": "from functools import cache\n@cache\ndef say(): return {word!r}\n"
    "class M(Model):\n    def generate_one(self, c, m): return say()\n",
    "pattern": "import re\nWORD = re.compile({word!r})\n"
    "class M(Model):\n    def generate_one(self, c, m): return WORD.pattern\n",
}


def typed_in(code: str, **names: Any) -> Model:
    """The object of a class M as a notebook defines it."""
    space = {"Model": Model, "__name__": "__main__", **names}
    exec(code, space)
    return space["M"]()


@pytest.mark.parametrize("case", CASES)
def test_what_a_class_names_is_a_part_of_it(case: str) -> None:
    first, again, other = (typed_in(CASES[case].format(word=w)) for w in ("cat", "cat", "dog"))
    assert (first.generate_one((), 1), other.generate_one((), 1)) == ("cat", "dog")
    assert first.fingerprint() == again.fingerprint() != other.fingerprint()
    assert unseen_attributes(first) == []


@pytest.mark.parametrize(
    "body",
    ["        return seen_words.say()\n", "        from seen_words import say; return say()\n"],
)
def test_a_module_of_one_s_own_counts_by_what_is_used(
    body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    head = "import seen_words\n" if body.startswith("        return") else ""
    code = f"{head}class M(Model):\n    def generate_one(self, c, m):\n{body}"
    fingerprints = []
    for word in ("cat", "dog"):
        source = f"WORD = '{word}'\n\n\ndef say(): return WORD\n"
        (tmp_path / "seen_words.py").write_text(source)
        model = typed_in(code)
        fingerprints.append(model.fingerprint())
        assert model.generate_one((), 1) == word
        assert model.fingerprint() == fingerprints[-1]  # also once it is imported
        del sys.modules["seen_words"]
    assert fingerprints[0] != fingerprints[1]


def test_what_cannot_be_seen_is_named() -> None:
    code = """\
count = 0
class Other: pass
NET = Other()
class M(Model):
    def generate_one(self, c, m):
        global count
        count += 1
        return str(NET)
"""
    model = typed_in(code)
    before = model.fingerprint()
    assert unseen_attributes(model) == ["NET", "count"]
    assert unseen_attributes(model, with_state=False) == ["NET"]
    model.generate_one((), 1)
    assert model.fingerprint() == before


def test_a_list_that_methods_fill_makes_no_other_model() -> None:
    code = """\
asked = []
class M(Model):
    def generate_one(self, c, m):
        asked.append(c)
        return "x"
"""
    model = typed_in(code)
    before = model.fingerprint()
    assert unseen_attributes(model) == []
    model.generate_one((), 1)
    assert model.fingerprint() == before == typed_in(code).fingerprint()
    assert unseen_attributes(model) == ["asked"]
    assert unseen_attributes(model, with_state=False) == []


def test_names_of_chef_and_of_packages_do_not_count() -> None:
    code = """\
import json, numpy
from chef.types import Generated
API_KEY = "{key}"
class M(Model):
    def generate(self, requests):
        return [Generated(json.dumps(numpy.array([1]).tolist()) + API_KEY[:0]) for _ in requests]
"""
    one, other = typed_in(code.replace("{key}", "sk-1")), typed_in(code.replace("{key}", "sk-2"))
    assert one.fingerprint() == other.fingerprint()
    assert unseen_attributes(one) == []
