"""Which sentences and mentions of an answer are about what the question asks for."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from chef.reading.answering import parts as clauses_of
from chef.reading.assertion import ruled_out
from chef.reading.lexicon import clause_limit, word_list
from chef.reading.opposites import places_named
from chef.reading.questions import content_places, content_words
from chef.reading.text import sentence_end
from chef.reading.word_index import spans_of

Span = tuple[int, int]

#: A question for one property or one name: "What color is the bus?", "Which animal is it?"
_ONE_ASKED = re.compile(
    r"\b(?:what|which)\s+(?:(?:kind|type|sort)\s+of\s+)?(?P<noun>(?!(?:is|are|was|were|do|does|did"
    r"|can|has|have|will|the|a|an)\b)[a-z]+)\s+(?:(?:is|are|was|were|does|do|did|has|have|had|saw|can)\b|of\b)",
    re.IGNORECASE,
)
_PROPERTY_ASKED = re.compile(
    r"\bwhat(?:'s|\s+(?:is|was))\s+the\s+(?:colou?r|material|shape|size|name|brand|breed|state|condition|status|position"
    r"|location|pattern|mood|expression|age|price)\s+of\b",
    re.IGNORECASE,
)
_COLOR_ASKED = re.compile(
    r"\b(?:what|which)\s+colou?r\b|\bwhat(?:'s|\s+is|\s+was)\s+the\s+colou?r\b", re.IGNORECASE
)
_WHERE = re.compile(
    r"\W*(?:where(?:'s|\s+(?:is|are|was|were))|(?:in|on)\s+(?:which|what)\s+(?:direction|side|part))\b",
    re.IGNORECASE,
)
#: 图中的帽子是什么颜色？
_CHINESE_SUBJECT = re.compile(
    r"(?:请问)?(?:在?(?:图片?|照片|画面)(?:中|里|上)?的?)?(?P<who>[\u4e00-\u9fff]{1,10}?)"
    r"(?:是什么|有什么|的颜色|是哪|在哪|位于|正在|在做)"
)
_CHINESE_PART = re.compile(r"(?:[^。；;！!\n，,]|[，,](?!而(?!是)))+")
#: A sentence that begins so speaks of another thing than the one before.
_NEW_SUBJECT = re.compile(
    r"\s*(?:there\s+(?:is|are)|another|(?:all\s+(?:the\s+)?)?others?|(?:in|on)\s+the\s+(?:background|foreground|left|right)"
    r"|(?:the|an?)\s+(?!(?:image|picture|photo|answer|color|colour)\b)\w+|next\s+to|behind|nearby)\b",
    re.IGNORECASE,
)
#: What another thing is near to: "the motorcycle ahead of the taxi".
_NEAR = re.compile(
    r"\w\W+\w+\W+(?:\w.*\b)?(?P<near>ahead|next|behind|beside|front|near|close|left|right|top)(?:\s+(?:of|to))?"
    r"\s+(?:an?|the|his|her|its|their)?\s*\Z",
    re.IGNORECASE | re.DOTALL,
)
_REMARK = re.compile(r"\((?:the\s+)?[\"']?\Z", re.IGNORECASE)
_REMARKED = re.compile(
    r"[\"']?\s+(?:is|are|was|were|lies?|would|has|had|comes?|came|follows?)\b", re.IGNORECASE
)
_AND = re.compile(
    r"[\"')]*\s*(?:,\s*)?(?:and|&|und|et|y)\s+(?:(?:an?|the|dark|light)\s+)*(?P<next>\w+)"
    r"(?P<rest>[^.,;!?\n]*)",
    re.IGNORECASE,
)
#: Behind the word that `_AND_BEFORE` looks for stands one of these.
_JOINING = ("and", "&", "und", "et", "y", "a", "an", "the", "dark", "light")
_AND_BEFORE = re.compile(
    r"(?<!\w)(?P<next>\w++)\s*,?\s+(?:and|&|und|et|y)\s+(?:(?:an?|the|dark|light)\s+)*\Z",
    re.IGNORECASE,
)
#: "Both Dresden and Meissen"
_BOTH = re.compile(r"\b(?:both|beide|sowohl|ambos|ambas)\s+(?:the\s+)?\Z", re.IGNORECASE)
_PART_END = clause_limit("and but while", ".,;\n")
_ALSO_COLOR = re.compile(r",?\s+(?:and|und|et|y|e)\s+(?:\w+\s+)?|,\s+", re.IGNORECASE)
#: So many characters before a color "with" is looked for.
_NEAR_WITH = 40
_WITH = re.compile(r"\bwith\s+(?:(?:an?|the|some|its)\s+)?\Z", re.IGNORECASE)
_CLAUSE_START = re.compile(
    r"(?:it|he|she|they|there|this|that|is|are|was|has|have|i|we|you|not|so|then|its|his|the)\Z",
    re.IGNORECASE,
)
#: Where a clause about another thing may begin: "and the chair is".
_CLAUSE_OF_OTHER = re.compile(
    r"\b(?:while|whereas)\b|,?\s+(?:and|but)(?=\s+(?:the|his|her|its|their)\s+\w+(?:\s+\w+)?\s+(?:is|are|was"
    r"|were|has|had|have)\b)",
    re.IGNORECASE,
)
#: So far before a mention its list may begin, in characters.
_LIST_REACH = 300
#: Where other things are than the one that is shown.
_ASIDE = re.compile(r"\bin\s+the\s+(?:background|distance)\b", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_OR_ITEM = r"(?:or|oder|ou)\s*\n\s*(?:[-•*]|\d+[.)])\s"
#: "It could be one of two things:", and an item of a list that ends with "or".
_OPEN_LIST = re.compile(
    r"\b(?:could|might|may)\s+be\s+(?:either(?:\s+one)?|one)\s+of\b[^.;!?]*:"
    r"(?:[^.;!?\n]|(?<=\d)\.|\n(?!\n\s*[^\W\d]))*\Z"
    rf"|[,\s]{_OR_ITEM}[^\n]*\Z",
    re.IGNORECASE,
)
_OR_NEXT = re.compile(rf"[^.;!?\n]*[,\s]{_OR_ITEM}", re.IGNORECASE)


@lru_cache(256)
def asks_for_one(question: str) -> bool:
    """Whether a question asks for a single name or property.

    >>> asks_for_one("What color is the bus?"), asks_for_one("What is on the table?")
    (True, False)
    """
    match = _ONE_ASKED.search(question)
    if match is None:
        return _PROPERTY_ASKED.search(question) is not None
    return not match["noun"].lower().endswith("s")


def other_subjects(text: str, question: str) -> list[Span]:
    """The sentences about other things than the one asked about.

    >>> other_subjects("The bus is red. The car is blue.", "What color is the bus?")
    [(15, 32)]
    """
    if who := _CHINESE_SUBJECT.match(question):
        parts = [match.span() for match in _CHINESE_PART.finditer(text)]
        mine = [who["who"] in text[slice(*span)] for span in parts]
        return [span for span, is_mine in zip(parts, mine, strict=True) if any(mine) > is_mine]
    if not asks_for_one(question) and not _WHERE.match(question):
        return []
    asked = content_words(question)
    spans = _sentences(text)
    shared = [
        0
        if _ASIDE.search(text, *span) and not _ASIDE.search(question)
        else len(asked & content_words(text[slice(*span)]))
        for span in spans
    ]
    best = max(shared, default=0)
    return [
        span
        for span, count in zip(spans, shared, strict=True)
        if count < best and _NEW_SUBJECT.match(text, *span)
    ]


def _sentences(text: str) -> list[tuple[int, int]]:
    spans, start = [], 0
    while start < len(text):
        end = min(len(text), sentence_end(text, start, len(text)) + 1)
        other = _CLAUSE_OF_OTHER.search(text, start + 1, end)
        end = other.end() if other else end
        spans.append((start, end))
        start = end
    return spans


def is_shared(text: str, span: tuple[int, int], question: str) -> bool:
    """Whether a text joins another answer to a mention, where the question asks for one.

    >>> is_shared("red and blue", (0, 3), "What color is the bus?")
    True
    """
    if not asks_for_one(question):
        return False
    start, end = span
    is_joined = "".join(text[:start].rsplit(None, 1)[-1:]).lower().endswith(_JOINING)
    after, before = _AND.match(text, end), is_joined and _AND_BEFORE.search(text[:start])
    if after and _BOTH.search(text[:start]):
        return True
    if _COLOR_ASKED.search(question):
        joined = {match["next"].lower() for match in (after, before) if match}
        return bool(joined & word_list("colors"))
    if before and len(text[: before.start()].split()) < 3:
        return True
    if after is None or _CLAUSE_START.match(after["next"]):
        return False
    return len(after["rest"].split()) < 2


def is_landmark(text: str, span: tuple[int, int], question: str) -> bool:
    """Whether a mention only says where another thing is, and the question does not ask where.

    >>> is_landmark("The animal is a dog next to a cat.", (29, 32), "Which animal is the largest?")
    True
    """
    match = _NEAR.search(text[max(0, span[0] - 80) : span[0]])
    if match is None or not asks_for_one(question):
        return False
    return match["near"].lower() not in question.lower()


def is_remark(text: str, span: tuple[int, int]) -> bool:
    """Whether brackets behind an answer only say something of a mention.

    >>> is_remark("Lyon (Paris is further north)", (6, 11))
    True
    """
    opened = _REMARK.search(text, 0, span[0])
    is_behind = opened and _WORD.search(text, 0, opened.start())
    return bool(is_behind and _REMARKED.match(text, span[1]))


def is_open_item(text: str, span: Span, _: str = "") -> bool:
    r"""Whether a mention is an item of a list of which one holds, and it is not said which.

    >>> is_open_item("It is\n- a wasp, or\n- a bee", (10, 14))
    True
    """
    start = max(0, span[0] - _LIST_REACH)
    return bool(_OR_NEXT.match(text, span[1]) or _OPEN_LIST.search(text[start : span[0]]))


def is_of_other_thing(text: str, span: tuple[int, int], question: str) -> bool:
    """Whether a color is that of another thing: "a blue car next to the red bus".

    >>> is_of_other_thing("a blue car and a red bus", (2, 6), "What color is the bus?")
    True
    """
    bound = _colors_of_thing(text, question)
    return bool(bound) and not any(start <= span[0] < end for start, end in bound)


def is_placed_elsewhere(text: str, span: tuple[int, int], question: str) -> bool:
    """Whether a mention is of what is at another place than the one asked about, of which another
    sentence tells.

    >>> asked = "What is on the sofa?"
    >>> is_placed_elsewhere("A dog is on the rug. A cat is on the sofa.", (2, 5), asked)
    True
    """
    places = places_named(question.rstrip(" ?"))
    place = places[-1][1] if places else None
    if place is None or not place.landmark or len(content_words(question) - place.landmark) > 1:
        return False
    parts = [(start, end, text[start:end]) for start, end, _, _ in clauses_of(text)]
    there = [place.landmark <= content_words(part) for _, _, part in parts]
    mine = next((at for at, (start, end, _) in enumerate(parts) if start <= span[0] < end), None)
    if mine is None or there[mine] or not any(there):
        return False
    return any(
        other.landmark and other.landmark.isdisjoint(place.landmark)
        for _, other in places_named(parts[mine][2])
    )


@lru_cache(64)
def _colors_of_thing(text: str, question: str) -> tuple[Span, ...]:
    """Of a text's colors those of the thing asked about; cached for each mention."""
    if not _COLOR_ASKED.search(question):
        return ()
    colors = [color for color in _colors(text) if not ruled_out(text, color)]
    if len({text[slice(*color)].lower() for color in colors}) < 2:
        return ()
    asked = content_words(question)
    bound: list[Span] = []
    for color in colors:
        # "the boat is white and blue"
        joined = bound and _ALSO_COLOR.fullmatch(text, bound[-1][1], color[0])
        if _is_bound(text, color, asked) or (joined and not _noun_behind(text, color)):
            bound.append(color)
    return tuple(bound)


