"""The examples of the docstrings run."""

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import chef.metric

MODULES = [item.name for item in pkgutil.walk_packages(chef.metric.__path__, "chef.metric.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0


def test_some_examples_are_found():
    finder = doctest.DocTestFinder()
    found = [test for name in MODULES for test in finder.find(importlib.import_module(name))]
    assert sum(bool(test.examples) for test in found) > 20


def test_importing_the_metrics_stays_light():
    heavy = [
        "torch",
        "transformers",
        "numpy",
        "scipy",
        "sacrebleu",
        "rouge_score",
        "nltk",
        "sklearn",
        "PIL",
    ]
    names = ", ".join(f"chef.metric.{name}" for name in ("accuracy", "caption", "detection"))
    code = f"import sys, chef.metric, {names}; print([m for m in {heavy!r} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
