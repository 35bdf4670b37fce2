"""Short answers that lean on the question, and statements that cannot be laid beside its words."""

from __future__ import annotations

import re
from itertools import pairwise

from chef.reading.asked import asked
from chef.reading.claims import Verdict
from chef.reading.clauses import clauses, is_denied, is_supposed
from chef.reading.lexicon import Phrases, word_rows
from chef.reading.number_forms import list_markers, numbers_in
from chef.reading.patterns import has_cjk
from chef.reading.quantified import asks_of_all
from chef.reading.questions import content_words
from chef.reading.text import Hit, fold, sentence_start

_SUBJECT = (
    r"(?:it|he|she|they|there|this|that|these|those|we|you|(?:both|all)(?:\s+of\s+them)?"
    # "The answer is" breaks off.
    r"|(?:the|an?)\s+(?!(?:answer|option|choice|result|conclusion|question)\b)\w+)"
)
_ELLIPSIS = re.compile(
    r"[\s\"']*(?:(?:well,?|it\s+(?:seems|appears)(?:\s+that)?)\s+)?"
    rf"{_SUBJECT}\s+(?:(?:sure|certainly|definitely|indeed|really|clearly"
    rf"|most\s+certainly|absolutely)\s+)?"
    r"(?:(?:is|are|was|were|does|do|did|has|have|can|could|may|will|would)(?P<not>\s+not|n't|'t"
    r"|not)?(?:\s+(?:indeed|actually|so|one|some))?"
    r"|(?:do(?:es)?(?P<not_like>\s+not|n't)\s+)?(?:\w+ly\s+)?(?:looks?|seems?|appears?)\s+(?:like|to\s+be)\s+"
    r"(?:one|it|the\s+case)(?!,?\s+but\b))\s{0,4}(?=[.,!:;—–]|-\s|\Z)",
    re.IGNORECASE,
)
_IS_NOT = re.compile(
    r"[\s\"']*(?:it|he|she|they|that)(?:'s|'re)\s+not\s{0,4}(?=[.,!;:—–]|-\s|\Z)",
    re.IGNORECASE,
)
_ENDING = re.compile(
    rf"\b(?P<none>(?:neither|none|not\s+one)\s+of\s+)?(?:{_SUBJECT})\s+(?:is|are|does|do|did|was|were|has|have)(?P<not>\s+not"
    rf"|n't)?\s*[.!]*\s*\Z",
    re.IGNORECASE,
)
#: "It stays where it is."
_SUBORDINATE = re.compile(r"\b(?:where|what|how|as|than)\s\Z", re.IGNORECASE)
#: In characters.
_LONGEST_ENDING = 80
_YOU = re.compile(
    r"[\s\"']*I\s+(?:(?:sure|certainly|definitely)\s+)?(?:can|do|could)(?P<not>\s+not|not|n't"
    r"|'t)?\s*(?=[.,!]|\Z)",
    re.IGNORECASE,
)
_ALL = re.compile(r"\b(?:all|both|every|each|everyone|everybody)\b", re.IGNORECASE)
_NOT_ALL = re.compile(
    r"[\s\"']*(?:only\s+(?:one|two|three|some|a\s+few|half|the|part)|not\s+(?:all|every|everyone"
    r"|both|each)|(?:just\s+)?one\s+of\s+(?:them|the)|(?:all|every\w*)\s+(?:but|except)|alle\s+(?:bis\s+auf|außer)"
    r"|tou(?:s|tes)\s+sauf|tod[oa]s\s+(?:menos|exceto|excepto)|tutt[ie]\s+tranne|все,?\s+кроме|some\s+(?:are|do|of)|neither|none)\b",
    re.IGNORECASE,
)
_ASKS_ALL = re.compile(
    r"\W*(?:are|is|do|does|did|have|has|were|was|can|will)\s+"
    r"(?:all|every|each|both|everyone|everybody)\b",
    re.IGNORECASE,
)
_OF_SO_MANY = re.compile(
    r"\s+(?:out\s+)?of\s+(?:the\s+|these\s+|those\s+|its\s+|their\s+)?", re.IGNORECASE
)
_TICKS = re.compile(r"(?P<yes>[✓✔✅])|(?P<no>[✗✘❌])")
_NUMBER = re.compile(
    r"[\s\"']*(?:(?:exactly|about|at\s+least|only|just)\s+)?(?:(?P<none>zero|none|0)|(?:one|two"
    r"|three|four|five|six|seven|eight|nine|ten|several|many|some|a\s+few|plenty|lots"
    r"|[1-9]\d*))\s*(?=[.,!]|\Z|of\s+them\b)",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"\bthere\s*(?:(?:is|are|was|were)(?:n't)?\b|'s\b)|\b(?:see|find|spot|detect|notice|make\s+out|observe|identify)\b"
    r"|\b(?:contains?|shows?|has|have|includes?|depicts?|features?|appears?|seem|look|exist)\b"
    r"|\b(?:is|are|be|was|were|it)\s*(?:n't|not|nowhere)?\s+(?:\w+ly\s+)?(?:visible|present|shown|seen|there|found"
    r"|depicted|pictured|detected|in\s+(?:the|this)\s+(?:image|picture|photo))\b"
    r"|\b(?:is|are)\s+(?:absent|missing)\s+from|\b(?:no[\s-]one|no\s?body)\s+(?:is|was|can|in)\b"
    r"|\b(?:il\s+(?:y|n'y)\s+a|hay|es\s+gibt|c'è|ci\s+sono|há|ich\s+sehe|je\s+ne\s+vois|veo|se\s+ve"
    r"|aparece|no\s+(?:es|está|son|tiene)|n'est|ne\s+sont)\b",
    re.IGNORECASE,
)
#: What is there, if it is not denied.
_SOMETHING = re.compile(
    r"\b(?:there\s*(?:is|are|'s|was|were)|see|spot|(?:image|picture|photo|scene)\s+(?:\w+ly\s+|does\s+)?"
    r"(?:contains?|shows?|includes?|depicts?|features?|has))\s+(?:\w+ly\s+|indeed\s+|also\s+|only\s+)?"
    r"(?:an?|the|one|two|three|four|five|some|several|many|multiple|\d+)\b"
    r"|\b(?:is|are)\s+(?:\w+ly\s+)?(?:visible|present|shown|depicted|pictured)\b"
    r"|\bil\s+y\s+a\s+(?:un|une|des|deux)\b|\bhay\s+(?:un|una|dos|tres|varios|varias)\b"
    r"|\bes\s+gibt\s+(?:ein|zwei)|\b(?:c'è\s+un|ci\s+sono)|\bhá\s+(?:um|uma|dois|duas)\b",
    re.IGNORECASE,
)

