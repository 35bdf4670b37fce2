"""Tell whether a text names something only to rule it out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from chef.reading.patterns import any_of
from chef.reading.text import Hit

T = TypeVar("T")

_REFUSED = any_of("wrong | incorrect | false | invalid | untrue")
_NOT_BEFORE = (
    r"(?:\b|(?<=[a-z]))(?:"
    + any_of(
        "not | never | nor | neither | without | except | except for | excluding | unlike",
        "rather than | instead of | opposed to | excludes? | excluded | contradicts | disproves",
        r"rule out | rules out | ruled out | ruling out | cross out | crossed out | crossing out",
        "eliminates? | eliminated | eliminating | rejects? | rejected | rejecting | dismiss",
        "dismisses | dismissed | dismissing | discards? | discarded | discarding",
    )
    # "none other than A" is A.
    + r"|(?<!other )(?<!else )than|(?<!none )(?<!nothing )(?<!anything )other\s+than"
    rf"|{_REFUSED}\s+(?:options|answers|choices|ones)\s*(?:are|include|:)?)\b"
    r"|\bno\b(?!\.)|n't\b|\b(?:pas|nicht|keine?[nrsm]?|nem|ni|sino)\b"
)
#: Words between a negation and what it rules out: "not necessarily option B".
_BETWEEN = any_of(
    "be | been | being | an? | the | any | options? | choices? | answers? | letter | either | both",
    "really | necessarily | actually | simply | quite | clearly | definitely | even | of | to",
    "say | is | it | it's | its | that | think | believe | choose | pick | select | go | in | on",
    "at | with | possibly | probably | likely | le | la | un | une | el | der | die | das | ein",
    "eine | als",
)
_BEFORE = re.compile(
    rf"(?:{_NOT_BEFORE})(?:\s+{_BETWEEN}(?=\s))*\s+[\"'(\[]*\Z"
    r"|(?:不是|不选|并非|不为|不应该?选|不能选|排除(?:了|掉)?|没有|而非|不可能是|不对)"
    r"\s*(?:选项|的是)?[\"'(\[\s]*\Z",
    re.IGNORECASE,
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
_NOT = rf"(?:\s+not|n't|not)\b(?!\s+(?:only|just|merely|{_REFUSED}|bad|ruled))"
_BAD = (
    rf"\s+(?:{_REFUSED}|"
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
#: What rules out the option letter before it: "B is wrong", "C does not fit", "D - incorrect".
_AFTER_LABEL = re.compile(
    rf"{_CLOSE}(?:,?\s*(?:too|also|however|on\s+the\s+other\s+hand)\s*,?)?"
    rf"\s*,?\s*(?:(?:which|that|it)\s+)?(?:{_AUXILIARY}{_FILLER}(?:{_NOT}|{_BAD})|{_FAILS}\b)"
    rf"|{_CLOSE}(?:[-–—:(=→>]+\s*)+(?:(?:this|it)\s+is\s+)?"
    r"(?:not\s+(?:correct|right|true|the\b|present|visible|shown|supported|possible|here)"
    rf"|{_REFUSED}\b|eliminated|ruled\s+out|excluded|rejected|{_CROSS}"
    r"|no\b(?=\W*(?:[.;!?,\n]|\Z)))"
    rf"|{_CLOSE}(?:{_CROSS})"
    rf"|{_CLOSE}(?:项)?\s*(?:是|都|也|显然|明显|均|同样|更|则|就|并)*\s*"
    r"(?:错误?的?|不对|不正确|不太|不够|不应|不能选|不合|不选|不符合?|不是|不成立|被排除|有误)"
    rf"|{_CLOSE}(?:は|では|じゃ|も)*\s*"
    r"(?:ではない|じゃない|ではありません|違い|違う|間違|誤り|不正解|正しくな)"
    rf"|{_CLOSE}(?:번)?(?:은|는|이|가|도)?\s*(?:아니|아닙|틀렸|틀린|틀립)",
    re.IGNORECASE,
)
#: What rules out the thing before it. "The dog is not barking" leaves the dog there.
_AFTER_TEXT = re.compile(
    rf"[\"')\]}}*]*\s*(?:,?\s*(?:which|that)\s+)?{_AUXILIARY}{_FILLER}"
    rf"(?:{_NOT}\s+(?:(?:the|a|an|really|actually|clearly|be|been|to)\s+)*(?:correct|right|answer"
    r"|true|present|visible|there\b|shown|seen|depicted|pictured|included|possible|option|choice"
    r"|supported|accurate|the\s+case|in\s+(?:the|this)\s+(?:image|picture|photo|scene))"
    rf"|\s+(?:{_REFUSED}|ruled\s+out|excluded|eliminated|rejected|absent|missing|impossible"
    r"|implausible|unlikely|irrelevant))"
    rf"|[\"')\]}}*]*\s*(?:[-–—:(=→]+\s*)+(?:not\s+(?:correct|right|present|visible)|{_REFUSED}\b"
    r"|eliminated|ruled\s+out|✗|❌|✘|×)"
    r"|[\"')\]}*]*\s*(?:是)?(?:错误的|不正确|不对|不符合|被排除)"
    r"|[\"')\]}*]*\s*(?:ではない|じゃない|ではありません|じゃありません)"
    r"|[\"')\]}*]*\s*(?:은|는|이|가)?\s*(?:아니|아닙)",
    re.IGNORECASE,
)
_AND_OR = (
    r"or|nor|and|[/&、或和与跟及]|还是|或者|または|もしくは|か|と|や|또는|혹은|와|과|oder|ou|o|y|et|und"
    r"|или|и"
)
#: What joins the items of a list; "firm" is the word that makes it one.
_JOIN = re.compile(
    rf"[\"')\]]*\s*(?:\([^()]{{0,40}}\)\s*)?(?:,?\s*(?P<firm>{_AND_OR})|,)\s*"
    r"(?:(?:an?|the|option|choice|even|also)\s+)*[\"'(\[]*",
    re.IGNORECASE,
)
#: How far apart two items of one list may stand, in characters.
_LIST_GAP = 40
#: So many items are a list even if only commas join them.
_MANY = 4
#: How far an option's text may stand behind its letter, in characters that are no blanks.
_OWN_GAP = 3


def negated(plain: str, start: int) -> bool:
    """Whether "not", "no", "rather than" or the like comes right before ``start``.

    >>> negated("it is not a dog", 12), negated("No, a dog", 6)
    (True, False)
    """
    return _BEFORE.search(plain[max(0, start - _REACH) : start]) is not None


def refused_label(plain: str, end: int) -> bool:
    """Whether the words after an option's letter rule it out.

    >>> refused_label("B is wrong", 1), refused_label("B, not C", 1)
    (True, False)
    """
    return _AFTER_LABEL.match(plain, end) is not None


def refused_text(plain: str, end: int) -> bool:
    """Whether the words after a thing say that it is not there, or not the answer.

    >>> refused_text("dog is absent", 3), refused_text("dog is not barking", 3)
    (True, False)
    """
    return _AFTER_TEXT.match(plain, end) is not None


def joined_groups(plain: str, hits: Sequence[Hit[T]]) -> list[list[int]]:
    """Places of hits that a list joins: "A, B or C"; hits joined by commas alone stay apart.

    >>> joined_groups("A, B or C; D, A", [Hit(0, 0, 1), Hit(1, 3, 4), Hit(2, 8, 9), Hit(3, 11, 12)])
    [[0, 1, 2], [3]]
    """
    groups: list[list[int]] = []
    firm: list[bool] = []
    for place, hit in enumerate(hits):
        before = hits[place - 1] if place else None
        gap = hit.start - before.end if before else _LIST_GAP + 1
        near = before is not None and 0 <= gap <= _LIST_GAP
        match = _JOIN.fullmatch(plain, before.end, hit.start) if near and before else None
        # A letter and its own text are one item: "A (a cat), B (a dog) or C".
        own = (
            near
            and before is not None
            and (
                before.value == hit.value and len(plain[before.end : hit.start].strip()) <= _OWN_GAP
            )
        )
        if match or own:
            groups[-1].append(place)
            firm[-1] = firm[-1] or bool(match and match["firm"])
        else:
            groups.append([place])
            firm.append(False)
    return [
        part
        for group, whole in zip(groups, firm, strict=True)
        for part in ([group] if whole or len(group) >= _MANY else [[item] for item in group])
    ]
