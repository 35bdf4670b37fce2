"""Blank what is not the model's answer: role marks, separators, and turns that it invents."""

from __future__ import annotations

import re
from functools import lru_cache

from chef.reading.patterns import Pattern
from chef.reading.text import strip_reasoning

_SPECIAL = r"<\|?/?(?:im_end|im_start|endoftext|eot_id|eos|end|end_of_turn|end_of_text|s|pad)\|?>"
_USER = r"(?:human|user|instruction|student|customer|questioner)"
_MODEL = r"(?:assistant|gpt|bot|ai|model|chatbot|response)"
#: The mark of the model's own turn, at the start of its answer.
_OWN = re.compile(
    rf"(?:(?:{_SPECIAL}|\[/INST\]|<start_of_turn>|<\|?(?:assistant|bot)\|?>|#{{2,}}+)\s{{0,4}})*"
    rf"(?:a:(?=[^\n]*\n+\s*q\s*:)|{_MODEL}\s{{0,4}}:|<\|im_start\|>\s*assistant\b|<\|?assistant\|?>|<start_of_turn>\s*model\b"
    rf"|{_SPECIAL}|\[/INST\])+",
    re.IGNORECASE,
)
#: A question that is repeated before the answer: "Human: ... Assistant: ".
_ECHO = re.compile(
    r"(?:<s>)?\s{0,4}\[INST\].*?\[/INST\]|"
    rf"(?:{_SPECIAL}|#{{2,3}})?\s{{0,4}}{_USER}\s*:.*?(?:^|\s)(?:#{{2,3}}\s*)?{_MODEL}\s*:",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
#: Where the next turn begins, which the model only invents. A heading ("### Answer") is no limit.
_NEXT = re.compile(
    rf"{_SPECIAL}|\[/?INST\]|<\|(?:user|assistant|system|bot)\|>|<start_of_turn>"
    rf"|(?:\A|(?<=\s)|(?<=[.!?#)\]\"']))(?:#{{2,3}}\s*)?(?:{_USER}|{_MODEL}|system)\s*:(?=\s|\Z)"
    r"|(?<=[^\s#])[ \t]{0,4}#{2,3}(?!#)|^#{2,3}(?!#)[ \t]{0,4}(?=\n|\Z)",
    re.IGNORECASE | re.MULTILINE,
)

_ROLES = (
    "human", "user", "instruction", "student", "customer", "questioner", "assistant", "gpt", "bot",
    "ai", "model", "chatbot", "response", "system", "a", "q",
)  # fmt: skip
#: A question of the next item that a base model goes on with; a chat model may repeat its own.
_NEXT_QUESTION = Pattern(
    r"\n\s{0,4}(?:(?:(?:next|another|new|second|further|follow-up)\s+)?question\s*\d*\s*[:.]|q\s*\d*\s*[:.]|the\s+following\s+(?:is|are)\b|which\s+of\s+the\s|what\s+(?:is|are)\b"
    r"|问题?\s*\d*\s*:|\[?image\]?\s*:|answer\s+the\s+question|context\s*:|passage\s*:|#+\s*question)"
    # on the same line with its answer
    r"|(?<=[.!?\"')\]*])[ \t]{1,4}(?:question|q)\s?\d{0,2}\s?:[^\n?]{3,200}\?"
    r"(?:[^\n]{0,200}?\s)?\s{0,3}(?:answer|a)\s?:",
    # Each match has a line break, or the question mark before its answer.
    among="\n?",
)

#: The same without a word for it: "yes", and a line below a question with its answer.
_ASKED_ON = re.compile(
    r"\A\W{0,4}(?:yes|no|[A-H]|\d{1,6})\b[^\n?:]{0,25}\n\s{0,4}"
    r"(?=[^\n?]{5,200}\?[ \t]*\n\s{0,4}\S)",
    re.IGNORECASE,
)

#: Thoughts inside JSON, and text that is struck through.
_WITHHELD = re.compile(
    r"[\"'](?:thoughts?|thinking|reasoning|rationale|analysis|scratchpad)[\"']\s{0,3}:\s{0,3}"
    r"\"(?:[^\"\\]|\\.)*(?:\"|\Z)|~~[^~\n]+~~",
    re.IGNORECASE,
)


def before_next_question(body: str) -> str:
    """``body`` up to a further question, if words come before it."""
    asked_on = _ASKED_ON.match(body) if "?" in body else None
    match = _NEXT_QUESTION.search(body)
    end = asked_on.end() if asked_on else match.start() if match else 0
    # The mark of a block is no word.
    lead = body[:end].strip().removeprefix("```yaml")
    return body[:end] + "\n" * (len(body) - end) if lead else body


def answer_body(answer: str) -> str:
    """What an answer says to its reader, in place: without reasoning and without invented turns."""
    body = own_turn(strip_reasoning(answer))
    if not ('"' in body or "'" in body or "~~" in body):
        return body
    return _WITHHELD.sub(lambda match: " " * len(match[0]), body)


@lru_cache(16)
def _may_turn(text: str) -> bool:
    """Whether a text may have a mark of a turn; a cheap test, for most have none."""
    if "<" in text or "##" in text or "INST]" in text:
        return True
    place = text.find(":")
    while place >= 0:
        if text[max(0, place - 16) : place].rstrip().lower().endswith(_ROLES):
            return True
        place = text.find(":", place + 1)
    return False


def own_turn(text: str) -> str:
    r"""``text`` with role marks, separators and other turns than the model's replaced by lines.

    The length stays the same. Nothing is taken away where no words would remain.

    >>> own_turn("Assistant: B\nHuman: Is it C?").strip()
    'B'
    """
    start = 0
    for lead in (_ECHO, _OWN):
        if not _may_turn(text):
            break
        start += len(text[start:]) - len(text[start:].lstrip())
        match = lead.match(text, start)
        if match and text[match.end() :].strip():
            start = match.end()
    end = len(text)
    for match in _NEXT.finditer(text, start) if _may_turn(text) else ():
        if not text[start : match.start()].isspace() and match.start() > start:
            end = match.start()
            break
        start = match.end()
    if not text[start:end].strip():
        return text
    return "\n" * start + text[start:end] + "\n" * (len(text) - end)
