"""Whether a text asserts what it mentions, or denies it, compares it, offers it or lists it.

Positions are those of the text; a mention is a span ``(start, end)``. The words are those of
`chef.reading.lexicon`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from functools import cache, lru_cache

from chef.reading.alternatives import is_alternative, is_listed
from chef.reading.denials import DENYING, EXCLUDING, denials, denies, faults, not_before
from chef.reading.lexicon import (
    LANGUAGES,
    SPACED,
    asian,
    clause_limit,
    needed_words,
    opening_words,
    phrases_of,
    word_pattern,
)
from chef.reading.patterns import Pattern, any_of
from chef.reading.patterns import words as words_of
from chef.reading.word_index import lower, words_near

Span = tuple[int, int]


class Assertion(Enum):
    """What a text does with a thing that it mentions."""

    ASSERTED = "asserted"
    #: It is denied, or ruled out as an answer.
    NEGATED = "negated"
    #: Something is compared with it, or only seemed or used to be it.
    COMPARED = "compared"
    #: Something else is offered in its place: "red or blue".
    ALTERNATIVE = "alternative"
    #: It is one of many items, none of which is chosen.
    LISTED = "listed"


#: Words between a negation and what it rules out: "not necessarily option B".
_BETWEEN = any_of(
    "be | been | being | an? | the | any | options? | choices? | answers? | letter | either | both",
    "really | necessarily | actually | simply | quite | clearly | definitely | even | of | to",
    "say | claim | assume | conclude | is | it | it's | its | that | think | believe | choose",
    "pick | select | go | in | on | at | with | possibly | probably | likely | le | la | un | une",
    "el | der | die | das | ein | eine | als | es | hay | veo | è | c'è | vedo | é | há | vejo",
    "est | ist | uma? | una | это | other | others | remaining | alternatives? | possibilities",
    "one | else | de | des | anderen | übrigen | möglichkeiten | optionen | antworten | autres",
    "las | las? | otras | opciones | delle | altre | opzioni | das | outras | opções",
)
_BEFORE = Pattern(
    lambda: rf"{not_before()}(?:\s+{_BETWEEN}(?=\s))*\s+[\"'(\[]*\Z",
    flags=0,
    lowered=True,
    first=lambda: [
        *opening_words(*DENYING, *EXCLUDING, "faults"),
        *words_of("excluded nem than other no wrong incorrect inaccurate misleading t"),
        "a mistake",
    ],
    needs=lambda: denials().firsts,
    asian=lambda: (
        rf"{asian('negations', 'negations_of_things', *EXCLUDING)}"
        r"\s*(?:选项|的是)?[\"'(\[\s]*\Z"
    ),
    cjk=True,
)


#: How far back a negation may start, in characters.
_REACH = 60
_AUXILIARY = any_of(
    "is | are | was | were | would | could | should | can | ca | must | might | may | does | do",
    "did | has | have | had | will | wo | seems? | looks? | appears?",
)
_ADVERBS = any_of(
    "to | be | been | also | clearly | obviously | definitely | probably | simply | just | both",
    "all | therefore | thus | certainly | likely | then | equally | completely | totally",
    "factually | plainly | either",
)
_FILLER = rf"(?:\s+{_ADVERBS})*"
_FAULT = any_of("wrong | incorrect | false | invalid | untrue")
_NOT = rf"(?:\s+not|n't|not)\b(?!\s+(?:only|just|merely|{_FAULT}|bad|ruled))"
_BAD = (
    rf"\s+(?:{_FAULT}|"
    + any_of(
        r"out\b | ruled out | excluded | eliminated | rejected | dismissed | impossible",
        r"implausible | unlikely | irrelevant | inaccurate | inconsistent | unrelated | off\b",
        r"contradicted | less\s | too\s | no good | no match | no answer | no option",
        r"a distractor | a trap | missing\b | absent\b",
    )
    + ")"
)
_CROSS = "✗|❌|✘|×"
_CLOSE = r"[\"')\]}*]*\s*"
_FAILS = any_of(
    "contradicts | fails | lacks | misses | makes? no sense | would be nonsense | is nonsense",
    "sounds nonsense",
)
#: Words of which one stands in what rules out the thing before it.
_BAD_WORDS = words_of(
    "not t cannot out ruled excluded eliminated rejected dismissed impossible implausible unlikely"
    " irrelevant inaccurate inconsistent unrelated off contradicted contradicts less too no"
    " distractor trap missing absent fails lacks misses sense nonsense would"
)
#: What rules out the option letter before it: "B is wrong", "C does not fit", "D - incorrect".
_AFTER_LABEL = Pattern(
    lambda: (
        rf"{_CLOSE}(?:,?\s*(?:too|also|however|on\s+the\s+other\s+hand)\s*,?)?"
        rf"\s*,?\s*(?:(?:which|that|it)\s+)?(?:{_AUXILIARY}{_FILLER}(?:{_NOT}|{_BAD})|{_FAILS}\b)"
        rf"|{_CLOSE}(?:[-–—:(=→>]+\s*)+(?:(?:this|it)\s+is\s+)?"
        r"(?:not\s+(?:correct|right|true|the\b|present|visible|shown|supported|possible|here)"
        rf"|{_FAULT}\b|eliminated|ruled\s+out|excluded|rejected|{_CROSS}"
        r"|no\b(?=\W*(?:[.;!?,\n]|\Z)))"
        rf"|{_CLOSE}(?:{_CROSS})"
        # "B would be correct only if it rained", "for another picture"
        rf"|{_CLOSE}\s*would\s+(?:only\s+)?be\s+(?:\w+\s+){{1,3}}(?:only\s+)?(?:if|for|to\s+a\s+different)\b"
        rf"|{_CLOSE}(?:项)?\s*(?:是|都|也|显然|明显|均|同样|更|则|就|并)*\s*"
        r"(?:错误?的?|不对|不正确|不太|不够|不应|不能选|不合|不选|不符合?|不是|不成立|被排除|有误)"
        r"|[\"')\]}*]*\s*(?:は|では|じゃ|も)*?\s*"
        rf"(?:{asian('negations_after')}|違い|違う|間違|誤り|不正解|正しくな)"
        rf"|{_CLOSE}(?:번)?(?:은|는|이|가|도)?\s*(?:아니|아닙|틀렸|틀린|틀립)"
        rf"|{_CLOSE}\s+(?:est|ist|es|è|é|это|-)?\s*{faults(LANGUAGES)}"
        r"|[\"')\]]*\s+(?:n'est\s+pas|ist\s+nicht|no\s+es|non\s+è|não\s+é|не)\b"
    )
)
#: What rules out the thing before it. "The dog is not barking" leaves the dog there.
_AFTER_TEXT = Pattern(
    lambda: (
        rf"[\"')\]}}*]*\s*(?:,?\s*(?:which|that)\s+)?{_AUXILIARY}{_FILLER}"
        rf"(?:{_NOT}\s+(?:(?:the|a|an|really|actually|clearly|be|been|to)\s+)*(?:correct|right|answer"
        r"|(?!other\b)\w{2,}(?:er|est)\s+one|(?<=the\s)(?:\w{2,}(?<!for)est\b|most\s)|true|present|visible|there\b|shown|seen|depicted|pictured|included|possible|option|choice"
        r"|supported|accurate|the\s+case|part\s+of|in\s+(?:the|this)\s+(?:image|picture|photo|scene))"
        rf"|\s+(?:{_FAULT}|ruled\s+out|excluded|eliminated|rejected|absent|missing|impossible"
        r"|implausible|unlikely|irrelevant|less\s+(?:likely|plausible|probable)))"
        rf"|[\"')\]}}*]*\s*(?:[-–—:(=→]+\s*)+(?:not\s+(?:correct|right|present|visible)|{_FAULT}\b"
        r"|eliminated|ruled\s+out|✗|❌|✘|×)"
        r"|[\"')\]}*]*\s*(?:是)?(?:错误的|不正确|不对|不符合|被排除)"
        r"|[\"')\]}*]*\s+(?:ist|sind)\s+nicht\s+(?:zu\s+(?:sehen|erkennen)|da|dabei|vorhanden"
        r"|abgebildet|sichtbar)\b|[\"')\]}*]*\s+(?:n'est\s+pas|n'appara[iî]t\s+pas|no\s+(?:est[áa]|aparece"
        r"|se\s+ve)|non\s+(?:c'è|compare|si\s+vede)|não\s+(?:está|aparece|se\s+vê))\b(?:\W*(?:[.,;!\n]|\Z)"
        r"|\s+(?:visible|présent|presente|visibile|visível))"
        # "Es isst nicht", where the verb comes first.
        r"|[\"')\]}*]*\s+(?:nicht|pas)\b(?!\s+(?:nur|bloß|allein|seulement|que)\b)"
        rf"|[\"')\]}}*]*\s*{asian('negations_after')}"
        r"|[\"')\]}*]*\s*(?:은|는|이|가)?\s*(?:아니|아닙)"
    )
)


def negated(plain: str, start: int) -> bool:
    """Whether "not", "no", "rather than" or the like comes right before ``start``.

    >>> negated("it is not a dog", 12), negated("No, a dog", 6)
    (True, False)
    """
    # "B: a dog: ruled out" says nothing of the line below it.
    first = max(start - _REACH, plain.rfind("\n", 0, start) + 1, 0)
    return denies(plain) and bool(_BEFORE.search_in(plain, first, start))


def refused_label(plain: str, end: int) -> bool:
    """Whether the words after an option's letter rule it out.

    >>> refused_label("B is wrong", 1), refused_label("B, not C", 1)
    (True, False)
    """
    return _AFTER_LABEL.match(plain, end) is not None if _may_refuse(plain) else False


def refused_text(plain: str, end: int) -> bool:
    """Whether the words after a thing say that it is not there, or not the answer.

    >>> refused_text("dog is absent", 3), refused_text("dog is not barking", 3)
    (True, False)
    """
    return _AFTER_TEXT.match(plain, end) is not None if _may_refuse(plain) else False


@lru_cache(64)
def _may_refuse(plain: str) -> bool:
    return denies(plain) or not _bad_words().isdisjoint(words_near(plain))


@cache
def _bad_words() -> frozenset[str]:
    """Words of which one stands in what rules out the thing before it, in any language."""
    return _BAD_WORDS | {word for fault in phrases_of("faults") for word in fault.split()}


#: Where a clause begins, in a text in lower case; a negation before it does not reach into it.
_TURNS = (
    "but and while whereas because so although however then instead aber sondern mais pero sino ma"
    " però mas но а"
)
_CLAUSE = clause_limit(_TURNS, ".,;:!?\n。，；！？", r"(?!\d)", ("而是", "但"))
#: How far back words about a mention may start, in characters.
_FAR = 80
_FAR_WORDS = (
    "not never cannot no without neither nor hardly barely non nao ne nicht pas nobody nothing"
    " niemand personne nadie nessuno ninguém"
)
#: "not holding an umbrella", "doesn't have a hat", "no red umbrella"
_NOT_FAR = Pattern(
    r"(?:\b(?:not(?!\s+(?:only|just|merely|sure|certain|clear|entirely|all|every))|never|cannot)\b"
    r"|n't\b)(?:\s+(?!is\b|are\b|was\b|that\b|than\b)\w[\w'-]*){0,6}\s+[\"'(\[]*\Z"
    r"|\b(?:no(?!\s+(?:doubt|wonder))|without|neither|nor|hardly|barely)\b"
    r"(?:\s+(?!is\b|are\b|was\b|has\b|doubt\b)\w[\w'-]*){0,2}\s+[\"'(\[]*\Z"
    r"|\b(?:nobody|no\s+one|nothing|niemand|personne|nadie|nessuno|ninguém)\b"
    r"(?!\s+(?:but|other|else|except|like)\b)(?:\s+\w[\w'-]*){0,5}\s+[\"'(\[]*\Z"
    r"|\b(?:non|não|nao|no|не|ne|nicht|pas|geen|niet)\s+(?:(?:è|é|es|está|est|un[ae]?|du|de|des|ein\w*|uma?|это|"
    r"una|el|la)\s+){0,2}\Z"
    r"|(?:不是|并非|没有|不|非|没)\s*(?:一[只个辆条张把]|任何|的是)?\s*\Z",
    needs=f"{_FAR_WORDS} t não не geen niet",
    cjk=True,
    first=f"{_FAR_WORDS} t",
)
_NOT_AFTER = Pattern(
    lambda: (
        r"[\"')\]]*\s*(?:ではな|じゃな|ではあり|じゃあり|でな|이\s*아니|가\s*아니|이\s*아닙|가\s*아닙|아니|아닙|は違)"
        rf"|[\"')\]]*\s*{asian('negations_after')}"
        rf"|[\"')\]]*\s+(?:is|are|was|would\s+be)\s+(?:{faults()}|not\s+correct)\b"
    )
)
#: What something is compared with, or comes after: "than the one for France".
_COMPARED = Pattern(
    lambda: (
        r"(?:\b(?<!other )(?<!else )(?<!less likely )(?<!less plausible )"
        rf"(?:{word_pattern('comparisons', *EXCLUDING, languages=SPACED)}"
        r"|vs\.?|similar\s+to)|(?:(?<=,\s)|(?<=,\s\s)|(?<=,\s{3})|(?<=,\s{4}))followed\s+by)\s+"
        r"(?:(?:the|that|those|ones?|bar|value|for|of|in|from|an?|is|by)\s+){0,5}[\"'(]*\Z"
        r"|(?<!\blooks\s)(?<!\blook\s)(?<!\bseems\s)(?<!\bsounds\s)(?<!\bmore\s)\blike\s+an?\s+\Z"
        r"|[比]\s*\Z"
        r"|\b(?:while|although|though|even\s+(?:if|though))\s+(?:it|this|that|they)\s+(?:may|might"
        r"|could|looks?|seems?|appears?|resembles?)\b[^,.;!?\n]*\Z"
    ),
    needs=lambda: [
        *needed_words("comparisons", *EXCLUDING),
        *("vs", "similar to", "followed by", "like a", "like an"),
        *("while", "although", "though", "even if"),
    ],
    cjk=True,
    first=lambda: [
        *opening_words("comparisons", *EXCLUDING),
        *("vs", "similar to", "followed by", "like", "while", "although", "though", "even"),
    ],
)
#: "It looks like a wolf, but it is a dog"
_SEEMS = Pattern(
    lambda: (
        rf"\b{word_pattern('likenesses', languages=SPACED)}"
        r"(?:\s+(?:like|to\s+be|similar\s+to|an?|the|un|une|una|um|uma|ein|eine|einem|einer))*\s+\Z"
    ),
    needs=lambda: needed_words("likenesses"),
    first=lambda: opening_words("likenesses"),
)
#: "Jane Austen is mentioned only in the blurb", "the road is only part of the address"
_ONLY_NAMED = Pattern(
    r"[\"')\]]*\s+(?:(?:is|are|was|were)\s+(?:mentioned|named|listed|quoted|cited|shown)\s+"
    r"(?:only|just|merely)\b|(?:is|are|was|were)\s+(?:only|just|merely)\s+(?:mentioned|named|listed"
    r"|quoted|cited|(?:an?\s+|the\s+)?(?:\w+\s+)?(?:part|name|title|background|decoration)\b)"
    r"|(?:appears|occurs)\s+(?:only|just|merely)\b)"
)
_WAS = Pattern(r"\b(?:was|were|used\s+to\s+be)\s+(?:an?\s+|the\s+)?\Z", first="was were used")
_NOW = re.compile(
    r"(?:\s+\w+){0,3},?\s+(?:but|and)\s+(?:\w+\s+)?(?:now|is)\b"
    r"|(?:\s+\w+){0,6},?\s+(?:but|and)\s+(?:now|here)\b",
    re.IGNORECASE,
)
_BUT = re.compile(r"[\w\s]{0,30},?\s+(?:but\s+(?!I\b)|(?:aber|mais|pero|mas?|но)\s)", re.IGNORECASE)


def assertion(text: str, span: Span, mentions: Sequence[Span] = ()) -> Assertion:
    """What a text without markup does with a mention; an alternative to another of the mentions of
    what is right does no harm.

    >>> assertion("anything but red", (13, 16)).value, assertion("red or blue", (0, 3)).value
    ('negated', 'alternative')
    """
    if _denied(text, span):
        return Assertion.NEGATED
    if _compared(text, span):
        return Assertion.COMPARED
    if is_alternative(text, span, mentions):
        return Assertion.ALTERNATIVE
    return Assertion.LISTED if is_listed(text, span) else Assertion.ASSERTED


def asserted(text: str, span: Span, mentions: Sequence[Span] = ()) -> bool:
    """Whether a text says that what is mentioned holds; see `assertion`.

    >>> asserted("blue, not red", (10, 13)), asserted("blue, not red", (0, 4))
    (False, True)
    >>> asserted("red or blue", (0, 3)), asserted("red or blue", (0, 3), [(0, 3), (7, 11)])
    (False, True)
    """
    return assertion(text, span, mentions) is Assertion.ASSERTED


def ruled_out(text: str, span: Span) -> bool:
    """Whether a mention is negated, compared with something, or what only seemed or was so.

    >>> ruled_out("not holding a bag", (14, 17)), ruled_out("holding a bag", (10, 13))
    (True, False)
    """
    return _denied(text, span) or _compared(text, span)


def denied_beside(text: str, span: Span) -> bool:
    """Whether the words right before or behind a mention deny it.

    >>> denied_beside("not a cat", (6, 9)), denied_beside("not near a cat", (11, 14))
    (True, False)
    """
    start, end = span
    if negated(text, start) or refused_text(text, end):
        return True
    return _NOT_AFTER.match(text, end) is not None


def _denied(text: str, span: Span) -> bool:
    start = span[0]
    if denied_beside(text, span):
        return True
    if not _NOT_FAR.search_in(text, max(0, start - _FAR), start):
        return False
    return _NOT_FAR.search_in(text, clause_start(text, start, _FAR), start) is not None


def clause_start(text: str, place: int, reach: int) -> int:
    """Where the clause of a place begins; at most ``reach`` characters before it.

    >>> clause_start("no cat, but a dog", 14, 80)
    11
    """
    first = max(0, place - reach)
    limits = [match.end() for match in _CLAUSE.finditer(lower(text), first, place)]
    return limits[-1] if limits else first


def _compared(text: str, span: Span) -> bool:
    start, end = span
    first = max(0, start - _FAR)
    if denies(text) and _SEEMS.search_in(text, first, start) and _BUT.match(text, end):
        return True  # "it resembles a cat, but ..."
    was = _WAS.search_in(text, first, start) and _NOW.match(text, end)
    aside = was or _ONLY_NAMED.match(text, end)
    return bool(aside or _COMPARED.search_in(text, first, start))
