"""A scripted model and judge, a small data set, and an evaluator of a user's own."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from chef.errors import SampleError
from chef.metric.mmtrusteval.base import BaseEvaluator
from chef.models import Model
from chef.scenario.base import Scenario
from chef.types import Generate, Generated, Sample


def text_of(request: Generate) -> str:
    return request.conversation[-1].text


class Speaker(Model):
    """Says the last word of the question."""

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        return [Generated(text_of(item).split()[-1]) for item in requests]


class Referee(Model):
    """A judge that says [Yes] to a prompt with a good answer, and writes down what it is asked.

    With ``FAIL_ON`` in a prompt it fails, and with ``STOP_AFTER`` requests the process is killed.
    """

    token_budget = 100

    def cost(self, request: Generate) -> int:
        return 50  # two requests in the first batches

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        return [Generated(self.say(text_of(item))) for item in requests]

    def say(self, text: str) -> str:
        log = Path(os.environ["REFEREE_LOG"])
        asked = log.read_text().count("\n") if log.exists() else 0
        if stop_after := os.environ.get("STOP_AFTER"):
            time.sleep(0.03)  # a judge takes longer than a line of the journal
            if asked >= int(stop_after):
                os.kill(os.getpid(), 9)
        with log.open("a") as file:
            file.write(json.dumps(text) + "\n")
        if (fail_on := os.environ.get("FAIL_ON")) and fail_on in text:
            raise SampleError("the judge does not take this")
        return "[Yes]" if "good" in text else "maybe" if "odd" in text else "[No]"


class Absent(Referee):
    """A judge that cannot be loaded."""

    def prepare(self) -> None:
        with Path(os.environ["REFEREE_LOG"]).open("a") as file:
            file.write('"prepare"\n')
        raise ConnectionError("nothing listens at port 9")


class Words(Scenario):
    """Of every three questions the answers are good, bad and odd."""

    name = "Words"
    metric = "Evaluators"
    has_wordings = False

    def __init__(self, *, size: int = 12) -> None:
        self.size = size

    def __len__(self) -> int:
        return self.size

    def sample_id(self, index: int) -> str:
        return f"w{index:03d}"

    def __getitem__(self, index: int) -> Sample:
        subset = "EVEN" if index % 2 == 0 else "ODD"
        word = ("good", "bad", "odd")[index % 3]
        return Sample(
            self.sample_id(index),
            question=f"Number {index}: say {word}",
            answer=f"truth {index}",
            fields={"extra": {"subset": subset, "number": index}, "subset": subset},
        )


class Verdict(BaseEvaluator):
    """1 for [Yes], 0 for [No], and nothing for other texts; it takes no extras, as documented."""

    evaluator_ids = ("verdict",)

    def process(self, preds: Any, labels: Any) -> Any:  # type: ignore[override]
        return [{"[Yes]": 1, "[No]": 0}.get(pred) for pred in preds], labels
