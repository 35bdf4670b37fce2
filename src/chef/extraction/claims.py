"""Compare what an answer states with what a yes/no question asks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from chef.extraction.characters import CJK
from chef.extraction.opposites import ANYONE, KINDS, NUMBERS, opposite
from chef.extraction.questions import content_places, content_words, stem
from chef.extraction.text import Hit

Verdict: TypeAlias = Literal["yes", "no"]

_CLAUSE = re.compile(
    r"[.!?;\n]+(?=\s|\Z)|\n|(?:^|\s)[-•*|]\s|,?\s{0,2}\b(?:but|however|although|though|even\s+though|whereas|while|because|since|yet)\b,?|\s[—–-]\s|:\s|,\s+(?=(?:not|there|there's|it|it's|I|he|she|they|the|this|that|so|which|as|only|just|with|and\s+(?:there|I|the|it|he|she|they|no))\b)"
    r"|(?<=\w)\s+and\s+(?=(?:there|I|it|he|she|they)\b)|\s(?=(?:rather\s+than|instead\s+of)\b)|\(|\)|⇒|→|=>|∴",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nor|neither|without|cannot|lacks?|lacking|absent|missing|nobody|nothing|nowhere|fails?\s+to|hardly|barely|free\s+of|devoid\s+of|unable|rather\s+than|instead\s+of|isnt|doesnt|dont|excludes?)\b|n't\b"
    r"|unseen",
    re.IGNORECASE,
)
#: In these languages two negations are one: "no hay ningún perro".
_CONCORD = re.compile(
    r"\b(?:no(?=\s+(?:hay|veo|se|es|está|tiene|son|aparece))|non(?=\s+(?:c'è|ci|vedo|si|è))|pas|aucune?|jamais|nicht|keine?[nrsm]?|nessun[oa]?|ningun[oa]?|ningún|sin|senza|sans|ohne|não|nenhuma?|nem)\b",
    re.IGNORECASE,
)
#: A clause that only supposes something.
_SUPPOSED = re.compile(
    r"\b(?:if|whether|might|may|could|would|maybe|perhaps|possibly|unless|either|decide|check(?:ing)?|determine|question|asks?|asked|can't\s+tell|unclear|or\s+not|used\s+to|what\s+looks\s+like|usually|typically|often|suggests?\s+that\s+if)\b|\?",
    re.IGNORECASE,
)
_GONE = re.compile(
    r"(?:\s+\w+){0,6}?\s*(?:\b(?:is|are|was|were|does|do|can|could|has|have)\s*(?:n't|not|n’t)\b|\bcan(?:'t|not)\b|\bis\s+(?:nowhere|absent|missing)|\bare\s+(?:nowhere|absent|missing)|\b(?:is|are)\s+(?:clearly\s+)?(?:absent|missing)\b|不在|不见)",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"\b(?:present|visible|there|seen|see|shown|appear|found|depicted|pictured|in\s+(?:the|this)\s+(?:image|picture|photo|scene|frame)|anywhere|exist|spotted|detected|identified|observed)\b",
    re.IGNORECASE,
)
_EXISTENCE_QUESTION = re.compile(
    r"(?:\b(?:is|are|was|were|isn't|aren't)\s+there|\bdoes?(?:n't)?\s+(?:the|this)\s+(?:image|picture|photo|scene|photograph|chart|graph|figure|diagram|map|plot|table|list|menu)\s+(?:\w+\s+)?(?:contain|show|have|include|depict|feature)s?|\b(?:do|can|could)\s+you\s+(?:see|find|spot|detect|notice)|\bhas\s+(?:the|this)\s+(?:image|picture|photo))\s+"
    r"(?:(?:an?|any|the|some|at\s+least\s+one|one|more\s+than\s+one)\s+)*(?P<thing>[^?.,;\n]+)"
    r"|\A\W*(?:is|are|was|were)\s+(?:(?:an?|any|the|some)\s+)*(?P<shown>[^?.,;\n]{1,50}?)\s+(?:present|visible|shown|depicted|in\s+(?:the|this)\s+(?:image|picture|photo|scene))\W*\Z",
    re.IGNORECASE,
)
_THING_END = re.compile(
    r"\b(?:in|on|at|under|behind|near|next|beside|above|below|among|between|inside|with|by|from|to|of\s+the|that|who|which|anywhere|visible|present|there|here|shown|wearing|sitting|standing|leaning|lying|hanging|around|against|across|left)\b",
    re.IGNORECASE,
)
_ABSENCE_QUESTION = re.compile(
    r"\b(?P<free>free\s+of|devoid\s+of|without|lack(?:s|ing)?)\s+(?P<thing>[^?.,;\n]+)|\b(?:is|are)\s+(?:the|a|an|any)?\s*(?P<subject>[^?.,;\n]{1,40}?)\s+(?:missing|absent|gone)\b",
    re.IGNORECASE,
)
_SOMETHING = re.compile(
    r"\b(?:several|many|some|two|three|a\s+few|lots)\b|\bsome(?:one|body|thing)\b"
    r"|\bthere(?:\s+(?:is|are)|'s)\s+(?!no\b|not\b)|\bpeople\b",
    re.IGNORECASE,
)
_CJK = re.compile(f"[{CJK}]")
_NOTHING = re.compile(r"\bnothing\b|n't\s+any(?:thing|one|body)\b|\bnot\s+any(?:thing|one|body)\b|\bno\s+one\b|\bnobody\b", re.IGNORECASE)
_HAS_ONE = re.compile(
    r"\s*(?:it|he|she|they|the\s+\w+)\s+(?:(?:do|does)(?P<not>n't|\s+not)?\s+)?(?:have|has|wear|wears|hold|holds)\s+(?:one|any|it)\W*\Z",
    re.IGNORECASE,
)
_NOBODY = re.compile(r"\b(?:no[\s-]one|nobody)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\s*(?:and\s+|so\s+|yes,?\s+|hence\s+|thus\s+|therefore,?\s+)?(?:it|he|she|they|this|that|these|those|both|all|you|i|we|there|its|his|her|their)(?:'s|'re)?\b", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """What a yes/no question asks: whether a thing is there, or whether something holds of it.

    Attributes:
        thing: the stems of the thing, in order, if the question is whether it is there.
        absent: whether the question is whether the thing is not there.
        words: all content words, in order.
        compares: whether the question compares ("longer than").
        quoted: the words that the question quotes.
        sides: what is compared, the comparative and what it is compared with.
        subject: whether the first content word is the subject, as it is not in "Is it a dog?".
    """

    thing: tuple[str, ...]
    absent: bool
    words: tuple[str, ...]
    compares: bool
    quoted: str = ""
    subject: bool = True
    sides: tuple[frozenset[str], str, frozenset[str]] = (frozenset(), "", frozenset())


def asked(question: str) -> Asked | None:
    """What a question asks; None if it names nothing.

    >>> asked("Is there a red dog in the yard?").thing
    ('red', 'dog')
    """
    sentences = [part for part in re.split(r"(?<=[?!.])\s+", question.strip()) if "?" in part]
    text = sentences[0] if sentences else question
    words = tuple(dict.fromkeys(_stems(text)))
    # "Is it indoors or outdoors?" has no yes or no.
    if re.search(r"\bor\b(?!\s+(?:not|no)\b)", text, re.IGNORECASE):
        return None
    quote = re.search(r"(?<!\w)[\"']([^\"'\n]{1,40})[\"'](?!\w)", text)
    if not words and not quote:
        return None
    absence = _ABSENCE_QUESTION.search(text)
    existence = absence or _EXISTENCE_QUESTION.search(text)
    thing: tuple[str, ...] = ()
    if existence:
        named = next((value for key, value in existence.groupdict().items() if value and key != "free"), "")
        end = _THING_END.search(named, 1)
        thing = tuple(_stems(named[: end.start()] if end else named)) or tuple(_stems(named))
    return Asked(thing, absence is not None, words, bool(re.search(r"\bthan\b", text, re.I)), quote[1] if quote else "",
        not re.match(r"\W*\w+\s+(?:it|this|that|he|she|they|these|those|you)\b", text, re.I),
        _sides(text))  # fmt: skip


def _sides(text: str) -> tuple[frozenset[str], str, frozenset[str]]:
    before, _, after = text.partition(" than ")
    words = re.findall(r"\w+", before.lower())
    if not after or not words:
        return frozenset(), "", frozenset()
    more = re.search(r"\bmore\s+(?=\w+\s*\Z)", before) or re.search(r"\bmore\b", before)
    comparative = "more" if more and "er" != words[-1][-2:] else stem(words[-1])
    return frozenset(_sided(before)) - {comparative}, comparative, frozenset(_sided(after))


def _sided(text: str) -> list[str]:
    return [*_stems(text), *re.findall(r"\b(?:left|right)\b", text.lower())]


def _stems(text: str) -> list[str]:
    words = [word for word, _, _ in content_places(text) if not _CJK.search(word)]
    # These are empty words elsewhere.
    extra = re.findall(r"\b(?:left|right|up|down|on|off)\b(?=\W*\Z)", text.lower())
    return words + [word for word in extra if word not in words]


def compared(plain: str, start: int, end: int, question: str) -> list[Hit[Verdict]]:
    """The verdicts of the clauses of ``plain[start:end]`` on what the question asks.

    >>> text = "I see a cat, but I don't see any dog."
    >>> [hit.value for hit in compared(text, 0, len(text), "Is there a dog?")]
    ['no']
    """
    wanted = asked(question)
    if wanted is None:
        return []
    hits = []
    for begin, stop in clauses(plain, start, end):
        clause = plain[begin:stop]
        value = _judge(clause, wanted)
        if value is not None:
            hits.append(Hit(value, begin + len(clause) - len(clause.lstrip()), stop))
    return hits


def clauses(plain: str, start: int, end: int) -> list[tuple[int, int]]:
    """Spans of the clauses between ``start`` and ``end``."""
    limits = [start]
    for match in _CLAUSE.finditer(plain, start, end):
        # "not" and "rather than" belong to the clause that they begin.
        limits += [match.start(), match.end()]
    limits.append(end)
    spans = zip(limits[::2], limits[1::2], strict=True)
    return [(begin, stop) for begin, stop in spans if plain[begin:stop].strip()]


def _judge(clause: str, wanted: Asked) -> Verdict | None:
    if _SUPPOSED.search(clause):
        return None
    if wanted.quoted:
        said = wanted.quoted.lower() in clause.lower()
        return None if not said else "no" if _denied(clause) else "yes"
    if "empty" in wanted.words and "empty" not in content_words(clause):
        return "yes" if _NOTHING.search(clause) else "no" if _SOMETHING.search(clause) else None
    if wanted.compares:
        return _comparison(clause, wanted)
    if wanted.thing:
        there = _thing_there(clause, wanted)
        if there is not None:
            return "yes" if there != wanted.absent else "no"
        return None
    holds = _holds(clause, wanted)
    return None if holds is None else "yes" if holds else "no"


def _denied(clause: str) -> bool:
    if re.search(r"[✗✘✖❌]", clause):
        return True
    return bool(_CONCORD.search(clause)) or len(_negations(clause)) % 2 == 1


def _negations(text: str) -> list[re.Match[str]]:
    """The negations of a text; "neither ... nor" is one."""
    found = list(_NEGATION.finditer(text))
    if any(match[0].lower() == "neither" for match in found):
        return [match for match in found if match[0].lower() != "nor"]
    return found


def _thing_there(clause: str, wanted: Asked) -> bool | None:
    """Whether a clause says that the thing is there."""
    if _NOBODY.search(clause):
        return False if ANYONE & set(wanted.thing) else None
    place = _thing_place(clause, wanted.thing)
    if place is None:
        return False if _other_number(clause, wanted.thing) else None
    begin, stop = place
    if clause[begin:stop].lower() == "none":
        return False
    before, after = clause[:begin], clause[stop:]
    if _CONCORD.search(before) or re.search(r"[✗✘✖❌]", clause):
        return False
    negations = [m for m in _negations(before) if not _ended(before[m.end() :], m[0])]
    if len(negations) % 2:
        return False
    gone = _GONE.match(after)
    if gone:
        return False if _THERE.search(after) or re.search(r"absent|missing|nowhere", gone[0]) else None
    if re.match(r"(?:\s+\w+){0,4}\s+(?:is|are)\s+(?:absent|missing)\b", after):
        return False
    if re.search(r"\b(?:no|not|n't)\b", after[:30]) and not re.search(r"\b(?:and|with|is|are|has|in|on)\b", after[:30]):
        return None
    return True


def _other_number(clause: str, thing: tuple[str, ...]) -> bool:
    """Whether a clause gives another number of the thing: "three dogs" for "two dogs"."""
    if len(thing) < 2 or thing[0] not in NUMBERS or _negations(clause):
        return False
    words = [word for word, _, _ in content_places(clause)]
    pairs = zip(words, words[1:], strict=False)
    return any(a in NUMBERS and a != thing[0] and b == thing[1] for a, b in pairs)


def _ended(between: str, negation: str) -> bool:
    """Whether a negation ends before a thing: "no cat and a dog"."""
    if negation.lower() in ("no", "without", "neither", "nor"):
        return re.search(r"\band\s+(?:an?|the|some|one|two|three|several)\b|\bonly\b|,\s*(?:an?|the)\b", between) is not None
    return re.search(r"\bonly\b|\bjust\b|,\s*(?:a|an)\s|\banother\b", between) is not None


def _thing_place(clause: str, thing: tuple[str, ...]) -> tuple[int, int] | None:
    """Where a clause names the thing: all its words close together, or a kind of it."""
    places = content_places(clause)
    for index in range(len(places)):
        window = places[index : index + len(thing) + 1]
        spans = [
            (s, e) for word, s, e in window for want in thing if word == want or word in KINDS.get(want, ())
        ]
        named = {want for word, _, _ in window for want in thing if word == want or word in KINDS.get(want, ())}
        if named == set(thing) and spans:
            begin, stop = min(s for s, _ in spans), max(e for _, e in spans)
            if "," not in clause[begin:stop]:
                return begin, stop
    one = re.search(r"\b(?:contain|have|has|show|see|is|are|include|includes|contains|shows|spot)\s+(?:clearly\s+)?(?P<one>none|one|any|some|several|many)\b(?=\s*(?:\Z|[.,!]|in|on|at|behind|there|near|under|above|next))", clause, re.IGNORECASE)
    return one.span("one") if one else None


def _holds(clause: str, wanted: Asked) -> bool | None:
    """Whether a clause says that what the question asks holds."""
    words = wanted.words
    last = words[-1]
    found = [word for word, _, _ in content_places(clause)]
    found += [w for w in re.findall(r"\b(?:left|right|up|down|on|off)\b", clause.lower()) if w not in found]
    if not found:
        own = _HAS_ONE.match(clause)
        return None if own is None else not own["not"]
    positive = not _denied(clause)
    focus = set(words[1:] if len(words) > 1 and wanted.subject else words)
    for word in [w for w in words if w in focus]:
        rival, strict = opposite(word, found)
        if rival and word not in found:
            rest = focus - {word}
            others = set(found) - set(words) - {rival}
            if not rest <= set(found) and others:
                return None
            if not _same_subject(clause, found, words, rival):
                return None
            return (False if positive else True if strict else None) if positive or strict else None
    if set(found) <= set(words) and re.match(r"\s*not\b", clause, re.IGNORECASE):
        return False
    if last not in found:
        return None
    if focus <= set(found) or set(found) <= set(words):
        if not _same_subject(clause, found, words, last):
            return None
        return positive
    return None


def _same_subject(clause: str, found: list[str], words: tuple[str, ...], last: str) -> bool:
    """Whether the clause speaks of the subject of the question, or of "it"."""
    if words[0] in found or _PRONOUN.match(clause):
        return True
    lead = found[: found.index(last)] if last in found else found
    return all(word in words for word in lead)


def _comparison(clause: str, wanted: Asked) -> Verdict | None:
    """Which of the two compared things comes first in a clause with the same comparative."""
    first, comparative, second = wanted.sides
    places = _stems(clause)
    if re.search(r"\bleft\b|\bright\b", clause, re.IGNORECASE):
        places = _stems(re.sub(r"\b(left|right)\b", r"\1 side", clause))
        places += [w for w in re.findall(r"\b(?:left|right)\b", clause.lower()) if w not in places]
    alone = comparative == "more" and re.search(r"\bmore\b", clause, re.IGNORECASE)
    if not alone and comparative not in places:
        return None
    one = [places.index(word) for word in first - second if word in places]
    two = [places.index(word) for word in second - first if word in places]
    if not one and not two:
        return None
    ahead = not two or bool(one and min(one) < min(two))
    if _denied(clause):
        return "no" if ahead else None
    return "yes" if ahead else "no"
