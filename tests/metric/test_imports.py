"""Scoring needs no model, and loads none."""

import subprocess
import sys


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
    kinds = ("vqa.accuracy", "caption.caption", "detection.detection")
    names = ", ".join(f"chef.metric.{name}" for name in kinds)
    code = f"import sys, chef.metric, {names}; print([m for m in {heavy!r} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
