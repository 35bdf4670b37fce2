"""The clauses of a text, and what each does as a whole: it denies, or only supposes."""

from __future__ import annotations

import re

from chef.reading.lexicon import (
    SPACED,
    alternation,
    asian,
    far_from,
    heads,
    needed_words,
    phrases_of,
    word_pattern,
)
from chef.reading.number_forms import is_portuguese
from chef.reading.patterns import Pattern, words

#: "Unlike the cat" leaves the cat where it is.
_ARTICLE = r"(?:the|der|die|das|dem|den|des|le|la|les|el|los|las|il|lo|gli|o|os|as)"


def _excluding() -> str:
    """What names a thing that is not so: "rather than"; "unlike the cat" denies no cat."""
    every = word_pattern("exclusions", languages=SPACED)
    return rf"(?:rather\s+than\b|instead\s+of\b|{every}(?!\s+{_ARTICLE}\b))"


_TURN = (
    r"(?:(?<!anything )but|pero|aber|mais|però|mas|но|however|although|though|even\s+though|whereas"
    r"|while|because|since|yet)\b,?"
)
#: A word parts clauses, or else what is no part of a word; told first, this spares most characters
#: the long alternations.
_CLAUSE = Pattern(
    lambda: (
        r"(?<!\w)(?=\w)(?:(?:sees|shows|means|clear|indicates|suggests)\s+that\s+"
        rf"(?=(?:it|its|he|his|she|her|they|their|there|the)\b)|{_TURN})|(?!\w)(?:"
        rf"[.!?;\n]+(?=\s|\Z)|\n|(?:^|\s)(?:[-•*]|\|(?!\s*[✗✘✖❌]))\s|,?\s{{0,2}}\b{_TURN}|\s[—–-]\s|:\s"
        r"|,\s+(?=(?:not|there|there's|it|it's|i|he|she|they|the|this|that|so|which|as|only|just|with"
        r"|and\s+(?:there|i|the|it|he|she|they|no|not))\b)"
        r"|,?\s+and\s+(?=(?:neither|nor|so)\s+(?:is|are|was|were|do|does|did|has|have|had|can|will)\b)"
        r"|,\s+(?=(?:der|die|das|eine?)\s+\w+\s+(?:dagegen|hingegen|aber|jedoch)\b)"
        r"|(?<=\w)\s+and\s+(?=(?:there|i|it|he|she|they)\b|the\s+(?:\w+\s+){1,3}(?:is|are|was|were)\b"
        r"|(?:has|have|had|is|are|was|were|does|do|did|can|could|will|shows?|contains?)\s?(?:no|not|never|n't)\b)"
        r"|(?<=\w),?\s+(?:und\s+(?=(?:hat|haben|ist|sind)\s+(?:kein|nicht))|et\s+(?=n['e])|y\s+(?=no\s)"
        r"|e\s+(?=(?:non|não)\s)|и\s+(?=не\s))"
        rf"|\s(?={_excluding()})|[()⇒→∴]|=>)"
    ),
    flags=0,
    lowered=True,
)
_DENYING = ("negations", "negations_of_things", "negations_of_clauses")
_NEGATION = Pattern(
    lambda: (
        "|".join(
            [
                *heads(phrases_of(*_DENYING, languages=("en",))),
                *far_from(),
                r"r(?<!\w.)ather\s+than\b",
                r"i(?<!\w.)nstead\s+of\b",
                *heads(phrases_of("exclusions", languages=SPACED), after=rf"(?!\s+{_ARTICLE}\b)"),
                r"n't\b",
            ]
        )
    ),
    flags=0,
    lowered=True,
    needs=lambda: [
        *needed_words(*_DENYING, "negations_without_article", "exclusions"), "t",
    ],
)  # fmt: skip
#: The words with which a clause names what is not so.
EXCLUDING = Pattern(lambda: rf"\s*{_excluding()}")
#: In Chinese, Japanese and Korean they are parts of words.
_ASIAN = Pattern(lambda: asian(*_DENYING, "negations_after"), cjk=True)
_DENIALS = ("negations", "negations_of_things")
_OTHERS = tuple(item for item in SPACED if item != "en")
#: Of these the next word tells the language.
_SHARED = ("no", "non")
#: In these languages two negations are one: "no hay ningún perro".
_CONCORD = Pattern(
    lambda: (
        r"\b(?:no(?=\s+(?:hay|veo|se|es|está|están|tiene|tienen|son|aparece|aparecen|lleva|llevan|usa|existe))"
        r"|non(?=\s+\w)|nessun[oa]?|ningun[oa]?|nenhuma?|sin|ne\s+\w+\s+plus"
        rf"|{alternation(_phrases())})\b"
    ),
    needs=lambda: [
        *(
            f"{verb} no"
            for verb in words(
                "hay veo se es está están tiene tienen son aparece aparecen lleva llevan usa existe"
            )
        ),
        "non",
        *words("nessuno nessuna ninguno ninguna nenhum nenhuma sin plus"),
        *(item for item in needed_words(*_DENIALS, languages=_OTHERS) if item not in _SHARED),
    ],
)


