"""The forms in which yes/no questions ask: of a statement, of a thing that is there, or is had."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from chef.frozen import Frozen
from chef.reading.characters import CJK
from chef.reading.lexicon import alternation, word_rows
from chef.reading.number_words import TEENS, UNITS
from chef.reading.opposites import comparative_of, sides_of, stems_of
from chef.reading.patterns import Pattern
from chef.reading.questions import content_places

_DEFINITE = r"(?:der|die|das|dem|den|la|le|les|el|il|lo|l['’]|o|os|as)"
_PLACE_IN = (
    r"(?:auf|im|in|an|am|unter|hinter|neben|sur|dans|sous|derrière|devant|en|sobre|debajo|detrás|delante|nell\w*|sul\w*|sotto"
    r"|dietro|davanti|na|no|em|debaixo|atrás|на|в|под|за|перед)"
)
_EXISTENCE_QUESTION = re.compile(
    r"(?:\b(?:is|are|was|were|isn't|aren't)\s+there|\bdoes?(?:n't)?\s+(?:the|this)\s+(?:image"
    r"|picture|photo|scene|photograph|chart|graph|figure|diagram|map|plot|table|list"
    r"|menu|document|page|form|letter|contract|invoice|receipt|bill|certificate|envelope|card|label|poster"
    r"|room|kitchen|bathroom|bedroom)\s+(?:\w+\s+)?(?:contain|show|have|include|depict|feature|bear|carry|indicate|reveal)s?|\bdoes\s+(?:the|this)\s+(?:[\w-]+\s+){1,3}?(?:include|depict|feature|show(?=\s+(?:any|signs?|evidence|traces?)\b))|\b(?:do|can"
    r"|could)\s+you\s+(?:see|find|spot|detect|notice)|\bhas\s+(?:the|this)\s+(?:image|picture"
    r"|photo))\s+"
    r"(?:(?:an?|any|the|some|at\s+least\s+one|one|more\s+than\s+one|(?:clear\s+)?(?:signs?|evidence|traces?|indications?)\s+of)\s+)*"
    r"(?P<thing>[^?.,;\n]+)"
    r"|\A\W*(?:is|are|was|were)\s+(?:(?:an?|any|the"
    r"|some)\s+)*(?P<shown>[^?.,;\n]{1,50}?)\s+(?:present|visible|shown|depicted|in\s+(?:the"
    r"|this)\s+(?:image|picture|photo|scene))\W*\Z"
    r"|\A\W*(?:is|are|was|were)\s+(?P<who>any(?:one|body)|some(?:one|body))\b",
    re.IGNORECASE,
)
#: "Gibt es auf dem Bild einen Hund?", "Есть ли на столе чашка?": a place may come first.
_FOREIGN_EXISTENCE = Pattern(
    lambda: (
        rf"[\s¿]*{alternation(word_rows('existence_asked'))}\s+(?:{_PLACE_IN}\s+(?:{_DEFINITE}\s+)?\w+\s+)?"
        r"(?P<thing>[^?.,;\n]+)"
    ),
)
_THING_END = re.compile(
    r"\b(?:in|on|at|under|behind|near|next|beside|above|below|among|between|inside|with|by|from"
    r"|to|of\s+the|that|who|which|anywhere|visible|present|there|here|shown|wearing|sitting"
    r"|standing|leaning|lying|hanging|around|against|across|left"
    rf"|{_PLACE_IN}|mit|avec|con|com|рядом|zu)\b",
    re.IGNORECASE,
)
_ABSENCE_QUESTION = re.compile(
    r"\b(?P<free>free\s+of|devoid\s+of|without|lack(?:s|ing)?|there\s+no)\s+(?P<thing>[^?.,;\n]+)|\b(?:is"
    r"|are)\s+(?:the|a|an|any)?\s*(?P<subject>[^?.,;\n]{1,40}?)\s+(?:missing|absent|gone)\b",
    re.IGNORECASE,
)
_LEADING_NUMBER = re.compile(
    rf"\A\s*(?:exactly\s+|only\s+)?(?:\d+|{'|'.join([*UNITS, *TEENS])})\s+", re.IGNORECASE
)
_CJK = re.compile(f"[{CJK}]")
_NO_COLORS = Pattern(
    r"\bblack[- ](?:and|&)[- ]white\b"
    r"(?=\W*(?:\Z|[.,;!?]|photo|picture|image|film|print|shot|footage))",
    needs=["white black"],
)
#: "less expensive", "not quite as tall as"
_DEGREE = Pattern(
    r"(?:\b(?P<more>more|less)|(?:\bnot|n't)\s+(?:quite\s+|nearly\s+)?(?:as|so))\s+(?P<how>\w{3,})(?P<as>\s+as\b)?",
    needs=["than more", "than less", "as not", "so not", "as t", "so t"],
    inside=True,
)
#: "True or false: the cat is black.", "Is the claim 'The cat is black' true?"
_STATED = re.compile(
    r"\btrue\s+or\s+false\b\W{1,4}(?P<then>[^\"“”?\n]{8,}\w)"
    r"|\b(?:statement|claim|sentence|assertion)\b[^\"“:?]{0,40}[\"“:]\s*[\"“]?(?P<quoted>[^\"”?\n]{8,}\w)"
    r"|\A\W*(?P<first>[^?\"”:\n]{8,}?)[\"”.?]+\s*(?:is\s+(?:this|that)\s+)?\(?true\s+or\s+false\b",
    re.IGNORECASE,
)
_IS_TRUE = re.compile(r"\b(?:true|correct|right)\b", re.IGNORECASE)
#: "Compared with Ann, is Tom taller?"
_COMPARED = re.compile(
    r"\A\W*compared\s+(?:with|to)\s+(?P<other>[^,?]+),\s*(?P<rest>[^?\n]+)\?", re.IGNORECASE
)
#: "Can you confirm that it is black?", "The cat is black, isn't it?"
_ASSERTED = re.compile(
    r"\A\W*(?:(?:can|could)\s+you\s+confirm|is\s+it\s+(?:true|correct|right|the\s+case)(?=\s+that)|would\s+you\s+(?:say|agree)"
    r"|do\s+you\s+(?:think|agree|believe))\s+(?:that\s+)?(?P<that>(?:(?!n't|\b(?:not|no|never)\b)[^?\n]){8,}\w)\s*\?"
    r"|\A\W*(?P<tagged>(?:(?!n't|\b(?:not|no|never)\b)[^?\n]){8,}?),\s+(?:right|correct|true|am\s+I\s+right"
    r"|(?:is|are|was|were|do|does|did|has|have|can|will)n't\s+\w+)\s*\?",
    re.IGNORECASE,
)
#: "Is the tallest bar the one for Norway?"
_THE_ONE = re.compile(
    r"\A(\W*\w+)\s+(the\s+\w+est(?:\s+\w+)?)\b[^?\n]*?\s+the\s+(?:one|that)\s+(?:for|of|in|from)\s+([^?\n]+)\?"
)
_VERB = re.compile(
    r"(?P<who>[^.;:!?\n]{2,80}?)\s+(?P<verb>is|are|was|were|can|will|has|have|does|do)\s+(?P<rest>[^\n]+)",
    re.IGNORECASE,
)


def as_question(text: str) -> str:
    """The statement of which a text asks whether it is true, as a question; else the text.

    >>> as_question("True or False: The cat is black.")
    'is The cat black?'
    >>> as_question("Compared with Ann, is Tom taller?")
    'is Tom taller than Ann?'
    """
    if match := _COMPARED.match(text):
        text = f"{match['rest']} than {match['other']}?"
    elif match := _THE_ONE.match(text):
        text = f"{match[1]} {match[3]} {match[2]}?"
    match = _ASSERTED.match(text) or (_STATED.search(text) if _IS_TRUE.search(text) else None)
    if match is None:
        return text
    statement = next(item for item in match.groups() if item)
    verb = _VERB.fullmatch(statement)
    return f"{verb['verb']} {verb['who']} {verb['rest']}?" if verb else f"{statement}?"


class AskedThing(Frozen):
    """The stems of a thing of which a question asks whether it is there, or, if ``absent``, not."""

    stems: tuple[str, ...]
    absent: bool


def asked_thing(text: str) -> AskedThing | None:
    """The thing of which a question asks whether it is there.

    >>> asked_thing("Is there a red dog in the yard?").stems
    ('red', 'dog')
    """
    absence = _ABSENCE_QUESTION.search(text)
    existence = absence or _EXISTENCE_QUESTION.search(text) or _FOREIGN_EXISTENCE.match(text)
    if existence is None:
        return None
    names = [value for key, value in existence.groupdict().items() if key != "free"]
    name = _LEADING_NUMBER.sub("", next(name for name in names if name))
    end = _THING_END.search(name, 1)
    words = stems(name[: end.start()] if end else name) or stems(name)
    return AskedThing(tuple(words), absence is not None)


@cache
def _owning() -> tuple[re.Pattern[str], dict[str, frozenset[str]]]:
    """The pattern of verbs of having, and the stems of where each has its thing."""
    rows = [row.partition(":") for row in word_rows("owning")]
    places = {verb: frozenset(stems_of(at)) for verbs, _, at in rows for verb in verbs.split()}
    article = r"(?:an?|any|some|the|einen?|keinen?|une?|des|un[ao]?s?|uma?|alcun\w*)"
    return re.compile(
        rf"(?<!\w)(?P<verb>{'|'.join(places)})(?:-t-\w+)?\s+(?:(?P<who>{_DEFINITE}\s+\w+)\s+)?"
        rf"(?:{article}\s+)*(?P<thing>(?:(?!{_DEFINITE}\b)[^\s?.,;]+\s*)+)",
        re.IGNORECASE,
    ), places


def asked_owned(text: str, words: Sequence[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The stems of the thing that a question asks whether somebody has, and of where it is then."""
    pattern, places = _owning()
    match = pattern.search(text)
    if match is None or len(words) < 2:
        return (), frozenset()
    end = _THING_END.search(match["thing"], 1)
    thing = stems(match["thing"][: end.start()] if end else match["thing"])
    if not match["who"] and not text[: match.start()].strip(" ¿") and len(thing) > 1:
        thing = thing[1:]  # "Носит ли мужчина очки?"
    return tuple(thing), places[match["verb"].lower()]


