"""The examples of the docstrings run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import chef

MODULES = [item.name for item in pkgutil.walk_packages(chef.__path__, "chef.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_the_examples_are_found() -> None:
    finder = doctest.DocTestFinder()
    found = [test for name in MODULES for test in finder.find(importlib.import_module(name))]
    assert sum(bool(test.examples) for test in found) > 25