#: "Hay un gato", where the question is not in Spanish.
_EXISTS = Phrases("existence")
_EXISTS_NOT = Phrases("existence", before=r"\b(?:no|non|não)\s+")
#: Words of which a sentence in Latin letters has one if it is not English: "hay" is a word there.
_FOREIGN = re.compile(
    r"\b(?:un|una|unos|unas|el|la|las|los|del|en|ein|eine[nmr]?|kein\w*|der|die|das|dem|im|nicht|une|des|les"
    r"|le|dans|pas|aucune?|ne|il|lo|gli|nell\w*|alcun\w*|nessun\w*|uma?|na|não|nenhuma?|ningun[oa]|ningún)\b",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
#: What follows a verb of Japanese or Korean.
_KANA = re.compile(r"[\u3040-\u309f\uac00-\ud7af]")
_CJK_ENDING = re.compile(
    r"(?:,?\s*(?:对|是)(?:不对|吗|不是)?)?[了吗嗎呢么吧啊\s?.。!]*\Z|(?:ています|ている|います|あります|です|ました|ます)か[\s?.]*\Z"
    r"|(?:이|가)?\s*(?:있나요|있습니까|있어요|인가요|입니까|나요|했나요)[\s?.]*\Z"
)
#: In characters: a predicate, and what may describe the thing that it ends with.
_LONGEST_PREDICATE, _QUALITY = 8, 6
_STOP = re.compile(r"[，,。.!?;\n]")


def elliptic(plain: str, start: int, question: str) -> Hit[Verdict] | None:
    """The verdict of a short answer that leans on the question.

    >>> elliptic("She sure is!", 0, "Is the girl smiling?").value
    'yes'
    >>> elliptic("Only one of them is.", 0, "Are all of them red?").value
    'no'
    >>> elliptic("Six of them.", 0, "Are there fewer than five cups?").value
    'no'
    """
    if (_ALL.search(question) or asks_of_all(question)) and (match := _NOT_ALL.match(plain, start)):
        return Hit("no", match.start(), match.end())
    if match := _IS_NOT.match(plain, start):
        return Hit("no", match.start(), match.end())
    if match := _ELLIPSIS.match(plain, start):
        denied = match["not"] or match["not_like"]
        return Hit("no" if denied else "yes", match.start(), match.end())
    yours = re.search(r"\b(?:can|do|could)\s+you\b", question, re.IGNORECASE)
    if yours and (match := _YOU.match(plain, start)):
        return Hit("no" if match["not"] else "yes", match.start(), match.end())
    return _counted(plain, start, question)


def _counted(plain: str, start: int, question: str) -> Hit[Verdict] | None:
    """What a number alone says: that there are some, or that it passes the bound asked for."""
    wanted, match = asked(question), _NUMBER.match(plain, start)
    if match is None or wanted is None or not wanted.thing:
        return None
    if any(first < match.end() <= last for first, last in list_markers(plain)):
        return None  # "1. Denmark"
    holds = bool(match["none"]) == wanted.absent
    number = next(iter(numbers_in(match[0])), None)
    if wanted.bound and (match["none"] or number):
        holds = wanted.bound.holds(number.value if number else 0)  # "Six." to "fewer than five"
    return Hit("yes" if holds else "no", match.start(), match.end())


def part_of_all(plain: str, question: str) -> Hit[Verdict] | None:
    """No to a question about all, where the last sentence speaks of some of so many.

    >>> part_of_all("So five of the six chairs are taken.", "Are all chairs taken?").value
    'no'
    """
    start = sentence_start(plain, max(0, len(plain.rstrip()) - 2))
    if not _ASKS_ALL.match(question) or _ALL.search(plain, start):
        return None
    for part, whole in pairwise(numbers_in(plain[start:])):
        between = plain[start + part.end : start + whole.start]
        if 0 < part.value < whole.value and _OF_SO_MANY.fullmatch(between):
            return Hit("no", start + part.start, start + whole.end)
    return None


def ticked(plain: str) -> Hit[Verdict] | None:
    """What the only tick or cross says, if a text ends with it: "8 + 1 + 6 = 15 ✓"."""
    marks = list(_TICKS.finditer(plain))
    if len(marks) != 1 or plain[marks[0].end() :].strip():
        return None
    return Hit("no" if marks[0]["no"] else "yes", *marks[0].span())


def ending(plain: str, start: int, end: int) -> Hit[Verdict] | None:
    """The verdict of a sentence that ends in "it is" or "they don't".

    >>> ending("in this case it does.", 0, 21).value
    'yes'
    """
    last = len(plain[start:end].rstrip(" \n.!"))
    match = _ENDING.search(plain, start + max(0, last - _LONGEST_ENDING), end)
    if match is None or _SUBORDINATE.search(plain[: match.start()][-8:]):
        return None
    denied = bool(match["not"]) != bool(match["none"])
    return Hit("no" if denied else "yes", match.start(), end)


def bare_claims(plain: str, start: int, end: int, question: str) -> list[Hit[Verdict]]:
    """Statements that something is there or not; with a question, only if nothing is named in it.

    >>> text = "There is no dog."
    >>> [hit.value for hit in bare_claims(text, 0, len(text), "")]
    ['no']
    """
    if content_words(question):
        return []
    hits: list[Hit[Verdict]] = []
    for begin, stop in clauses(plain, start, end):
        clause = plain[begin:stop]
        denied = is_denied(clause)
        match = (_THERE if denied else _SOMETHING).search(clause)
        if match and not is_supposed(clause):
            value: Verdict = "no" if denied else "yes"
            hits.append(Hit(value, begin + match.start(), begin + match.end()))
    return hits[:1] if len({hit.value for hit in hits}) == 1 else hits


def compared_cjk(plain: str, start: int, end: int, question: str) -> list[Hit[Verdict]]:
    """The verdicts of clauses that repeat the end of the question, with or without a negation.

    >>> text = "并未发现猫的踪影"
    >>> [hit.value for hit in compared_cjk(text, 0, len(text), "图中有猫吗？")]
    ['no']
    """
    predicate = _predicate(question)
    if not predicate:
        return []
    hits: list[Hit[Verdict]] = []
    limits = [start, *(match.end() for match in _STOP.finditer(plain, start, end)), end]
    for begin, stop in pairwise(limits):
        keys = [predicate[-2:], *_rivals(predicate[-2:])]
        places = [place for key in keys if (place := plain.find(key, begin, stop)) >= 0]
        if not places or is_supposed(plain[begin:stop]):
            continue
        place, last = places[0], places[0] + len(keys[0])
        negated = is_denied(f"{plain[begin:place]} {plain[last:stop]}")
        rival = plain[place:last] != keys[0] or _is_rival(
            predicate, plain[max(begin, place - _QUALITY) : last]
        )
        if rival and negated:
            continue
        hits.append(Hit("no" if negated or rival else "yes", place, last))
    return hits


def _rivals(key: str) -> list[str]:
    """A key with another character of its kind in place of one: "黑色" for "红色"."""
    return [
        other if _KANA.fullmatch(key.replace(char, "")) else key.replace(char, other)
        for group in word_rows("rival_characters")
        for char in key
        if char in group
        for other in group
        if other != char
    ]


def _is_rival(predicate: str, phrase: str) -> bool:
    """Whether a phrase has in place of a character of the predicate one that excludes it: another
    color, number or side.
    """
    for group in word_rows("rival_characters"):
        chars = {*group} & {*predicate}
        if len(chars) == 1 and chars.isdisjoint(phrase) and not {*group}.isdisjoint(phrase):
            return True
    return False


def _predicate(question: str) -> str:
    """What is predicate, or comes after 有 or before が; its last two characters tell it."""
    if not _CJK.search(question):
        return ""
    text = fold(question).strip()
    for _ in range(2):
        text = _CJK_ENDING.sub("", text).removesuffix("的")
    particle = re.search(r"([^はがをにで、\s]{1,6})(?:は|が|も|이|가|은|는)\Z", text)
    if particle:
        return particle[1]
    having = re.search(r"(?:有没有|有|是不是|是)(?:一?[个只条张辆])?([^有是]{1,8})\Z", text)
    tail = re.split(r"[はがをにで、]", having[1] if having else text)[-1][-_LONGEST_PREDICATE:]
    return tail if _CJK.search(tail[-2:]) else ""


def foreign_claims(plain: str, start: int, end: int, question: str) -> list[Hit[Verdict]]:
    """Statements in another language than the question's that something is there or not.

    The thing that they name cannot be compared with the one that the question asks for.

    >>> text = "En la imagen no hay gatos."
    >>> [hit.value for hit in foreign_claims(text, 0, len(text), "Is there a cat in the image?")]
    ['no']
    """
    wanted = asked(question)
    if wanted is None or not wanted.thing or _EXISTS.search(plain) is None:
        return []
    hits: list[Hit[Verdict]] = []
    for begin, stop in clauses(plain, start, end):
        clause = plain[begin:stop].rstrip(" \t.!。")
        matches = list(_EXISTS.finditer(clause))
        if not matches or content_words(clause) & {*wanted.words}:
            continue
        if has_cjk(clause):
            if matches[-1].end() != len(clause):
                continue
            denied = is_denied(clause[matches[-1].start() :])
        else:
            denied = is_denied(clause) or _EXISTS_NOT.search(clause) is not None
            if clause.isascii() and not (denied or _FOREIGN.search(clause)):
                continue
        value: Verdict = "no" if denied != wanted.absent else "yes"
        hits.append(Hit(value, begin, begin + len(clause)))
    return hits