def _colors(text: str) -> list[Span]:
    return spans_of(text, word_list("colors"))


def other_colors(text: str, question: str) -> list[Span]:
    """The colors of other things, where a color is asked for.

    >>> other_colors("a red truck and a blue car", "What color is the car?")
    [(2, 5)]
    """
    if not _COLOR_ASKED.search(question):
        return []
    return [
        span
        for span in _colors(text)
        # "blue with a yellow stripe" has both
        if is_of_other_thing(text, span, question)
        and not _WITH.search(text, max(0, span[0] - _NEAR_WITH), span[0])
    ]


@lru_cache(64)
def _part_ends(text: str) -> list[int]:
    """Where the parts end of which a color is said of one thing. Cached."""
    return [match.end() for match in _PART_END.finditer(text)]


def _noun_behind(text: str, color: tuple[int, int]) -> str:
    """The stem of the word right behind a color: "red bus"; "" if it is none of a thing."""
    places = content_places(text[color[1] : color[1] + 30])
    return next((name for name, place, _ in places if place < 3), "")


def _is_bound(text: str, color: tuple[int, int], asked: frozenset[str]) -> bool:
    """Whether a color stands at the thing asked about: "red bus", "the bus is red"."""
    if noun := _noun_behind(text, color):
        return noun in asked and noun != "color"
    if not text[: color[0]].strip("\"'(* ") and re.match(r"\W*[.;]", text[color[1] :]):
        return True  # "Gray; the sea is blue."
    limits = _part_ends(text)
    before = bisect_right(limits, color[0])
    clause = text[limits[before - 1] if before else 0 : color[0]]
    # "it has been painted green"
    return bool(asked & content_words(clause)) or bool(re.match(r"\W*(?:it|they)\b", clause))
