"""What the words around an option say of it: in a sentence, or by its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chef.reading.characters import AFTER
from chef.reading.option_text import OptionCandidate
from chef.reading.patterns import Pattern, words
from chef.reading.text import Hit, sentence_start

_IS = (
    r"(?:is|was|must\s+be|has\s+to\s+be|should\s+be|would\s+be|can\s+only\s+be|could\s+only\s+be"
    r"|seems\s+to\s+be|appears\s+to\s+be|looks\s+like|remains)"
)
#: Adverbs and articles between a verb and what it says: "is most likely option B".
HEDGES = (
    r"(?:(?:most|very|probably|likely|clearly|definitely|certainly|therefore|thus|indeed|actually"
    r"|simply|just|really|then|still|option|choice|answer|letter|the)\s+)*"
)
_ADVERBS = (
    r"(?:(?:clearly|therefore|thus|indeed|definitely|probably|also|the|my|our|most|more|much|only"
    r"|single|very|quite|final|certainly|obviously|actually|best|far|by)\s+)*"
)
_CHOSEN = (
    r"(?:correct\b(?!\s+for\b)|right\b(?!-|\s+(?:for|on|in|at|next|behind|beside|above|below|under|over)\b)|best|better|answer|choice|option(?!s)|(?<=(?:the|nly|gle|nal)\s)one\b(?!\s+of)|accurate"
    r"|appropriate|suitable|likely\b(?!\s+(?:wrong|incorrect|false|not))|fitting|pick|guess|bet|it\b|closest"
    r"|true\b|supported|winner|match|way\s+to\s+go)"
)
#: Words in brackets may stand between the letter and the verb.
_OWN_WORDS = r"[\"')\]}*]*(?:\s*\([^()\n]{0,80}\))?\s*(?:[,–—-]\s*)?(?:which\s+)?"
_OPEN = r"[\"'(\[]*"

#: What follows an option that is chosen: "B is correct", "B (a cat) fits best".
ENDORSED = re.compile(
    rf"{_OWN_WORDS}(?:{_IS}\s+{_ADVERBS}{_CHOSEN}(?!\s+(?:only\s+)?(?:if|(?:for|to)\s+(?:the\s+other|another|a\s+different))\b)"
    r"|(?:fits?|matches|works|suits|describes|answers|captures|represents|makes)\s+"
    r"(?:the\s+)?(?:best|most|perfectly|exactly|everything|all)\b"
    r"|best\s+(?:fits|matches|describes|answers|represents|captures|explains|suits)"
    r"|(?:seems|looks|appears|sounds)\s+(?:(?:like|to\s+me|to\s+be|the|most|more)\s+)*"
    r"(?:right|correct|best|better|fitting|suitable|appropriate|likely|plausible|accurate)\b"
    r"|(?:(?:a\s+(?:bit|little|lot)|somewhat|slightly|much|far)\s+)?more\s+"
    r"(?:convincing|likely|plausible|fitting|accurate|appropriate|suitable)\b"
    r"|it\s+is(?=\s*(?:[.,;:!—–-]|\Z))|is\s+what\b|all\s+the\s+way|has\s+the\s+(?:most|best|strongest)|:?\s*[✓✔✅☑]"
    # In Chinese, Japanese and Korean, and in European languages.
    r"|(?:项)?(?:是|才是|为|最|显然|应该|更|较)*(?:正确|对的|正解|合适|合理|符合|恰当|准确)"
    r"|(?:が|は)\s*(?:正解|正しい|適切|最も)|(?:번)?\s*(?:이|가)\s*(?:정답|맞|옳|적절)"
    r"|(?:est|es|ist|è|é)\s+(?:la\s+|die\s+|a\s+|le\s+|el\s+)?"
    r"(?:bonne|correct[aeo]?|richtig|juste|correta|corretta|exacta|certa|giusta|respuesta))"
)
#: What stands before and after the one option that is left: "only B fits".
ONLY_BEFORE = re.compile(
    r"\bonly\s+(?:the\s+)?(?:(?:option|choice|answer)\s+)?[\"'(\[]*\Z", re.IGNORECASE
)
ONLY_AFTER = re.compile(
    r"[\"')\]]*\s*(?:fits?|remains?|match(?:es)?|works?|(?:is|are)\s+(?:left|correct|right|possible)"
    r"|satisf(?:ies|y)|makes?\s+sense|can\s+be|(?:has|have|shows?|contains?|meets?)\s+(?:both|all)(?:\s+of)?)\b",
    re.IGNORECASE,
)
#: Patterns that state a letter, LABEL, their flags, and words of which each match has one; where
#: there are none it matches no text in ASCII. The case of the letter matters if it may be a word.
PHRASES: tuple[tuple[str, int, frozenset[str] | None], ...] = (
    (
        r"\b(?:corresponds\s+to|corresponding\s+to|points\s+to|matches|indicates|choosing"
        rf"|is\s+labell?ed|namely|i\.e\.,?|which\s+is)[ \t]*{HEDGES}{_OPEN}LABEL{AFTER}",
        re.IGNORECASE,
        words(
            "corresponds corresponding points matches indicates choosing labelled labeled namely i"
            " which"
        ),
    ),
    (rf"(?:[-=]+>|→|⇒)\s*{_OPEN}LABEL{AFTER}(?=[\"')\].]*\s*(?:\n|\Z|\())", re.IGNORECASE, None),
    (r"\bmak(?:es|ing)\s+LABEL\s+(?:the|a)\b", re.IGNORECASE, words("makes making")),
    (
        r"(?:\b(?i:therefore|thus|hence|so|then|consequently)"
        r"|(?:\A|(?<=\n)|(?<=[.!?;]\s))(?i:yes|indeed|ok|okay))\b\W+"
        rf"(?i:(?:it|that|this|the\s+answer|we|i)\b(?:'s|'d)?\s*"
        rf"(?:{_IS}|choose|pick|say|get|have)?\s*)?{HEDGES}\W*LABEL{AFTER}",
        0,
        words("therefore thus hence so then consequently yes indeed ok okay"),
    ),
    (
        r"(?:因此|所以|故|应该是|应当是|应是|就是|应为|应当为)\W*(?:选|是|为)?\W*(?:选项)?\W*"
        rf"LABEL{AFTER}",
        0,
        frozenset(),
    ),
)
#: A letter at the end of a clause, after a form of "to be".
IS_LABEL = rf"\b(?i:is|be|was|it's)\s+{HEDGES}{_OPEN}LABEL{AFTER}(?=[\"')\]]*\s*(?:[.,;:!?\n]|\Z))"
#: What an answer says of the image or of itself: "it is", "I think", "probably".
SAID = Pattern(
    # A word begins: told once for all phrases, this spares most places each of them.
    r"\b(?=\w)(?:(?:it|this|that|these|they|he|she|answer|animal|object"
    r"|(?:the|this|that)\s+(?!(?:option|choice)\b)\w+(?:\s+(?:itself|here|in\s+the\s+\w+))?)"
    rf"(?:'s|\s+{_IS}|\s+are|\s+were|\s+belongs?\s+to|\s+comes?\s+from)\s+{HEDGES}"
    r"|I(?:\s+would|\s+still)?\s+(?:think|believe|guess|suppose|suspect|say|feel|see|find)(?:\s+that)?"
    r"(?:\s+(?:it(?:'s|\s+is)|this\s+is|the\s+answer\s+is))?\s+"
    r"|must\s+be\s+|(?:probably|likely|perhaps|maybe|presumably|possibly|definitely|certainly"
    rf"|clearly|surely)\s*,?\s+{HEDGES})",
    asian=lambda: (
        r"(?:图中|图片中|这|那|它|应该|应|可能|显然|其实|大概|就|上)*是(?:一[只个辆条张位朵棵把台件匹头]|个|只)?"
    ),
    needs="is was must has should would can could seems appears looks remains are were belongs"
    " belong comes come s think"
    " believe guess suppose suspect say feel see find probably likely perhaps maybe presumably"
    " possibly definitely certainly clearly surely",
    cjk=True,
    inside=True,
)

#: "The copepod is the primary consumer."
IS_THE = re.compile(r"\s+(?:is|are)\s+the\b(?!\s+(?:only\s+)?(?:other|one\s+(?:on|in|with)))")
#: "The person we are looking for is Mr. B. Smith."
THE_ONE_IS = re.compile(
    r"\s*(?:the|what)\b(?!.*\b(?:other|another|second|also|behind|background|next)\b).*\b"
    r"(?:is|are|be)\s+(?:(?:an?|the)\s+)?",
    re.IGNORECASE,
)
#: The end of a sentence of words, and not an initial.
APART = re.compile(r"\w\w[\"')\]]?[.!?;]\s\Z|\n.?\Z")
COMMA = re.compile(r"[\"')\]]*\s*(?:,|;|[-–—]+\s|(?:because|since|as)\b|因为)")
SIGNS_BEFORE = re.compile(r"\A[^\w$€£+(-]+")
DASH = re.compile(r"\s[–—-]+\s")


_COMPARED_TO = re.compile(
    r"\b(?:compared\s+(?:to|with)|relative\s+to|in\s+relation\s+to|with\s+respect\s+to)\s+(?:the|an?)\s+"
    r"(?P<noun>\w+)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"the\s+(?P<noun>\w+)", re.IGNORECASE)


def is_of_another(lead: str, option: str, part: str, question: str) -> bool:
    """Whether a part of an option is said of another subject than its own, or of the thing that a
    question only compares with.

    >>> is_of_another("the sofa is", "the hat is left of the door", "left of the door", "")
    True
    >>> is_of_another("the box is", "bigger", "bigger", "How big is it compared to the box?")
    True
    """
    subject = _SUBJECT.match(lead)
    if subject is None:
        return False
    other = _COMPARED_TO.search(question)
    if other and other["noun"].lower() == subject["noun"].lower():
        return True
    head, same, _ = option.partition(part.strip(" .").lower())
    if not same or not head.endswith((" is ", " are ", " was ", " were ")):
        return False
    return subject["noun"].lower() not in head.lower()


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_NUMERALS = "一二三四五六"
_PLACE = Pattern(
    rf"\b(?:(?P<only>only\s+)?the\s+)?(?<!\bmy\s)(?P<word>{'|'.join(_ORDINALS)}|last)\s+(?:(?:option|choice|answer|alternative|statement)\b"
    r"|one\s+(?:is|was|seems)\s+(?:\w+\s+)?(?:supported|correct|right|true|accurate|plausible|possible)\b"
    r"|(?(only)(?:one\s+)?(?:holds|is|fits|remains|applies)\b|(?!)))"
    rf"|第(?P<numeral>[{_NUMERALS}])(?:个|個|项|項)?(?:选项|選項|答案)?",
    needs=[*_ORDINALS, "last"],
    cjk=True,
    inside=True,
)


def places(plain: str, count: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """The options, of ``count``, that a text names by their place, with the span of the words.

    >>> list(places("It must be the third option.", 4))
    [(2, (15, 27))]
    """
    for match in _PLACE.finditer(plain):
        if match["numeral"]:
            index = _NUMERALS.index(match["numeral"])
        elif match["word"].casefold() == "last":
            index = count - 1
        else:
            index = _ORDINALS.index(match["word"].casefold())
        if 0 <= index < count:
            yield index, (match.start("word" if match["word"] else 0), match.end())


#: How far an option's text may stand behind its letter, in characters.
OWN_GAP = 5


def first_of_last(hits: Sequence[OptionCandidate]) -> OptionCandidate:
    """The last candidate, or the letter right before it of which it is the text."""
    place = len(hits) - 1
    while place and hits[place - 1].value == hits[place].value:
        if hits[place].start - hits[place - 1].end > OWN_GAP:
            break
        place -= 1
    return hits[place]


#: A shorter beginning of a sentence may be that of any other one.
_FRAME = 8


def repeats_frame(plain: str, hit: Hit[int], others: Sequence[Hit[int]]) -> bool:
    """Whether the words before a candidate in its sentence stand before another one, too."""
    frame = plain[sentence_start(plain, hit.start) : hit.start].strip()
    if len(frame) < _FRAME:
        return False
    before = (
        plain[max(0, other.start - len(frame) - OWN_GAP) : other.start].rstrip()
        for other in others
        if other.value != hit.value and other.start < hit.start
    )
    return any(text.endswith(frame) for text in before)
