"""The question of a prompt, and what an answer only repeats of the prompt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

#: What may stand before a question that is repeated.
_LEAD = re.compile(r"[\s\W]{0,8}(?:(?:question|q)\s{0,2}:\s{0,4})?", re.IGNORECASE)
#: What asks, and states nothing: a text that repeats a statement asserts it.
_ASKS = re.compile(r"(?:[?？]|か。?|吗。?)\s*\Z")
#: What stands between a question and its options, and behind them.
_HEADING = r"[\s\W]{0,8}(?:(?:options|choices)\s{0,2}:?)?"
#: What is behind an option on its line says something of it: "D. dessert <-- this one".
_END = r"[ \t.;,]{0,3}(?:\n|\Z|:|(?=\W{0,4}(?:answer|please|select|choose|pick)\b))"
_REQUEST = (
    r"(?:\W{0,8}(?:please\s+)?(?:answer|select|choose|pick)\s+(?:with|the|from|one)\b"
    r"[^\n.]{0,120}[\n.]?)?"
)
_ANSWER = r"(?:\W{0,8}answer\s{0,2}:)?"
#: What a prompt asks for behind its question: "Answer with yes or no.", "Hint: ..."
_ASKS_FOR = re.compile(
    r"[\s\W]{0,8}(?:(?:hint|note)\s?:\s*)?(?:(?:please|kindly|bitte|veuillez|por\s+favor)\s+)?"
    r"(?:answer|select|choose|pick|respond|reply|give|provide|explain|output|antworte\w*|wählen?"
    r"|répondez|réponds|choisis\w*|responde|contesta|elige|rispondi|scegli|responda|escolha"
    r"|ответь\w*|выбери\w*|请)\b",
    re.IGNORECASE,
)
#: A question without a mark: "Select the fish below."
_FIRST_LINE = re.compile(r"\s*[^\n。]*(?:。|$)?")
#: "Q: What is it? A: a dog"
_A = re.compile(r"\s*A\s?:")
#: A shorter question is a word that may be an answer.
_SHORTEST = 8


def without_echo(
    text: str, question: str, options: Sequence[str] = (), labels: Sequence[str] = ()
) -> str:
    """A text with blanks for its question, and for all its options in a row, where it begins with
    them: they are the prompt's, and say nothing.

    >>> text = "What is it? (A) a cup (B) a vase: B"
    >>> without_echo(text, "What is it?", ["a cup", "a vase"], ["A", "B"]).strip()
    'B'
    >>> without_echo("Is it red? No", "Is it red?").strip()
    'No'
    """
    alone = question_alone(question, tuple(options))
    end = start = _question_end(text, question.strip()) or _question_end(text, alone.strip())
    # Options without labels leave nothing by which their list is told from an answer.
    listing = _listing(tuple(options), tuple(labels)) if options and labels else None
    if listing and (match := listing.match(text, start)):
        end = match.end()
    elif not _ASKS.search(alone):
        return text
    return " " * (end - 1) + "\n" + text[end:] if end else text


@lru_cache(256)
def question_alone(prompt: str, options: tuple[str, ...] = ()) -> str:
    """A question without the list of its options and without what the prompt asks for behind it.

    >>> question_alone("Is it red? Please answer yes or no.")
    'Is it red?'
    >>> question_alone("What is it? (A) a cup (B) a vase", ("a cup", "a vase"))
    'What is it?'
    """
    end = max(map(prompt.rfind, "?？")) + 1 or len(_FIRST_LINE.findall(prompt)[0])
    if not prompt[end:].strip():
        return prompt
    rest = prompt[end:]
    listed = r"[^?]{0,16}?".join(re.escape(option.strip()) for option in options)
    match = re.match(rf"[^?]{{0,24}}?{listed}(?!\w)[\s).]*", rest) if options else None
    rest = rest[match.end() :] if match else rest
    return prompt[:end] if not rest.strip() or _ASKS_FOR.match(rest) else prompt


def _question_end(text: str, question: str) -> int:
    """Where the question ends with which a text begins; 0 if it begins with something else."""
    lead = _LEAD.match(text) if len(question) >= _SHORTEST and question in text else None
    if lead is None or not text.startswith(question, lead.end()):
        return 0
    end = lead.end() + len(question)
    label = _A.match(text, end) if "q" in lead[0].lower() else None
    return label.end() if label else end


@lru_cache(256)
def _listing(options: tuple[str, ...], labels: tuple[str, ...]) -> re.Pattern[str]:
    """All options in their order, each behind its label."""
    items = (
        rf"[\s(\[*]{{0,8}}{re.escape(label)}[\s).:\]*-]{{1,6}}{re.escape(option.strip())}(?!\w)"
        for label, option in zip(labels, options, strict=False)
    )
    form = r"[\s.,;:*]{0,4}".join(items)
    return re.compile(_HEADING + form + _END + _REQUEST + _ANSWER, re.IGNORECASE)
