"""`chef show --page` on a run of 20,000 samples with images: with their thumbnails, then again.

    PYTHONPATH=src:tests python benchmarks/page_of_run.py [SAMPLES [FOLDER]]

A model that scores options by chance answers the multiple choice of Shapes, so the run folder, its
journal and its images are real and only the answers are not. The run is kept in FOLDER, if one is
given, and used again. Each page is written by a process of its own, whose seconds, those of the
processor, include starting Python; the browser is that of ``page.py``.
"""

from __future__ import annotations

import json
import logging
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from page import in_browser

import chef
from chef.models import Model
from chef.types import Score, Scored

RECIPE = Path(__file__).resolve().parents[1] / "configs" / "recipes" / "Shapes" / "ppl.yaml"
VIEW = "import sys, chef; chef.view(sys.argv[1])"


class Chance(Model):
    """Scores options at random."""

    name = "chance"

    def __init__(self) -> None:
        self._random = random.Random(0)

    def fingerprint(self) -> str:
        """Always the same."""
        return "chance"

    def score(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        """Three tokens an option."""
        return [
            tuple(Scored(-9 * self._random.random(), 3) for _ in item.candidates)
            for item in requests
        ]


def run_folder(top: Path, samples: int) -> Path:
    """A run of so many samples: the one that is there, or a new one."""
    logging.getLogger("chef").setLevel(logging.ERROR)
    report = chef.evaluate(
        Chance(), recipe_of(samples), save_dir=top, name="page", on_progress=lambda _: None
    )
    return report.folder


def recipe_of(samples: int) -> dict[str, Any]:
    """The multiple choice of Shapes, as large as that."""
    import yaml

    recipe: dict[str, Any] = yaml.safe_load(RECIPE.read_text())
    recipe["scenario_cfg"]["size"] = samples
    return recipe


def viewed(folder: Path) -> float:
    """Seconds of the processor that a process of its own takes to write the page."""
    before = _of_children()
    command = [sys.executable, "-c", VIEW, str(folder)]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return _of_children() - before


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Write twice, open, filter; print a line of JSON."""
    samples = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with tempfile.TemporaryDirectory() as spare:
        folder = run_folder(Path(sys.argv[2]) if len(sys.argv) > 2 else Path(spare), samples)
        first, again = viewed(folder), viewed(folder)
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        page, files = folder / "report.html", [*(folder / "report_files").glob("*.js")]
        result = {
            "samples": samples,
            "first_write_s": round(first, 1),
            "write_again_s": round(again, 1),
            "write_memory_mb": round(memory / 1024),
            **in_browser(page, files, "star"),
        }
        print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
