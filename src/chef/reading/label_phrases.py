"""Phrases that state an option's letter: "B is correct", "so it must be B", "which leaves C"."""

from __future__ import annotations

import re

from chef.reading.characters import AFTER

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
_GOOD = (
    r"(?:correct|right\b(?!-)|best|better|answer|choice|option(?!s)|one\b(?!\s+of)|accurate"
    r"|appropriate|suitable|likely\b(?!\s+(?:wrong|incorrect|false|not))|fitting|pick|guess|bet|it\b|closest"
    r"|true\b|supported|winner|match|way\s+to\s+go)"
)
#: Words in brackets may stand between the letter and the verb.
_OWN_WORDS = r"[\"')\]}*]*(?:\s*\([^()\n]{0,80}\))?\s*(?:[,–—-]\s*)?(?:which\s+)?"
_OPEN = r"[\"'(\[]*"

#: What follows an option that is chosen: "B is correct", "B (a cat) fits best".
ENDORSED = re.compile(
    rf"{_OWN_WORDS}(?:{_IS}\s+{_ADVERBS}{_GOOD}"
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
    r"|satisf(?:ies|y)|makes?\s+sense|can\s+be)\b",
    re.IGNORECASE,
)
#: Patterns that state a letter, LABEL, their flags, and words of which each match has one. The
#: case of the letter matters where it may be a word.
PHRASES: tuple[tuple[str, int, str], ...] = (
    (
        r"\b(?:leav(?:es?|ing)|(?:am|are|is)\s+left\s+with)\s+(?:us\s+|me\s+)?(?:with\s+)?"
        rf"(?:only\s+)?(?:option\s+|just\s+)?{_OPEN}LABEL{AFTER}",
        re.IGNORECASE,
        "leaves leave leaving left",
    ),
    (
        r"\b(?:corresponds\s+to|corresponding\s+to|points\s+to|matches|indicates|choosing"
        rf"|is\s+labell?ed|namely|i\.e\.,?|which\s+is)\s*{HEDGES}{_OPEN}LABEL{AFTER}",
        re.IGNORECASE,
        "corresponds corresponding points matches indicates choosing labelled labeled namely i"
        " which",
    ),
    (rf"(?:[-=]+>|→|⇒)\s*{_OPEN}LABEL{AFTER}(?=[\"')\].]*\s*(?:\n|\Z|\())", re.IGNORECASE, ""),
    (r"\bmak(?:es|ing)\s+LABEL\s+(?:the|a)\b", re.IGNORECASE, "makes making"),
    (
        r"(?:\b(?i:therefore|thus|hence|so|then|consequently)"
        r"|(?:\A|(?<=\n)|(?<=[.!?;]\s))(?i:yes|indeed|ok|okay))\b\W+"
        rf"(?i:(?:it|that|this|the\s+answer|we|i)\b(?:'s|'d)?\s*"
        rf"(?:{_IS}|choose|pick|say|get|have)?\s*)?{HEDGES}\W*LABEL{AFTER}",
        0,
        "therefore thus hence so then consequently yes indeed ok okay",
    ),
    (
        r"(?:因此|所以|故|应该是|应当是|应是|就是|应为|应当为)\W*(?:选|是|为)?\W*(?:选项)?\W*"
        rf"LABEL{AFTER}",
        0,
        "",
    ),
)
#: A letter at the end of a clause, after a form of "to be".
IS_LABEL = rf"\b(?i:is|be|was|it's)\s+{HEDGES}{_OPEN}LABEL{AFTER}(?=[\"')\]]*\s*(?:[.,;:!?\n]|\Z))"
#: What an answer says of the image or of itself: "it is", "I think", "probably".
SAID = re.compile(
    r"\b(?:it|this|that|these|they|he|she|answer|animal|object"
    r"|(?:the|this|that)\s+(?!(?:option|choice)\b)\w+(?:\s+(?:itself|here|in\s+the\s+\w+))?)"
    rf"(?:'s|\s+{_IS}|\s+are|\s+were)\s+{HEDGES}"
    r"|\bI(?:\s+would|\s+still)?\s+(?:think|believe|guess|suppose|suspect|say|feel|see|find)(?:\s+that)?"
    r"(?:\s+(?:it(?:'s|\s+is)|this\s+is|the\s+answer\s+is))?\s+"
    r"|\bmust\s+be\s+|\b(?:probably|likely|perhaps|maybe|presumably|possibly|definitely|certainly"
    rf"|clearly|surely)\s*,?\s+{HEDGES}"
    r"|(?:图中|图片中|这|那|它|应该|应|可能|显然|其实|大概|就|上)*是(?:一[只个辆条张位朵棵把台件匹头]|个|只)?",
    re.IGNORECASE,
)
