"""Blank what is not the model's answer: role marks, separators, and turns that it invents."""

from __future__ import annotations

import re

from chef.extraction.text import strip_reasoning

_SPECIAL = r"<\|?/?(?:im_end|im_start|endoftext|eot_id|eos|end|end_of_turn|end_of_text|s|pad)\|?>"
_USER = r"(?:human|user|instruction|student|customer|questioner)"
_MODEL = r"(?:assistant|gpt|bot|ai|model|chatbot|response)"
#: The mark of the model's own turn, at the start of its answer.
_OWN = re.compile(
    rf"\s*(?:(?:{_SPECIAL}|\[/INST\]|<start_of_turn>|<\|?(?:assistant|bot)\|?>|#{{2,3}})\s*)*"
    rf"(?:{_MODEL}\s*:|<\|im_start\|>\s*assistant\b|<\|?assistant\|?>|<start_of_turn>\s*model\b"
    rf"|{_SPECIAL}|\[/INST\])+",
    re.IGNORECASE,
)
#: A question that is repeated before the answer: "Human: ... Assistant: ".
_ECHO = re.compile(
    rf"\s*(?:(?:{_SPECIAL}|#{{2,3}})\s*)?{_USER}\s*:.*?(?:^|\s)(?:#{{2,3}}\s*)?{_MODEL}\s*:",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
#: Where the next turn begins, which the model only invents. A heading ("### Answer") is no limit.
_NEXT = re.compile(
    rf"{_SPECIAL}|\[/?INST\]|<\|(?:user|assistant|system|bot)\|>|<start_of_turn>"
    rf"|(?:\A|(?<=\s)|(?<=[.!?#)\]\"']))(?:#{{2,3}}\s*)?(?:{_USER}|{_MODEL}|system)\s*:(?=\s|\Z)"
    r"|(?<=[^\s#])[ \t]*#{2,3}(?!#)|^#{2,3}(?!#)[ \t]*(?=\n|\Z)",
    re.IGNORECASE | re.MULTILINE,
)


def answer_body(answer: str) -> str:
    """What an answer says to its reader, in place: without reasoning and without invented turns."""
    return own_turn(strip_reasoning(answer))


def own_turn(text: str) -> str:
    """``text`` with role marks, separators and other turns than the model's replaced by lines.

    The length stays the same. Nothing is taken away where no words would remain.

    >>> own_turn("Assistant: B\\nHuman: Is it C?").strip()
    'B'
    """
    start = 0
    for lead in (_ECHO, _OWN):
        match = lead.match(text, start)
        if match and text[match.end() :].strip():
            start = match.end()
    end = len(text)
    for match in _NEXT.finditer(text, start):
        if text[start : match.start()].strip():
            end = match.start()
            break
        start = match.end()
    if not text[start:end].strip():
        return text
    return "\n" * start + text[start:end] + "\n" * (len(text) - end)


_NEXT_QUESTION = re.compile(r"\n[ \t]*(?:#+[ \t]*)?(?:Q|Question|Next question)\d*[ \t]*:", re.IGNORECASE)


def before_next_question(text: str) -> str:
    """``text`` without a further question that the model asks itself and what follows it, in place.

    Options are not read in this way, because an answer may restate the question before it answers.

    >>> before_next_question("5\\n\\nQ: How many were eaten?\\nA: 3").strip()
    '5'
    """
    for match in _NEXT_QUESTION.finditer(text):
        if text[: match.start()].strip():
            return text[: match.start()] + "\n" * (len(text) - match.start())
    return text
