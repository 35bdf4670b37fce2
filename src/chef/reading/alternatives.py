"""Tell whether a text offers a thing among others: "A or B", "maybe red, maybe blue", lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from chef.reading.lexicon import word_pattern
from chef.reading.patterns import Pattern
from chef.reading.text import Hit

T = TypeVar("T")
Span = tuple[int, int]

#: How far back words about a mention may start, in characters.
_FAR = 80
#: What joins the items of a list; "firm" is the word that makes it one.
_JOIN = Pattern(
    lambda: (
        r"[\"')\]]*\s*(?:\([^()]{0,40}\)\s*)?"
        rf"(?:,?\s*(?P<firm>{word_pattern('alternatives', 'conjunctions')}|nor|[/&、])|,)\s*"
        r"(?:(?:an?|the|option|choice|even|also)\s+)*[\"'(\[]*"
        # "The spoon is made of metal, and so is the tray."
        r"|\s[^.;!?\n]{1,30}?\s(?P<so>(?:and\s+so|as)\s+(?:is|are|was|were|does|do|did|has|have))\s+(?:(?:an?|the)\s+)?"
    )
)
#: How far apart two items of one list may stand, in characters.
_LIST_GAP = 40
#: So many items are a list even if only commas join them.
_MANY = 4
#: How far an option's text may stand behind its letter, in characters that are no blanks.
OWN_GAP = 3


_OR = (
    r"(?:or(?!\s+(?:not|so|less)\b)|oder|ou|или|hoặc|或者|或是|或|还是"
    r"|または|もしくは|또는|혹은|이나)"
)
_JOINED = (
    rf"(?:\s*/\s*|\s*,?\s+(?:and\s*/\s*)?{_OR}\s+"
    r"|\s*(?:或者|或是|或|还是|または|もしくは|か(?!ら))\s*)"
)
_OR_BEFORE = Pattern(
    rf"[\w\"')]\s*{_JOINED}(?:(?:maybe|perhaps|possibly|even|an?|the)\s+)*(?:\w+[\s-]){{0,1}}[\"'(]*\Z",
    needs="or oder ou или hoặc",
    signs="/",
    cjk=True,
)
#: "rojo o azul"; in a longer text the word may be a Portuguese article.
_SPANISH_OR = re.compile(r"\W*[\w-]+(?:\s[\w-]+)?\s+o\s+[\w-]+(?:\s[\w-]+)?\W*", re.IGNORECASE)
_STOP = r"(?!(?:on|in|at|of|with|by|to|from|that|which|is|are|was|and|but|as|for|like)\b)"
_OR_AFTER = re.compile(
    rf"[\"')]*(?:,?\s+{_STOP}\w+)?(?:\s*,\s*(?:(?:an?|the|some)\s+)?\w+(?:\s+{_STOP}\w+)?){{0,3}}{_JOINED}(?=[\w\"'(])",
    re.IGNORECASE,
)
_SECOND_GUESS = Pattern(
    r"\w,\s*(?:possibly|perhaps|maybe)\s+(?:an?\s+)?\Z", needs="possibly perhaps maybe"
)
_MAYBE = Pattern(
    r"\b(?:maybe|perhaps|possibly|could\s+be|might\s+be)\b",
    needs="maybe | perhaps | possibly | could be | might be",
    inside=True,
)
_ITEM = r"(?:(?:an?|the|some|and|or|\d+)\s+){0,3}[\w'-]{1,40}(?:[ ][\w'-]{1,40}){0,2}[ ]?"
#: So many things are a list that does not decide on one of them.
_LONG = 5
#: How far from a mention the items of its list are looked for, in characters.
_LIST_REACH = 200
#: What separates them, and what stands in none.
_SEPARATOR, _NO_LIST = re.compile("[,、，;/]"), re.compile(r"[^\w\s'\-,、，;/]")
_LIST = re.compile(
    rf"(?:{_ITEM}[,、，;/]\s*){{2,}}(?:(?:and|or|und|et|y)\s+)?{_ITEM}(?:(?:\s+and|\s+or)\s+{_ITEM})?",
    re.IGNORECASE,
)

#: What makes a thing a guess: "he could also be a doctor".
_GUESSED = Pattern(
    r"\b(?:(?:could|might|may)\s+(?:(?:also|well|just|as|easily|equally|possibly|perhaps|even)\s+)*"
    r"(?:be|mean|hold|show|represent|indicate|suggest)|possibly|perhaps|maybe)\s+"
    r"(?:(?:that|from|in|at|on|about|he's|she's|it's|they're|(?:he|she|it|this|they)\s+(?:is|are)|an?"
    r"|the|some|option|choice)\s+)*[\"'(]*\Z",
    needs="could might may possibly perhaps maybe",
)
#: "If it is one dollar, it's the blue one; if it's one cent, the brown one."
_CONDITIONAL = Pattern(
    r"(?:\b(?:if(?!\s+(?:I|we|you)\s)|in\s+case|wenn|falls|если)|(?:\A|(?<=[.;!?]\s))s[ie])\b[^.;!?\n]*\Z"
    r"|(?:如果|もし|만약|若)[^。;!?\n]*\Z",
    needs="if case wenn falls si se если",
    cjk=True,
)


def joined_groups(plain: str, hits: Sequence[Hit[T]]) -> list[list[int]]:
    """Places of hits that a list joins: "A, B or C"; hits joined by commas alone stay apart, unless
    they stand in brackets.

    >>> joined_groups("A, B or C; D, A", [Hit(0, 0, 1), Hit(1, 3, 4), Hit(2, 8, 9), Hit(3, 11, 12)])
    [[0, 1, 2], [3]]
    """
    groups: list[list[int]] = []
    firm: list[bool] = []
    for place, hit in enumerate(hits):
        before = hits[place - 1] if place else None
        gap = hit.start - before.end if before else _LIST_GAP + 1
        near = before is not None and 0 <= gap <= _LIST_GAP
        match = _JOIN.fullmatch(plain, before.end, hit.start) if near and before else None
        # A letter and its own text are one item: "A (a cat), B (a dog) or C".
        own = (
            near
            and before is not None
            and (
                before.value == hit.value and len(plain[before.end : hit.start].strip()) <= OWN_GAP
            )
        )
        if match or own:
            groups[-1].append(place)
            firm[-1] = firm[-1] or bool(match and (match["firm"] or match["so"]))
        else:
            groups.append([place])
            firm.append(False)
    for place, group in enumerate(groups):
        start, end = hits[group[0]].start, hits[group[-1]].end
        firm[place] |= plain[max(0, start - 1) : start] + plain[end : end + 1] == "()"
    return [
        part
        for group, whole in zip(groups, firm, strict=True)
        for part in ([group] if whole or len(group) >= _MANY else [[item] for item in group])
    ]


def is_alternative(text: str, span: Span, mentions: Sequence[Span] = ()) -> bool:
    """Whether a text offers something else in the place of a mention: "red or blue"."""
    start, end = span
    others = [other for other in mentions if other != span]
    before = _OR_BEFORE.search(text[max(0, start - _FAR) : start])
    if before and not any(0 <= start - other[1] <= 12 for other in others):
        return True
    after = _OR_AFTER.match(text, end)
    if after and not any(0 <= other[0] - after.end() <= 8 for other in others):
        return True
    if others:
        return False
    guessed = _SECOND_GUESS.search(text[max(0, start - _FAR) : start])
    return bool(guessed) or _only_guesses(text)


@lru_cache(maxsize=16)
def _only_guesses(text: str) -> bool:
    """Whether all of a text is two guesses; asked for each mention in it, and read once."""
    # "maybe red, maybe blue"
    return bool(_SPANISH_OR.fullmatch(text)) or len(list(_MAYBE.finditer(text))) > 1


def is_listed(text: str, span: Span, least: int = _LONG) -> bool:
    """Whether a mention is one of some items, or more, of a list."""
    first, last = max(0, span[0] - _LIST_REACH), min(span[1] + _LIST_REACH, len(text))
    # No list reaches beyond these signs, and none has fewer than two separators.
    first = max((match.end() for match in _NO_LIST.finditer(text, first, span[0])), default=first)
    stop = _NO_LIST.search(text, span[1], last)
    last = stop.start() if stop else last
    if len(_SEPARATOR.findall(text, first, last)) < 2:
        return False
    for match in _LIST.finditer(text, first, last):
        if match.start() <= span[0] and span[1] <= match.end():
            inside = f"{text[match.start() : span[0]]}#{text[span[1] : match.end()]}"
            items = re.split(r"[,、，;/]|\b(?:and|or)\b", inside)
            return len([item for item in items if item.strip()]) >= least
    return False


def is_guess(before: str) -> bool:
    """Whether what stands before a thing makes it a guess, or one of several cases.

    >>> is_guess("If it is one dollar, it's the "), is_guess("it is a ")
    (True, False)
    """
    return bool(_GUESSED.search(before) or _CONDITIONAL.search(before))
