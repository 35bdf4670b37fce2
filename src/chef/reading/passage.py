"""What an answer says to its reader: without thoughts, invented turns, requests and corrections.

Every step keeps positions, so that a span of a part is one of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Literal, TypeVar

from chef.reading.latex import plain_math
from chef.reading.leaks import answer_body, before_next_question
from chef.reading.lexicon import Phrases, needed_words, word_pattern
from chef.reading.patterns import Pattern, Rules, any_of, words
from chef.reading.refusals import TURN, UNABLE
from chef.reading.text import AMBIGUOUS, Reading

T = TypeVar("T")
Span = tuple[int, int]
#: Where "no" takes back what was said: nowhere, at the start of a sentence, or after a comma, too.
No = Literal["", "sentence", "comma"]

#: What marks a block as quoted, or as plain text; "> 5" by itself is a bound.
_BLOCK = re.compile(
    r"^[ \t]*```(?:text|txt|plaintext|markdown|md)\b"
    r"|(?:(?<=\n)|\A(?=[ \t]*>\s*[^\s\d]))[ \t]*>+(?=\s)",
    re.MULTILINE,
)
#: Where a clause ends at the latest; a full stop inside a number does not count.
_CLAUSE_END = rf",?\s+(?<!\bas\s)(?:{TURN})\b|,\s*(?:it|so|(?:and\s+)?there)\b"
_TO_CLAUSE_END = rf"(?:(?!{_CLAUSE_END})[^.;!?\n]|\.(?=\w))*"
#: Words of which each match of `_FIRST_THOUGHTS` has some.
_FIRST = words("first initially originally previously initial almost nearly briefly")
_THOUGHT_WORDS = words(
    "thought considered guessed believed leaned assumed suspected supposed said picked chose chosen"
    " answered wanted tempted inclined going leaning"
)
_OTHERS_THINK = words(
    "think say argue expect choose guess pick assume answer suppose object believe claim"
)
_SEEM = words("seem look appear")
_STATED = words("said answered wrote stated")
_MODALS = words("might may could would will")
_THOUGHT = rf"{any_of(*sorted(_THOUGHT_WORDS))}|about\s+to"
#: "34 at first and 25 in the end" tells what came first and no first thought.
_IN_THE_END = r"\s+(?:and|but|,)\s+\S+\s+(?:in|at|by)\s+the\s+end\b"
#: What the model thought before, or what others might think.
_FIRST_THOUGHTS = Pattern(
    rf"\b(?=\w)(?:(?:at\s+first(?!{_IN_THE_END})|initially|originally|previously|my\s+(?:first|initial)\s+\w+)\b"
    rf"|I\s+(?:(?:was|were|had|have|would|could|might|may|also|have\s+been|had\s+been)\s+)*"
    rf"(?:first|initially|originally|almost|nearly|briefly|previously)\s+(?:{_THOUGHT})"
    rf"|(?:first,?\s+)?I\s+(?:had\s+|was\s+)?(?:{_THOUGHT})\b(?=[^.!?\n]{{0,300}}\b(?:{TURN})\b)"
    rf"|(?:one|some|some\s+people|many|many\s+people|you|others|people|some(?:one|body))\s+"
    rf"{any_of(*sorted(_MODALS))}\s+(?:\w+\s+)?{any_of(*sorted(_OTHERS_THINK))}"
    rf"|it\s+(?:might|may|could)\s+{any_of(*sorted(_SEEM))}"
    rf"|(?:I|you)\s+{any_of(*sorted(_STATED))}\s+(?:earlier|before|above|previously))"
    rf"{_TO_CLAUSE_END}",
    needs=lambda: [
        *_FIRST,
        *(f"{verb} i" for verb in (*_THOUGHT_WORDS, "about to")),
        *(f"{verb} {modal}" for verb in _OTHERS_THINK | _SEEM for modal in _MODALS),
        *(f"{verb} {place}" for verb in _STATED for place in ("earlier", "before", "above")),
    ],
    asian=lambda: (
        r"一开始(?:以为|认为|觉得)?[^。，,.;!?\n]*|乍一看[^。，,.;!?\n]*[，,]?(?:像|似乎|好像)?[^。，,.;!?\n]*|起初[^。，,.;!?\n]*|最初[^。，,.;!?\n]*|本来(?:以为|想)[^。，,.;!?\n]*|其次[^。，,.;!?\n]*"
    ),
    cjk=True,
    inside=True,
)
_UNREAL_VERBS = words("would might could were had")
#: What would be so under a condition that does not hold, or by mistake.
_UNREAL = Pattern(
    r"\b(?:if(?!\s+(?:I|we)\s+(?:had|have|were|must|am|was)\b)|unless)\b[^.;!?\n]{0,200}?"
    rf"\b(?:would|might|could|were|had)\b{_TO_CLAUSE_END}"
    r"|(?:(?<=[.!?]\s)|\A|(?<=\n))(?:were|had|should)\b[^.;!?\n]{0,200}?\bwould\b"
    rf"{_TO_CLAUSE_END}"
    # ... with what it is said of: "B would be right only if it rained".
    r"|(?:(?:(?<=[.!?;,]\s)|\A|(?<=\n))[^.;:,!?\n]{1,60}?\s)?\bwould\s+(?:only\s+)?(?:be|have\s+been)\b"
    rf"[^.;!?\n]{{0,200}}?\bif\b(?!\s+I\b){_TO_CLAUSE_END}",
    needs=[
        *(f"{when} {verb}" for when in ("if", "unless") for verb in _UNREAL_VERBS),
        *(f"{verb} would" for verb in ("were", "had", "should")),
    ],
    inside=True,
)
_VIEWS = words(
    "intuition assumption idea belief impression expectation guess view notion conclusion"
)
_VIEW = (
    r"\b(?:(?:that|this)\s+(?:is|was)\s+(?:an\s+error|a\s+mistake)(?=[.,;:!\n])"
    rf"|(?:that|this)\s+(?:\w+\s+)?{any_of(*sorted(_VIEWS))}"
    r"\s+(?:is|was|would\s+be|turns\s+out\s+to\s+be)\s+(?:\w+\s+)?"
    r"(?:wrong|false|incorrect|mistaken|misleading)\b)"
)
#: "Many expect A. That intuition is wrong."
_REFUTING = Pattern(_VIEW, needs=_VIEWS | words("error mistake"))
_REFUTED = re.compile(
    rf"(?:(?<=[.!?\n])|\A)[^.!?\n]*[.!?]\s+(?:(?:but|however|yet),?\s+)?{_VIEW}", re.IGNORECASE
)
#: What may follow a clause with "whether", and decides nothing: "cannot be told", "is unclear".
_LEFT_OPEN = (
    r"\s+(?:(?:can(?:not|'t|\s+not)|could(?:n't|\s+not))\s+be\s+\w+(?=\s*(?:[.,;!?\n]|\Z))"
    r"|(?:(?:is|remains)\s+(?:un(?:clear|known|certain|decided|said)|impossible)|(?:is\s+not|isn't)\s+(?:shown|visible|clear"
    r"|known|stated|possible)|(?:remains|stays)\s+open)\b)"
)
#: What is asked, and cases that decide nothing: "if so, the answer is yes; if not, it is no".
_WHETHER = Pattern(
    rf"\b(?:whether|regardless\s+of)\b(?:(?!{_CLAUSE_END}|{_LEFT_OPEN})[^.;!?\n]|\.(?=\w))*"
    r"|\bif\b[^.;!?\n]*?,\s+(?:then\s+)?(?:the\s+answer|it)\s+(?:is|would\s+be)\b[^.;!?\n]*[.;]\s+"
    r"(?:(?:and|but)\s+)?(?:if\b[^.;!?\n]*?,\s+(?:then\s+)?|otherwise,?\s+)(?:the\s+answer|it)\s+"
    r"(?:is|would\s+be)\b[^.;!?\n]*",
    needs="whether | regardless | answer if",
    inside=True,
)
_COURTESY = Pattern(
    lambda: (
        r"\b(?=\w)(?:(?:yes|yeah|sure|of\s+course|certainly|absolutely|no\s+problem|ok(?:ay)?)[,!.]*\s+)?\b"
        rf"{word_pattern('courtesies')}[^.!?:\n]*[.!?:]?"
    ),
    needs=lambda: needed_words("courtesies"),
    inside=True,
)
#: "Check: 3(12) - 4 = 32" only tries the answer before it.
_CHECK = Pattern(
    lambda: (
        rf"(?:(?<=[.!?]\s)|(?<=\n)|(?<=\()|\A)[^\w\n]*{word_pattern('checks')}\s*[:,\uff1a][^\n]*?="
        r"(?:[^.\n]|\.(?=\d))*"
    ),
    needs=lambda: needed_words("checks"),
    among="=",
    cjk=True,
    inside=True,
)
#: "(The child on the right laughs.)" at the end is of another thing.
_LAST_BRACKET = Pattern(
    r"(?<=[.!?]\s)\((?![^()\n]*\b(?:answer|option|correct|yes|no|[B-H])\b)[^()\n]*\s[^()\n]*[.!]\)(?=\s*\Z)",
    signs="(",
)
#: "The author, as printed on the cover, is E. Finch."
_INSERTED = Pattern(
    r",\s+(?:as|according\s+to|per|judging\s+by)\b[^,.;:!?\n]*,(?=\s+(?:is|are|was|were)\b)",
    needs="as according per judging",
    inside=True,
)
_TEMPTATIONS = Phrases("temptations")
#: A clause that a comma ends, or a word that turns to another thought.
_CLAUSE = re.compile(r"(?:[^.;:!?\n,，。；]|\.(?=\w)|,(?=\s*(?:which|that|as|because)\b))+")
_QUESTION = Pattern(r"(?:(?<=[.!?;:\n])|\A)[^.!?;:\n]*\?", signs="?")
#: The end of a question to which the answer itself says yes.
_AFFIRMED = re.compile(
    r"\?(?=\s*(?:yes|yeah|correct|right|indeed|ja|oui|sí|sì|sim|да)\b)", re.IGNORECASE
)
#: The model asks for something instead of answering.
_REQUEST = Pattern(
    r"(?:(?<=[.!?;\n])|\A)[^.!?;\n]*?(?:\b(?:could|can|would|will)\s+you\b|\bplease\s+(?:re-?)?"
    r"(?:provide|send|share|upload|attach|clarify|give|specify|confirm|try|submit|describe|paste"
    r"|supply|let|tell|check)|\b(?:send|provide|upload|share|attach|resend)\b[^.!?;\n]*\bagain\b"
    r"|\blet\s+me\s+know\b|\bdo\s+you\s+(?:mean|want)\b|\bwould\s+you\s+like\b"
    r"|\bif\s+you\s+(?:can\s+|could\s+|would\s+)?(?:want|need|like|wish|have\s+any|provide|send|share|upload|tell|describe|give)\b"
    r"|请(?:提供|上传|重新|再|发送|说明|确认|给出|补充)|ください|알려|주세요|주시)[^.!?;\n]*",
    needs="you please again know",
    cjk=True,
    inside=True,
)
_REQUESTS = Rules(_REQUEST, UNABLE, _UNREAL)
_ASIDES = Rules(_COURTESY, _FIRST_THOUGHTS, _WHETHER, _CHECK)
_PAUSE = r"(?=\s*(?:[,.!?:;—–…-]|\Z))"
_SURE = Phrases("corrections")
_PAUSED = Phrases("corrections_before_pause", after=_PAUSE)
_OPENING = Phrases("corrections_opening")
_ALONE = Phrases("corrections_alone", after=_PAUSE)
_WITHDRAWALS = Phrases("withdrawals", after=r"\W*\Z")
#: What ends a sentence or a clause before a word that opens one.
_ENDS = frozenset(".!?…\n—–:;哦啊")
#: "3, no, 4"; where "no" may be an answer itself, only a sentence of its own corrects.
_NO: dict[str, Pattern] = {
    "sentence": Pattern(
        r"(?<=[.!?…])\s*(?:no|nope|non|nein)\b(?=[.,;:!?—–-])(?!-\w)",
        needs="no nope non nein",
        inside=True,
    ),
    "comma": Pattern(
        r"(?<=[,.;!?…—–-])\s*\b(?:no|nope|nah|non|nein)\b(?=[,.!…—–-])(?!-\w)"
        r"|(?<=[.…,])\s*no\s+(?=\d)|(?<=[,;])\s*rather\b",
        needs="no nope nah non nein rather",
        inside=True,
    ),
}
_LOOSE = re.compile(r"[\s.,;:!?—–…，、。：-]*")
#: After a correction that names nothing new, the answer before it is withdrawn.
_WITHDRAWN = re.compile(
    r"\s*(?:that(?:'s|\s+is|\s+was)|this\s+is|it(?:'s|\s+is))\s*(?:n't|not)?\s*(?:\w+\s+)?"
    r"(?:wrong|incorrect|right|correct|it|false)\b|\s*(?:not|wrong)\b"
    r"|\s*that\s+(?:doesn't|does\s+not|can't|cannot)\s+(?:fit|match|work|be\s+(?:it|right|so))\b"
    r"|\s*I\s+(?:\w+ly\s+)?(?:can't|cannot|can\s+not|couldn't|don't|do\s+not)\s+(?:\w+ly\s+)?"
    r"(?:tell|say|decide|know)\W*\Z",
    re.IGNORECASE,
)
_SAYS = re.compile(r"\w|[✓✔✗✘✅❌]")
#: Blanks that stand for what comes before a part: more than any rule looks back.
_MARGIN = 64


def own_words(answer: str) -> str:
    """An answer up to a further question, without thoughts and invented turns, of the same length.

    LaTeX's mathematics is written plainly; markup stays.

    >>> own_words("<think>A?</think>**B**").strip()
    '**B**'
    """
    body = answer_body(answer)
    if ">" in body or "```" in body:
        body = _BLOCK.sub(lambda match: " " * len(match[0]), body)
    return before_next_question(plain_math(body))


def parts(text: str, no: No = "") -> list[Span]:
    """The spans between words of correction, in order; "no" is one at the start of a sentence
    ("sentence": "B. No, C."), or after a comma too ("comma": "3, no, 4").

    >>> text = "3. Scrap that, 4. Sorry, 5, no, 6"
    >>> [text[start:end] for start, end in parts(text, "comma")]
    ['3. ', '4. ', '5,', '6']
    """
    limits = [0]
    for start, end in corrections(text, no):
        if start >= limits[-1]:
            limits += (start, end)
    limits.append(len(text))
    spans = zip(limits[::2], limits[1::2], strict=True)
    return [(start, end) for start, end in spans if _SAYS.search(text, start, end)]


def corrections(text: str, no: No = "") -> list[Span]:
    """The spans of words of correction with the pauses after them, in order.

    >>> corrections("B. Scrap that, C.")
    [(3, 15)]
    """
    spans = [match.span() for match in _SURE.finditer(text)]
    spans += [match.span() for match in _PAUSED.finditer(text)]
    spans += [match.span() for match in _OPENING.finditer(text) if _opens(text, match.start())]
    spans += [match.span() for match in _ALONE.finditer(text) if _follows_stop(text, match.start())]
    if no:
        spans += [match.span() for match in _NO[no].finditer(text)]
    return sorted((start, _end_of_pause(text, end)) for start, end in spans)


def _opens(text: str, place: int) -> bool:
    before = text[max(0, place - 8) : place].rstrip(" \t\"'(*")
    return not before or before[-1] in _ENDS


def _follows_stop(text: str, place: int) -> bool:
    before = text[max(0, place - 8) : place].rstrip()
    return bool(before) and before[-1] in ".!?…,—。，、哦啊"


def _end_of_pause(text: str, end: int) -> int:
    match = _LOOSE.match(text, end)
    return match.end() if match else end


def without_requests(text: str) -> str:
    """``text`` without the sentences that ask for something or say that no answer is possible, and
    without what would be so under another condition.

    >>> "B" in without_requests("I can't open it. Could you send B again?")
    False
    """
    for pattern in _REQUESTS.of(text):
        text = pattern.blank(text)
    if _REFUTING.search(text):
        text = _REFUTED.sub(lambda match: " " * len(match[0]), text)
    return text


def without_beside(text: str) -> str:
    """``text`` without requests and asides; a question with a yes to it is a statement.

    >>> without_beside("Is it 4? No. Is it 5? Yes.").strip()
    'No. Is it 5. Yes.'
    """
    return without_asides(without_requests(_AFFIRMED.sub(".", text)))


def without_asides(text: str, *, questions: bool = False) -> str:
    """``text`` without first thoughts, clauses with "whether", last brackets, and ``questions``
    unless they count.

    >>> without_asides("At first I thought A, but it is B.").strip()
    ', but it is B.'
    """
    if _TEMPTATIONS.search(text):
        text = _CLAUSE.sub(_without_temptation, text)
    for pattern in _ASIDES.of(text):
        text = pattern.blank(text)
    text = text if questions else _QUESTION.blank(text)
    if text.count(",") > 1:
        text = _INSERTED.blank(text)
    return _LAST_BRACKET.blank(text) if text.rstrip().endswith(")") else text


def _without_temptation(clause: re.Match[str]) -> str:
    return " " * len(clause[0]) if _TEMPTATIONS.search(clause[0]) else clause[0]


def withdraws(segment: str) -> bool:
    """Whether the words after a correction only withdraw what was said: "that's not right".

    >>> withdraws("that's wrong."), withdraws("it is B")
    (True, False)
    """
    return _WITHDRAWN.match(segment) is not None


def takes_back(text: str, start: int) -> bool:
    """Whether the correction that ends at ``start`` takes back what was said before it.

    >>> takes_back("Yes. Sorry, I looked elsewhere", 12), takes_back("Yes. Hmm, I looked", 10)
    (True, False)
    """
    return _WITHDRAWALS.search(text[max(0, start - 40) : start]) is not None


def only(text: str, start: int, end: int) -> str:
    """``text`` with everything outside ``start:end`` replaced by line breaks."""
    return "\n" * start + text[start:end] + "\n" * (len(text) - end)


def settled(
    text: str, read: Callable[[str, int, int], Reading[T] | None], *, no: No = ""
) -> Reading[T] | None:
    """What ``read(part, first, before)`` finds in the last part of ``text`` that says anything.

    The part begins at ``first`` (`part_of`); one that only withdraws ("that's wrong") leaves
    nothing.

    >>> from chef.reading.text import Reading
    >>> settled("B. Wait, C.", lambda part, first, before: Reading(part[first:], "")).value
    'C.'
    """
    for start, end in reversed(parts(text, no)):
        part, before = part_of(text, start, end)
        result = read(part, start - before, before)
        if result is not None:
            return moved(result, before)
        if start and withdraws(text[start:end]):
            return None
        # "Yes. Sorry, I looked at the other one." takes back what was said.
        if start and takes_back(text, start):
            return AMBIGUOUS
    return None


def part_of(text: str, start: int, end: int) -> tuple[str, int]:
    """A part of a text after some blanks, and how many characters before them are left out.

    As many blanks as characters before the part would keep all positions, but in an answer of many
    parts each of them would cost the time of the whole answer.

    >>> part_of("No. Wait, yes", 10, 13)
    ('          yes', 0)
    """
    margin = min(start, _MARGIN)
    return " " * margin + text[start:end], start - margin


def moved(result: Reading[T] | None, by: int) -> Reading[T] | None:
    """A reading of a part as one of the whole text, whose positions are ``by`` greater."""
    if result is None or result.span is None:
        return result
    return replace(result, span=(result.span[0] + by, result.span[1] + by))
