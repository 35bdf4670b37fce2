"""What says that there will be no answer, or that nothing is decided."""

from __future__ import annotations

import re

from chef.reading.lexicon import SPACED, asian, needed_words, opening_words, word_pattern
from chef.reading.patterns import Pattern, words
from chef.reading.text import sentence_start
from chef.reading.word_index import words_in

#: Words that begin a clause that may decide after all.
TURN = r"but|however|yet|though|although|until|on\s+reflection|on\s+second|then\s+I|now|actually"
_SORRY = (
    r"(?:(?:(?:no|well),?\s+)?(?:I'm\s+|I\s+am\s+)?(?:very\s+|so\s+)?(?:sorry|afraid)[,:;]?\s+"
    r"(?:but\s+)?(?=(?:I|that|this|it)\b))?"
)
_TO_TURN = rf"(?:(?!,?\s+(?:{TURN})\b|,\s*(?:it|so)\b|，?\s*(?:但|不过))[^.;!?\n，])*"


#: "It is hard to tell", "I'm not sure"
_IT_IS = (
    r"(?:\b(?:I|it|this|that|we)(?:'s|'m|'re|\s+(?:is|am|are))\s+"
    r"(?:(?:\w+ly|an?\s+(?:bit|little)|very|quite|rather|just|too|so)\s+)?)?"
)


def _cannot() -> str:
    """Somebody cannot do what any answer takes: "I really can't tell"."""
    unable = word_pattern("inability", "unwillingness", languages=SPACED)
    return rf"{unable}\s+(?:\w+\s+)?{word_pattern('deciding', languages=SPACED)}(?!\s+of\b)"


def _blind() -> str:
    """Somebody cannot see or count something, which may say no."""
    unable, seeing = (
        word_pattern(group, languages=SPACED) for group in ("inability", "perceiving")
    )
    return rf"{unable}\s+(?:\w+\s+)?{seeing}"


def _refusing(*groups: str) -> str:
    return rf"{_IT_IS}{word_pattern('refusals', *groups, languages=SPACED)}(?!\s+of\b)"


def _asian(*groups: str) -> str:
    # 不可能是 decides something.
    return rf"(?<!不){asian(*groups)}"


#: No phrase begins inside a word; told at once, this spares most places the long alternation.
_WORD_STARTS = r"(?<!\w)"
CANNOT = Pattern(_cannot)
#: A clause that says that no answer is possible; what comes after "but" may be one.
UNABLE = Pattern(
    lambda: rf"{_WORD_STARTS}{_SORRY}(?:{_cannot()}|{_blind()}|{_refusing()}){_TO_TURN}",
    asian=lambda: rf"{_SORRY}{_asian('refusals', 'perceiving')}{_TO_TURN}",
    needs=lambda: needed_words("inability", "unwillingness", "refusals"),
    cjk=True,
    inside=True,
)
#: A clause that decides nothing about yes or no: it refuses, or only guesses ("it might be").
UNDECIDED = Pattern(
    lambda: (
        rf"{_WORD_STARTS}(?:{_cannot()}|{_refusing('undecided')}(?!\s+not\b)"
        rf"|either\s+\w+\s+(?:\w+\s+)?or\b){_TO_TURN}"
    ),
    asian=lambda: rf"{_asian('refusals', 'undecided')}{_TO_TURN}",
    needs=lambda: ["either", *needed_words("inability", "unwillingness", "refusals", "undecided")],
    cjk=True,
    inside=True,
    first=lambda: [
        *opening_words("inability", "unwillingness", "refusals", "undecided"),
        *("i", "it", "this", "that", "we", "either"),
    ],
)
#: A whole answer that is none.
NO_ANSWER = Pattern(
    lambda: (
        rf"\W*(?:{_cannot()}|{_blind()}|{_refusing('undecided', 'no_answers')}"
        rf"|{_asian('refusals', 'undecided')}|(?:很?抱歉\W*)?我们?|很)\W*\Z"
    )
)
#: What a sentence has that answers no open question.
UNSEEN = Pattern(
    lambda: rf"{_WORD_STARTS}(?:{_cannot()}|{_blind()}|{word_pattern('unseen', languages=SPACED)})",
    needs=lambda: needed_words("inability", "unwillingness", "unseen"),
)
#: "I can't tell which (of the two it is)"
_WHICH = re.compile(
    r"\b(?:tell|say|know|see|sure|clear)\s+which(?:\s+(?:one|of|it|is|holds|applies|was)\b|\W*\Z)",
    re.IGNORECASE,
)
#: "Could you provide a clearer image?"
_REQUEST = re.compile(r"[.!]\s+(?:could|can|would|please|if\s+you)\b[^\n]{1,300}\Z", re.IGNORECASE)
_CHOOSING = words(
    "settle decide determine choose mind answer pick option open guess commit made said verify"
)
#: "As for the church, I can't make anything out."
_AS_FOR = re.compile(
    r"\b(?:as\s+for|about|regarding|concerning)\s+(?:the|its|her|his)\b", re.IGNORECASE
)
#: "I can't answer for sure" leaves what was said before.
_FOR_SURE = re.compile(r"\bsure\b|\bcertain|\bdefinit|\bexact|\bconfiden", re.IGNORECASE)


def refuses(text: str) -> bool:
    """Whether a text says that no answer is possible: "not enough information".

    >>> refuses("Not enough information"), refuses("a cat")
    (True, False)
    """
    return UNABLE.search(text) is not None


def no_answer(text: str) -> bool:
    """Whether a text says that no answer is possible, or that it is not known.

    >>> no_answer("It cannot be determined."), no_answer("It is a cat.")
    (True, False)
    """
    return UNABLE.search(text) is not None or UNDECIDED.search(text) is not None


def is_undecided(text: str) -> bool:
    """Whether a text ends by saying that it cannot decide.

    >>> is_undecided("A? I can't decide between A and B.")
    True
    """
    last = next(reversed(list(UNABLE.finditer(text))), None)
    if last is not None and _AS_FOR.search(text, sentence_start(text, last.start())):
        return not text[last.end() :].strip(" .!?\n")
    return (
        last is not None
        and not _FOR_SURE.search(last[0])
        and not _REQUEST.sub("", text[last.end() :]).strip(" .!?\n")
        and (not _CHOOSING.isdisjoint(words_in(last[0])) or _WHICH.search(last[0]) is not None)
    )
