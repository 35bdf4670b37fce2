"""Tell whether a passage asserts a phrase that it mentions, or rules it out, offers or compares it.

Positions are those of the passage; a mention is a span ``(start, end)``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from chef.reading.negation import negated, refused_text

Span = tuple[int, int]

#: Where a clause begins; a negation before it does not reach into it.
_CLAUSE = re.compile(
    r"[.,;:!?\n。，；！？](?!\d)|\b(?:but|and|while|whereas|because|so|although|however|then|instead|aber"
    r"|sondern|mais|pero|sino|ma|però|mas|но|а)\b|而是|但",
    re.IGNORECASE,
)
_REACH = 80
#: "not holding an umbrella", "doesn't have a hat", "no red umbrella"
_NOT_FAR = re.compile(
    r"(?:\b(?:not(?!\s+(?:only|just|merely|sure|certain|clear|entirely|all|every))|never|cannot)\b"
    r"|n't\b)(?:\s+(?!is\b|are\b|was\b|that\b|than\b)[\w'-]+){0,4}\s+[\"'(\[]*\Z"
    r"|\b(?:no(?!\s+(?:doubt|wonder))|without|neither|nor|hardly|barely)\b"
    r"(?:\s+(?!is\b|are\b|was\b|has\b|doubt\b)[\w'-]+){0,2}\s+[\"'(\[]*\Z"
    r"|\b(?:non|não|nao|no|не|ne|nicht|pas|geen|niet)\s+(?:(?:è|é|es|está|est|un[ae]?|ein\w*|uma?|это|"
    r"una|el|la)\s+){0,2}\Z"
    r"|(?:不是|并非|没有|不|非|没)\s*(?:一[只个辆条张把]|任何|的是)?\s*\Z",
    re.IGNORECASE,
)
_NOT_IDIOM = re.compile(
    r"\b(?:no\s+longer|anything\s+(?:but|except)|far\s+from)\s+(?:an?\s+|the\s+)?\Z",
    re.IGNORECASE,
)
_NOT_AFTER = re.compile(
    r"[\"')\]]*\s*(?:ではな|じゃな|ではあり|じゃあり|でな|이\s*아니|가\s*아니|이\s*아닙|가\s*아닙|아니|아닙|は違)"
    r"|[\"')\]]*\s+(?:is|are|was|would\s+be)\s+(?:wrong|incorrect|false|not\s+correct)\b",
    re.IGNORECASE,
)
#: What something is compared with, or comes after: "than the one for France".
_COMPARED = re.compile(
    r"\b(?:than|compared\s+(?:to|with)|in\s+comparison\s+(?:to|with)|unlike|(?:as\s+)?opposed\s+to"
    r"|versus|vs\.?|followed\s+by|similar\s+to|instead\s+of|rather\s+than|in\s+contrast\s+to)\s+"
    r"(?:(?:the|that|those|ones?|bar|value|for|of|in|from|an?|is|by)\s+){0,5}[\"'(]*\Z"
    r"|(?<!\blooks\s)(?<!\blook\s)(?<!\bseems\s)(?<!\bsounds\s)\blike\s+an?\s+\Z"
    r"|[比]\s*\Z"
    r"|\b(?:while|although|though|even\s+(?:if|though))\s+(?:it|this|that|they)\s+(?:may|might|could"
    r"|looks?|seems?|appears?|resembles?)\b[^,.;!?\n]*\Z",
    re.IGNORECASE,
)
#: "It looks like a wolf, but it is a dog"
_SEEMS = re.compile(
    r"\b(?:look(?:s|ed)?|seem(?:s|ed)?|appear(?:s|ed)?|resemble[sd]?|sound(?:s|ed)?)\b(?:\s+(?:like|to\s+be|similar\s+to|an?|the))*\s+\Z",
    re.IGNORECASE,
)
_WAS = re.compile(r"\b(?:was|were|used\s+to\s+be)\s+(?:an?\s+|the\s+)?\Z", re.IGNORECASE)
_NOW = re.compile(
    r"(?:\s+\w+){0,3},?\s+(?:but|and)\s+(?:\w+\s+)?(?:now|is)\b"
    r"|(?:\s+\w+){0,6},?\s+(?:but|and)\s+(?:now|here)\b",
    re.IGNORECASE,
)
_BUT = re.compile(r"[\w\s]{0,30},?\s+but\s+(?!I\b)", re.IGNORECASE)
_OR = (
    r"(?:or(?!\s+(?:not|so|less)\b)|oder|ou|или|hoặc|或者|或是|或|还是"
    r"|または|もしくは|또는|혹은|이나)"
)
_JOINED = (
    rf"(?:\s*/\s*|\s*,?\s+(?:and\s*/\s*)?{_OR}\s+"
    r"|\s*(?:或者|或是|或|还是|または|もしくは|か(?!ら))\s*)"
)
_OR_BEFORE = re.compile(
    rf"[\w\"')]\s*{_JOINED}(?:(?:maybe|perhaps|possibly|even|an?|the)\s+)*(?:\w+[\s-]){{0,1}}[\"'(]*\Z",
    re.IGNORECASE,
)
#: "rojo o azul"; in a longer text the word may be a Portuguese article.
_SPANISH_OR = re.compile(r"\W*[\w-]+(?:\s[\w-]+)?\s+o\s+[\w-]+(?:\s[\w-]+)?\W*", re.IGNORECASE)
_STOP = r"(?!(?:on|in|at|of|with|by|to|from|that|which|is|are|was|and|but|as|for|like)\b)"
_OR_AFTER = re.compile(
    rf"[\"')]*(?:,?\s+{_STOP}\w+)?(?:,\s*\w+){{0,3}}{_JOINED}(?=[\w\"'(])", re.IGNORECASE
)
_SECOND_GUESS = re.compile(r"\w,\s*(?:possibly|perhaps|maybe)\s+(?:an?\s+)?\Z", re.IGNORECASE)
_MAYBE = re.compile(r"\b(?:maybe|perhaps|possibly|could\s+be|might\s+be)\b", re.IGNORECASE)
_ITEM = r"(?:(?:an?|the|some|and|or|\d+)\s+){0,3}[\w'-]{1,40}(?:[ ][\w'-]{1,40}){0,2}[ ]?"
#: So many things are a list: it does not decide on one of them.
_MANY = 5
#: How far from a mention the items of its list are looked for, in characters.
_LIST_REACH = 200
_LIST = re.compile(
    rf"(?:{_ITEM}[,、，;/]\s*){{3,}}(?:(?:and|or|und|et|y)\s+)?{_ITEM}(?:(?:\s+and|\s+or)\s+{_ITEM})?",
    re.IGNORECASE,
)


def asserted(text: str, span: Span, mentions: Sequence[Span] = ()) -> bool:
    """Whether a text says that what is mentioned holds.

    Args:
        text: a passage without markup.
        span: the mention.
        mentions: all mentions of what is right; an alternative to one of these does no harm.

    >>> asserted("blue, not red", (10, 13)), asserted("blue, not red", (0, 4))
    (False, True)
    >>> asserted("red or blue", (0, 3)), asserted("red or blue", (0, 3), [(0, 3), (7, 11)])
    (False, True)
    """
    return not (
        ruled_out(text, span) or is_alternative(text, span, mentions) or _is_listed(text, span)
    )


def ruled_out(text: str, span: Span) -> bool:
    """Whether a mention is negated, compared with something, or what only seemed or was so.

    >>> ruled_out("not holding a bag", (14, 17)), ruled_out("holding a bag", (10, 13))
    (True, False)
    """
    start, end = span
    if negated(text, start) or refused_text(text, end) or _NOT_AFTER.match(text, end):
        return True
    before = text[max(0, start - _REACH) : start]
    if _SEEMS.search(before) and _BUT.match(text, end):
        return True
    if _WAS.search(before) and _NOW.match(text, end):
        return True
    limits = [match.end() for match in _CLAUSE.finditer(before)]
    clause = before[limits[-1] :] if limits else before
    return bool(_NOT_FAR.search(clause) or _NOT_IDIOM.search(before) or _COMPARED.search(before))


def is_alternative(text: str, span: Span, mentions: Sequence[Span] = ()) -> bool:
    """Whether a text offers something else in the place of a mention: "red or blue"."""
    start, end = span
    others = [other for other in mentions if other != span]
    before = _OR_BEFORE.search(text[max(0, start - _REACH) : start])
    if before and not any(0 <= start - other[1] <= 12 for other in others):
        return True
    after = _OR_AFTER.match(text, end)
    if after and not any(0 <= other[0] - after.end() <= 8 for other in others):
        return True
    if others:
        return False
    guessed = _SECOND_GUESS.search(text[max(0, start - _REACH) : start])
    return bool(guessed) or _only_guesses(text)


@lru_cache(maxsize=16)
def _only_guesses(text: str) -> bool:
    """Whether all of a text is two guesses; asked for each mention in it, and read once."""
    # "maybe red, maybe blue"
    return bool(_SPANISH_OR.fullmatch(text)) or len(_MAYBE.findall(text)) > 1


def _is_listed(text: str, span: Span) -> bool:
    first, last = max(0, span[0] - _LIST_REACH), span[1] + _LIST_REACH
    for match in _LIST.finditer(text, first, min(last, len(text))):
        if match.start() <= span[0] and span[1] <= match.end():
            inside = f"{text[match.start() : span[0]]}#{text[span[1] : match.end()]}"
            items = re.split(r"[,、，;/]|\b(?:and|or)\b", inside)
            return len([item for item in items if item.strip()]) >= _MANY
    return False