def _phrases() -> list[str]:
    return [item for item in phrases_of(*_DENIALS, languages=_OTHERS) if item not in _SHARED]


#: What makes a clause a supposition, or a question.
_SUPPOSED = Pattern(
    r"\b(?:if|whether|might|may|could(?!\s+(?:not\s+)?(?:find|see|spot|detect|make\s+out|identify|notice)\b)|would\s+need|maybe|perhaps|possibly|unless|unclear|or\s+not"
    r"|neither\s+agree|part(?:ly|ially)\s+(?:dis)?agree"
    r"|(?:can't|cannot|can\s+not|couldn't)\s+(?:be\s+ruled|rule)\s+out\s+that"
    r"|(?:can't|cannot|can\s+not|unable\s+to|hard\s+to|impossible\s+to)\s+(?:\w+\s+)?"
    r"(?:say|tell|know|determine|judge|decide|assess|agree\s+or))\b|\?"
    r"|如果|是否|也许|(?<!不)可能|或许|かもしれ|もし|할\s*수도|无法|是不是|有没有",
    needs="if whether might may could need maybe perhaps possibly unless unclear or agree disagree"
    " say tell know determine judge decide assess out",
    signs="?",
    cjk=True,
)
CROSS = re.compile("[✗✘✖❌]")
#: A pronoun for the subject, also behind a time: "So on Monday it"; "it is the boy who" has none.
PRONOUN = re.compile(
    r"\s*(?:and\s+|so\s+|yes,?\s+|hence\s+|thus\s+|therefore,?\s+)?"
    r"(?:(?:on|in|at|by|since|after)\s+(?:\w+\s+){1,4}?)?"
    r"(?!it(?:'s|\s+(?:is|was)(?:n't)?)\s+(?:not\s+)?(?:(?:the|his|her|their|my)\b|(?-i:[A-Z]))"
    r"(?:\s*[\w'-]+){1,5}?\s+(?:who|that|which)\b)(?:it|he|she|they|this|that"
    r"|these|those|both|all|you|i|we|there(?!(?:'s|\s+is)\s+something\b)|its|his|her|their"
    r"|es|er|sie|il|elle|ce|c'|él|ella|esto|lui|lei|ele|ela|isto|это|он|она|оно)(?:'s|'re)?\b",
    re.IGNORECASE,
)


def clauses(plain: str, start: int, end: int) -> list[tuple[int, int]]:
    """Spans of the clauses between ``start`` and ``end``."""
    limits = [start]
    for match in _CLAUSE.finditer(plain, start, end):
        # "not" and "rather than" belong to the clause that they begin.
        limits += [match.start(), match.end()]
    limits.append(end)
    spans = zip(limits[::2], limits[1::2], strict=True)
    return [(begin, stop) for begin, stop in spans if plain[begin:stop].strip()]


def is_denied(clause: str) -> bool:
    """Whether a clause has an odd number of negations.

    >>> is_denied("I see no dog"), is_denied("I see a dog"), is_denied("图中无狗")
    (True, False, True)
    """
    if is_crossed(clause) or _ASIAN.search(clause) or denies_all(clause):
        return True
    return len(negations(clause)) % 2 == 1


def is_crossed(text: str) -> bool:
    """Whether a text has a cross, which says no.

    >>> is_crossed("a dog: ✗"), is_crossed("a dog: x")
    (True, False)
    """
    return not text.isascii() and CROSS.search(text) is not None


def negations(text: str) -> list[re.Match[str]]:
    """The negations of a text, in lower case; "neither ... nor" is one."""
    found = list(_NEGATION.finditer(text))
    if any(match[0] == "neither" for match in found):
        return [match for match in found if match[0] != "nor"]
    if any(match[0] == "no" for match in found) and is_portuguese(text):
        return [match for match in found if match[0] != "no"]
    return found


def denies_all(text: str) -> bool:
    """Whether a text has a negation of a language in which two of them are one.

    >>> denies_all("no hay ningún perro"), denies_all("no dog")
    (True, False)
    """
    return _CONCORD.search(text) is not None


def is_supposed(clause: str) -> bool:
    """Whether a clause only supposes or asks something, and states nothing.

    >>> is_supposed("it may be a dog"), is_supposed("it is a dog")
    (True, False)
    """
    return _SUPPOSED.search(clause) is not None
