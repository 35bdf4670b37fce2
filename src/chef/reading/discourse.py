"""Parts of an answer that do not state it: first thoughts, questions, requests, refusals."""

from __future__ import annotations

import re

#: Where a clause ends at the latest; a full stop inside a number does not count.
_TURN = r"but|however|yet|though|although|until|on\s+reflection|on\s+second|then\s+I|now|actually"
_TO_CLAUSE_END = rf"(?:(?!,?\s+(?:{_TURN})\b|,\s*(?:it|so)\b)[^.;!?\n]|\.(?=\w))*"
_HEDGED = (
    r"thought|considered|guessed|believed|leaned|assumed|suspected|supposed|said|picked|chose|chosen"
    r"|answered|wanted|tempted|inclined|going|about\s+to|leaning"
)
#: What the model thought before, or what others might think.
_FIRST_THOUGHTS = re.compile(
    rf"\b(?:(?:at\s+first|initially|originally|previously|my\s+(?:first|initial)\s+\w+)\b"
    rf"|I\s+(?:(?:was|were|had|have|would|could|might|may|also|have\s+been|had\s+been)\s+)*"
    rf"(?:first|initially|originally|almost|nearly|briefly|previously)\s+(?:{_HEDGED})"
    rf"|(?:first,?\s+)?I\s+(?:had\s+|was\s+)?(?:{_HEDGED})\b(?=[^.!?\n]{{0,300}}\b(?:{_TURN})\b)"
    rf"|(?:one|some|some\s+people|many|many\s+people|you|others|people|someone)\s+"
    rf"(?:might|may|could|would|will)\s+(?:\w+\s+)?(?:think|say|argue|expect|choose|guess|pick|assume|answer)"
    rf"|it\s+(?:might|may|could)\s+(?:seem|look|appear)"
    rf"|(?:I|you)\s+(?:said|answered|wrote|stated)\s+(?:earlier|before|above|previously))"
    rf"{_TO_CLAUSE_END}"
    r"|一开始(?:以为|认为|觉得)?[^。，,.;!?\n]*|乍一看[^。，,.;!?\n]*[，,]?(?:像|似乎|好像)?[^。，,.;!?\n]*|起初[^。，,.;!?\n]*|最初[^。，,.;!?\n]*|本来(?:以为|想)[^。，,.;!?\n]*|其次[^。，,.;!?\n]*",
    re.IGNORECASE,
)
#: What would be so under a condition that does not hold, or by mistake.
_UNREAL = re.compile(
    r"\b(?:if(?!\s+(?:I|we)\s+(?:had|have|were|must|am|was)\b)|unless)\b[^.;!?\n]{0,200}?"
    rf"\b(?:would|might|could|were|had)\b{_TO_CLAUSE_END}"
    r"|(?:(?<=[.!?]\s)|\A|(?<=\n))(?:were|had|should)\b[^.;!?\n]{0,200}?\bwould\b"
    rf"{_TO_CLAUSE_END}"
    r"|\bwould\s+(?:only\s+)?(?:be|have\s+been)\b[^.;!?\n]{0,200}?\bif\b(?!\s+I\b)[^.;!?\n]*",
    re.IGNORECASE,
)
_WHETHER = re.compile(rf"\b(?:whether|regardless\s+of)\b{_TO_CLAUSE_END}", re.IGNORECASE)
_QUESTION = re.compile(r"(?:(?<=[.!?;:\n])|\A)[^.!?;:\n]*\?")
#: The model asks for something instead of answering.
_REQUEST = re.compile(
    r"(?:(?<=[.!?;\n])|\A)[^.!?;\n]*?(?:\b(?:could|can|would|will)\s+you\b|\bplease\s+(?:re-?)?"
    r"(?:provide|send|share|upload|attach|clarify|give|specify|confirm|try|submit|describe|paste"
    r"|supply|let|tell|check)|\b(?:send|provide|upload|share|attach|resend)\b[^.!?;\n]*\bagain\b"
    r"|\blet\s+me\s+know\b|\bdo\s+you\s+(?:mean|want)\b|\bwould\s+you\s+like\b"
    r"|\bif\s+you\s+(?:can\s+|could\s+|would\s+)?(?:provide|send|share|upload|tell|describe|give)\b"
    r"|请(?:提供|上传|重新|再|发送|说明|确认|给出|补充)|ください|알려|주세요|주시)[^.!?;\n]*",
    re.IGNORECASE,
)
_UNABLE = re.compile(
    r"(?:(?:(?:no|well),?\s+)?(?:I'm\s+|I\s+am\s+)?(?:very\s+|so\s+)?(?:sorry|afraid)[,:;]?\s+(?:but\s+)?(?=I\b))?"
    r"(?:\bI(?:'m|\s+am)?\s+(?:really\s+)?(?:cannot|can\s*not|can't|couldn't|could\s+not|unable\s+to"
    r"|not\s+able\s+to|don't\s+have|do\s+not\s+have|won't|not\s+in\s+a\s+position\s+to)\s+(?:\w+\s+)?"
    r"(?:access|see|view|process|open|load|determine|tell|identify|answer|assist|help|provide|read"
    r"|make|decide|settle|choose|say|distinguish|analy[sz]e|enough|confirm|know|verify|give|pick|select"
    r"|the\s+ability|any)\b"
    r"|\b(?:it\s+is|it's|is)\s+(?:impossible|hard|difficult|not\s+possible|unclear)\s+(?:to|for)\b"
    r"|\b(?:there\s+is\s+|there's\s+)?(?:not\s+enough|insufficient)\s+(?:information|context|detail)"
    r"|无法|不能确定|看不清|看不到|不清楚|不确定|(?<=[^。、\n])(?:できません|できない|分かりません|わかりません|不明です))"
    rf"(?:(?!,?\s+(?:{_TURN})\b|,?\s+so\s+I('d|'ll|\s+would|\s+will)|，?\s*(?:但|不过))[^.;!?\n])*",
    re.IGNORECASE,
)
_CORRECTION = re.compile(
    r"(?:\A|(?<=[\s.,;!?(—–-]))(?:no,?\s+wait|wait|hold\s+on|hang\s+on|actually|hmm+|oops|correction"
    r"|scratch\s+that|strike\s+that|on\s+(?:second\s+thoughts?|(?:further\s+)?reflection|closer\s+\w+)"
    r"|let\s+me\s+(?:re\S+|double[\s-]?check|correct\s+(?:that|myself|this)|look\s+(?:again|closer)"
    r"|think\s+again|check\s+again|rethink)|I\s+(?:mean|meant|take\s+that\s+back|stand\s+corrected"
    r"|misspoke|misread|made\s+a\s+mistake|was\s+wrong|must\s+correct\s+myself)|my\s+(?:mistake|bad"
    r"|apologies|error)|to\s+correct\s+myself|(?:looking|having\s+looked|after\s+looking)\s+"
    r"(?:again|closer|more\s+closely)|(?:up)?on\s+(?:a\s+)?(?:closer|further|second)\s+\w+|edit:"
    r"|sorry|changed?\s+my\s+mind|perdón|pardon)\b(?=[\s.,;:!?—–-])[\s.,;:!?—–-]*"
    r"|(?<=[.!?…])\s*(?:no|nope|non|nein)\b(?=[.,;:!?—–-])[\s.,;:!?—–-]*"
    r"|(?:\A|(?<=[\s。.,!?…—]))(?:等等|等一下|不对|更正|纠正|抱歉|仔细(?:再)?看(?:了)?(?:一下)?|重新(?:检查|考虑|看)|再(?:想|看)(?:想|看|一下)|应该是?说|いや|待って|訂正|失礼|아니|잠깐|정정)[，,、。.!:\s]*",
    re.IGNORECASE,
)
_UNDECIDED = re.compile(
    r"\b(?:can't|cannot|can\s+not|couldn't|unable\s+to|not\s+able\s+to)\s+(?:\w+\s+)?"
    r"(?:settle|decide|choose|make\s+up\s+my\s+mind)\b[^.!?\n]*[.!?]?\s*\Z",
    re.IGNORECASE,
)
_ASKS_NOT = re.compile(
    r"\b(?:not|cannot|except|absent|missing|never)\b|n't\b|不|没有|没|ない|아닌|않", re.IGNORECASE
)
#: After a correction that names nothing new, the answer before it is withdrawn.
_WITHDRAWN = re.compile(
    r"\s*(?:that(?:'s|\s+is|\s+was)|this\s+is|it(?:'s|\s+is))\s*(?:n't|not)?\s*(?:\w+\s+)?"
    r"(?:wrong|incorrect|right|correct|it|false)\b|\s*(?:not|wrong)\b",
    re.IGNORECASE,
)