def without_colors(text: str) -> str:
    """A text with one word for "black and white", "on time", "less tall" and the like, of the same
    length.

    >>> without_colors("Is it in black and white?"), without_colors("less tall than")
    ('Is it in monochrome     ?', 'lower     than')
    """
    text = _DEGREE.sub(_compared, text)
    text = _NO_COLORS.sub(lambda match: "monochrome".ljust(len(match[0])), text)
    pattern, names = _set_phrases()
    return pattern.sub(lambda match: names[match[0].lower()].ljust(len(match[0])), text)


def _compared(match: re.Match[str]) -> str:
    """The comparative for "more" or "less" with an adjective, or for "not as tall as"."""
    more, how = match["more"], comparative_of(match["how"].lower())
    if not how or (match["as"] is None) == (more is None):
        return match[0]
    contrary = min(sorted(sides_of(how)[1]), key=len)
    if more:
        return (how if more.lower() == "more" else contrary).ljust(len(match[0]))
    return f" {contrary} than".ljust(len(match[0]))


@cache
def _set_phrases() -> tuple[Pattern, dict[str, str]]:
    """The pattern of phrases for which a word stands, and the word of each."""
    rows = [row.partition(":") for row in word_rows("set_phrases")]
    names = {phrase.strip().lower(): word.strip() for phrase, _, word in rows}
    words = [" ".join(re.findall(r"\w+", phrase)) for phrase in names]
    return Pattern(alternation(names).replace(r"(?:,?\s+|-)", "[ -]"), needs=words), names


def stems(text: str) -> list[str]:
    """The stems of the content words of a text, in order, without Chinese characters.

    >>> stems("Is the light on?")
    ['light', 'on']
    """
    words = [word for word, _, _ in content_places(text) if not _CJK.search(word)]
    # These are empty words elsewhere.
    extra = re.findall(r"\b(?:left|right|up|down|on|off|still)\b(?=\W*\Z)", text.lower())
    return words + [word for word in extra if word not in words]
