"""Scripted judges, a scripted model that is judged, and a metric that uses every kind."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chef.errors import RunError, SampleError
from chef.metric import Metric
from chef.metric.judge_kind import JudgeKind, Wording
from chef.metric.records import UnjudgedError
from chef.models import Model
from chef.scenario.base import Scenario
from chef.types import Generate, Generated, Sample


class Talker(Model):
    """Answers the question of number ``n`` with a sentence; every fifth answer is a wrong one."""

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        note("talker", len(requests))
        return [Generated(self.say(text_of(item))) for item in requests]

    def say(self, text: str) -> str:
        number = int(re.search(r"number (\d+)", text)[1])
        word = "grey" if number % 5 == 0 else "red"
        return f"I would say {word}, in item {number}."


class Gone(Model):
    """A judge whose server is gone."""

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        raise RunError("the server is gone")


class Fair(Model):
    """A judge that finds out whether the judged answer says red, and says so in good form.

    It writes one line to the file in ``JUDGE_LOG`` for each request. The variable
    ``JUDGE_STOP_AFTER`` kills the process after so many requests, and with ``JUDGE_FAIL_ON`` in the
    prompt it fails. With ``odd`` its first reply to a question lacks the form, with ``mute`` all.
    """

    token_budget = 2_000  # a few requests in each batch

    def __init__(self, *, odd: bool = False, mute: bool = False, name: str = "fair") -> None:
        self.odd, self.mute = odd, mute
        self._name, self._asked = name, 0

    @property
    def name(self) -> str:
        return self._name

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        replies = []
        for item in requests:
            if self._asked >= int(os.environ.get("JUDGE_STOP_AFTER", "1000000")):
                os.kill(os.getpid(), 9)
            self._asked += 1
            note("judge", 1)
            replies.append(Generated(self.reply(item)))
        return replies

    def reply(self, request: Generate) -> str:
        text = text_of(request)
        fail_on = os.environ.get("JUDGE_FAIL_ON")
        if fail_on and fail_on in text:
            raise SampleError("the judge does not take this")
        if self.mute or (self.odd and len(request.conversation) == 1):
            return "I cannot say."
        says_red = "red" in blocks(text).get("answer", "")
        verdict = "A" if says_red else "none"
        if "A if answer A" in text:
            verdict = "A"  # it prefers what it sees first
        if "yes" in text.partition("---")[2].rpartition("---")[2] or "polite" in text:
            verdict = "yes" if says_red else "no"
        return f"It says what it says.\nVerdict: [[{verdict}]]"


class Fixed(Fair):
    """A judge that gives every answer a 1."""

    def reply(self, request: Generate) -> str:
        return "Verdict: [[1]]"


class Broken(Fair):
    """A judge that cannot be loaded."""

    def prepare(self) -> None:
        note("broken", 1)
        raise ConnectionError("nothing listens at port 9")


class Colours(Scenario):
    """Questions whose right answer is red."""

    name = "Colours"
    metric = "JudgedShare"
    has_wordings = False

    def __init__(self, *, size: int = 10) -> None:
        self.size = size

    def __len__(self) -> int:
        return self.size

    def sample_id(self, index: int) -> str:
        return f"c{index}"

    def __getitem__(self, index: int) -> Sample:
        fields = {"gt_choice": 0, "choices": ["red", "blue"]}
        return Sample(
            f"c{index}", question=f"Which colour has number {index}?", answer="red", fields=fields
        )


class JudgedShare(Metric):
    """The share of answers that are right: by its rule (the word blue), else by the judge."""

    primary = "share"
    judge_kinds = ("option", "equivalence", "grade", "rating", "preference", "Politeness")

    def __init__(self, dataset_name: str = "", *, needs: bool = False) -> None:
        super().__init__(dataset_name)
        self.needs_judge = needs

    def rule_reading(self, record: dict[str, Any]) -> Any:
        return 1 if "blue" in str(record["answer"]) else None

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        said = record.get("judgements")
        if said is None:
            return {"metric_result": 0.0}
        fine = [item for item in said if item["status"] == "ok"]
        if not fine:
            raise UnjudgedError("no judgement")
        value = float(fine[0]["reading"] in (0, True) if fine[0]["kind"] == "option" else 0)
        value = float(fine[0]["reading"]) if fine[0]["kind"] != "option" else value
        return {"metric_result": value}

    def metric_func(self, answers: list[dict[str, Any]]) -> Mapping[str, Any]:
        values = [answer.get("metric_result", 0.0) for answer in answers]
        return {"share": sum(values) / len(values) if values else 0.0}


class InPairs(JudgedShare):
    """The same, where two questions are right together or not at all."""

    judge_kinds = ("option",)
    stops_groups = True

    def scored_with(self, record: dict[str, Any]) -> str:
        return f"pair {int(record['id'][1:]) // 2}"


class Politeness(JudgeKind):
    """A kind of a user's own."""

    def wordings(self) -> Mapping[str, Wording]:
        return {"default": Wording("Is it polite?\n{answer}\nVerdict: [[yes or no]]", "Again.")}

    def texts(self, record: Mapping[str, Any], order: int) -> Mapping[str, str]:
        return {"answer": str(record["answer"])}

    def read(self, verdict: str, record: Mapping[str, Any], order: int) -> bool | None:
        return {"yes": True, "no": False}.get(verdict.lower())


def text_of(request: Generate) -> str:
    """The text of the first turn."""
    return "\n".join(getattr(part, "text", "") for part in request.conversation[0].parts)


def blocks(prompt: str) -> dict[str, str]:
    """What stands between the lines of a judge's prompt, by the titles of the lines."""
    pattern = r"^--- ([a-z ]+) ([0-9a-f]{16}) ---\n(.*?)\n--- end of \1 \2 ---$"
    found = re.findall(pattern, prompt, re.MULTILINE | re.DOTALL)
    return {title: text for title, _, text in found}


def note(who: str, count: int) -> None:
    """Add a line to the log that the test reads."""
    if path := os.environ.get("JUDGE_LOG"):
        with Path(path).open("a") as stream:
            stream.write(json.dumps([who, count]) + "\n")