def without_requests(text: str) -> str:
    """``text`` without the sentences that ask for something or say that no answer is possible, and
    without what would be so under another condition.

    >>> "B" in without_requests("I can't open it. Could you send B again?")
    False
    """
    for pattern in (_REQUEST, _UNABLE, _UNREAL):
        text = _blank(pattern, text)
    return text


def without_asides(text: str) -> str:
    """``text`` without first thoughts, questions, and clauses with "whether".

    >>> without_asides("At first I thought A, but it is B.").strip()
    ', but it is B.'
    """
    for pattern in (_FIRST_THOUGHTS, _WHETHER, _QUESTION):
        text = _blank(pattern, text)
    return text


def segments(text: str) -> list[tuple[int, int]]:
    """The spans between words of correction ("wait", "no,", "actually"), in order.

    >>> text = "B. Wait, no, C."
    >>> [text[start:end] for start, end in segments(text)]
    ['B. ', 'no, C.']
    """
    limits = [0]
    for match in _CORRECTION.finditer(text):
        limits += match.span()
    limits.append(len(text))
    spans = zip(limits[::2], limits[1::2], strict=True)
    return [(start, end) for start, end in spans if text[start:end].strip(" \n\t.,;:!?—–-")]


def is_undecided(text: str) -> bool:
    """Whether a text ends by saying that it cannot decide.

    >>> is_undecided("A? I can't decide between A and B.")
    True
    """
    return _UNDECIDED.search(text) is not None


def asks_for_what_is_not(question: str) -> bool:
    """Whether a question asks for the option that does not hold.

    >>> asks_for_what_is_not("Which of these is not a mammal?")
    True
    >>> asks_for_what_is_not("What colour is the knot?")
    False
    """
    return _ASKS_NOT.search(question) is not None


def withdraws(segment: str) -> bool:
    """Whether the words after a correction only withdraw what was said: "that's not right".

    >>> withdraws("that's wrong."), withdraws("it is B")
    (True, False)
    """
    return _WITHDRAWN.match(segment) is not None


def only(text: str, start: int, end: int) -> str:
    """``text`` with everything outside ``start:end`` replaced by line breaks."""
    return "\n" * start + text[start:end] + "\n" * (len(text) - end)


def _blank(pattern: re.Pattern[str], text: str) -> str:
    return pattern.sub(lambda match: " " * len(match[0]), text)
