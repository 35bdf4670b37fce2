"""Statements in Chinese, Japanese and Korean, and in another language than the question's."""

from __future__ import annotations

import re
from itertools import pairwise

from chef.reading.asked import asked
from chef.reading.claims import Verdict
from chef.reading.clauses import clauses, is_denied, is_supposed
from chef.reading.lexicon import Phrases
from chef.reading.patterns import has_cjk
from chef.reading.questions import content_words
from chef.reading.text import Hit, fold

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
_ENDING = re.compile(
    r"(?:,?\s*(?:对|是)(?:不对|吗|不是)?)?[了吗嗎呢么吧啊\s?.。!]*\Z|(?:ています|ている|います|あります|です|ました|ます)か[\s?.]*\Z"
    r"|(?:이|가)?\s*(?:있나요|있습니까|있어요|인가요|입니까|나요|했나요)[\s?.]*\Z"
)
_STOP = re.compile(r"[，,。.!?;\n]")


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
        place = plain.find(predicate, begin, stop)
        if place < 0 or is_supposed(plain[begin:stop]):
            continue
        last = place + len(predicate)
        negated = is_denied(f"{plain[begin:place]} {plain[last:stop]}")
        hits.append(Hit("no" if negated else "yes", place, last))
    return hits


def _predicate(question: str) -> str:
    """The last two characters of what is predicate, or the only one after 有 or before が."""
    if not _CJK.search(question):
        return ""
    text = fold(question).strip()
    for _ in range(2):
        text = _ENDING.sub("", text)
    particle = re.search(r"([^はがをにで、\s]{1,6})(?:は|が|も|이|가|은|는)\Z", text)
    if particle:
        return particle[1][-2:]
    having = re.search(r"(?:有没有|有|是不是|是)(?:一?[个只条张辆])?([^有是]{1,8})\Z", text)
    tail = having[1] if having else text
    return tail[-2:] if _CJK.search(tail[-2:]) else ""


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
