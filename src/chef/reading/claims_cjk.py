"""Compare Chinese, Japanese and Korean statements with what a yes/no question asks."""

from __future__ import annotations

import re
from typing import Literal

from chef.reading.lexicon import ASIAN, alternation, phrases_of
from chef.reading.patterns import Pattern
from chef.reading.text import Hit, fold

_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_ENDING = re.compile(
    r"(?:,?\s*(?:对|是)(?:不对|吗|不是)?)?[了吗嗎呢么吧啊\s?.。!]*\Z|(?:ています|ている|います|あります|です|ました|ます)か[\s?.]*\Z"
    r"|(?:이|가)?\s*(?:있나요|있습니까|있어요|인가요|입니까|나요|했나요)[\s?.]*\Z"
)
_NEGATED_BEFORE = Pattern(
    lambda: (
        rf"(?:{_phrases('negations', 'negations_of_things')}|不|没|沒|未|无|無|非|别|否认)"
        r"[^，,。.!?;\n]{0,10}\Z"
    )
)
_NEGATED_AFTER = Pattern(
    lambda: (
        rf"\A[^，,。.!?;\n]{{0,14}}?(?:{_phrases('negations_after')}"
        r"|ません|ない|なかった|없|않|아니|못|不存在|不在|不见|缺)"
    )
)
_SUPPOSED = re.compile(
    r"如果|是否|也许|(?<!不)可能|或许|かもしれ|もし|할\s*수도|무法|是不是|有没有"
)


def _phrases(*groups: str) -> str:
    return alternation(phrases_of(*groups, languages=ASIAN), spaced=False)


def compared_cjk(
    plain: str, start: int, end: int, question: str
) -> list[Hit[Literal["yes", "no"]]]:
    """The verdicts of clauses that repeat the end of the question, with or without a negation.

    >>> text = "并未发现猫的踪影"
    >>> [hit.value for hit in compared_cjk(text, 0, len(text), "图中有猫吗？")]
    ['no']
    """
    asked = _predicate(question)
    if not asked:
        return []
    hits: list[Hit[Literal["yes", "no"]]] = []
    for match in re.finditer(re.escape(asked), plain[start:end]):
        first, last = start + match.start(), start + match.end()
        begin = max((plain.rfind(mark, start, first) for mark in "，,。.!?;\n"), default=-1) + 1
        stop = re.compile(r"[，,。.!?;\n]").search(plain, last)
        clause = plain[max(begin, start) : stop.start() if stop else end]
        if _SUPPOSED.search(clause):
            continue
        negated = _NEGATED_BEFORE.search(plain[max(begin, start) : first])
        negated = negated or _NEGATED_AFTER.match(plain[last : stop.start() if stop else end])
        hits.append(Hit("no" if negated else "yes", first, last))
    return hits


def _predicate(question: str) -> str:
    """The last two characters of what is asked, or the only one after 有 or before が."""
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
