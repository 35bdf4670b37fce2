"""docs/guide/judges.md shows what a judge is really asked, every kind and every key."""

from __future__ import annotations

import re
from dataclasses import fields

from conftest import ROOT
from document import blocks, text_of

from chef.config.judge import JudgeOptions
from chef.judge.tasks import enclosed
from chef.metric.judge_kind import JUDGE_KINDS

PAGE = ROOT / "docs" / "guide" / "judges.md"


def test_the_prompt_on_the_page_is_that_of_the_kind() -> None:
    (shown,) = [block.text for block in blocks(PAGE) if block.language == "text"]
    kind = JUDGE_KINDS.get("option")(wording="brief")
    answer = "I think it is the circle."
    record = {"question": "?", "options": ["a square", "a circle"], "answer": answer}
    prompt = enclosed(kind.wording.prompt, kind.texts(record, 0))
    real = re.sub(r"\b[0-9a-f]{16}\b", "MARK", prompt)
    page = re.sub(r"\b[0-9a-f]{16}\b", "MARK", shown).strip()
    pattern = r".*".join(re.escape(part) for part in re.split(r" \.\.\.\n", page))
    assert re.fullmatch(pattern, real, re.DOTALL), real


def test_every_kind_and_every_key_is_on_the_page() -> None:
    text = text_of(PAGE)
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert {"model_cfg", *(item.name for item in fields(JudgeOptions))} <= named
    kinds = {"option", "equivalence", "grade", "rating", "preference"}
    assert kinds <= named
    assert kinds <= set(JUDGE_KINDS)
