"""A recipe that scores options by their likelihood loads none of the rules that read text."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from chef.metric.vqa.accuracy import Accuracy
from chef.types import Prediction, Status

sample = {"id": "1", "question": "What is it?", "choices": ["cat", "dog"], "gt_choice": 1}
choice = Prediction("1", Status.OK, "dog", sample=sample, scores={"choice": 1})
print(Accuracy().evaluate([choice]).metrics)
print(sorted(name for name in sys.modules if name.startswith("chef.reading.")))
"""


def test_scored_options_load_no_rules() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.splitlines()[-1]
    assert loaded == "['chef.reading.excerpt', 'chef.reading.text']"
