"""What the words around an option say of it: in a list, in a sentence, or by its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chef.reading.characters import AFTER
from chef.reading.option_text import Candidates, OptionCandidate
from chef.reading.patterns import Pattern, any_of, words
from chef.reading.text import Hit, line_end, sentence_start
from chef.reading.word_index import words_near

_EDGE = r"[\s\"')\](}*|:;,.=–—>→-]*"
_GOOD_SIGN, _BAD_SIGN = (
    r"(?:[✓✔✅☑√○◯⭕🟢🔘🥇👈]|←|<-{1,2}|[\[(][xX][\])])",
    r"(?:[✗❌✘✖×☐🔴⚪🥈🥉]|\[\s?\]|\(\s\))",
)
_YES = (
    r"(?:yes|correct)\b|是(?!否)|对(?!应|比)|正确|符合|正解|はい|正しい|네|예\b|맞"
    r"|oui\b|sí\b|ja\b|richtig|vrai|correcto|да\b"
)
#: These mark a line only where all others are ruled out: "on the right" is a place.
_MAYBE_YES = r"(?:true|right|matches|match|ok|fits|supported|consistent|plausible|possible|valid)\b"
_NO = (
    # "no", but not "no horns"
    r"no\b(?!(?-i:\s+(?!it|th[aei]|as\b|because|since|way|not\b)[a-z]))|"
    + any_of(
        "false | incorrect | wrong | not correct | not right | not true | not matching",
        "isn't true | isn't correct | isn't right | is not true | is not correct | is not right",
        "stimmt nicht | nicht richtig | pas vrai | pas correct | no es correcto | no es verdad",
        "non è vero | non è corretto | não é verdade | não é correto | неверно | неправильно",
        "doesn't match | does not match | eliminated | ruled out | excluded | out | irrelevant",
        "contradicted | rejected | unsupported | inconsistent | implausible | impossible | invalid",
        "not supported | not consistent | not plausible | not possible | not valid",
    )
    + r"\b|否|错误?|不对|不正确|不符|誤り?|違う?|いいえ|아니|틀"
    r"|non\b|nein\b|falsch|faux|incorrecto|нет\b"
)


#: "B. A cat. This is true, because"
_THIS_IS = (
    r"(?:(?:this|that|it|das|dies|c'|ceci|esto|eso|questo|ciò|isto|isso|это)"
    r"(?:'s|\s?(?:is|ist|est|es|è|é)(?=\s))?\s*)?"
)


def _judging(no: str, yes: str, maybe: str) -> tuple[re.Pattern[str], ...]:
    """A verdict right behind an option, one at the end of its line, and one that opens a cell of
    its row, or what stands behind a dash or a colon, with a reason behind it.
    """
    verdict = rf"(?:(?P<no>{no})|(?P<yes>{yes})|(?P<maybe>{maybe}))"
    return (
        re.compile(rf"{_EDGE}{_THIS_IS}{verdict}", re.IGNORECASE),
        re.compile(rf"(?:(?<=[\s.,;:|()→>–—-])|(?<=^)){verdict}\W*\Z", re.IGNORECASE),
        re.compile(
            rf"(?:[|:→(]|\s[–—-])\s*{verdict}(?:(?<=\W)|(?=\s*(?:[|.,;:(–—]|-\s)))", re.IGNORECASE
        ),
    )


_MARKS, _IS_BAD = re.compile("[✓✔✅☑✗❌✘✖]"), re.compile("[✗❌✘✖]")
_SIGNED = _judging(_BAD_SIGN, _GOOD_SIGN, "(?!)")
_WORDED = _judging(f"{_NO}|{_BAD_SIGN}", f"{_YES}|{_GOOD_SIGN}", _MAYBE_YES)
_GOOD = re.compile(
    r"\b(?:correct|chosen|selected|this\s+one|this\s+is\s+(?:it|the\s+(?:answer|one)))\b|正确|符合|正解|정답",
    re.IGNORECASE,
)
_BAD = re.compile(
    r"\b(?:not|no|never|none|wrong|incorrect|false|eliminated|excluded|rejected|out|cannot|unlikely"
    r"|implausible|inconsistent|invalid|too|neither|nor|without|but|lacks|would)\b|n't\b|不|错|没|否|違|아니|틀",
    re.IGNORECASE,
)
#: What may stand before an option that opens its line: a bullet, a number, an article.
_LEAD = re.compile(
    r"\W*+(?:\d{1,2}[.)])?\W*+(?:(?:option|choice|选项)\W*+)?(?:(?:an?|the)\s+)?", re.IGNORECASE
)
_CHECKED = re.compile(r"[\[(]\s*[xX✓✔√]\s*[\])]\W*\Z|[✓✔✅☑🟢🔘🥇]\W{0,6}\Z")
_UNCHECKED = re.compile(r"[\[(]\s{0,2}[\])]\W*\Z|[✗❌✘✖☐🔴⚪🥈🥉]\W{0,6}\Z")


def approved(plain: str, candidates: Candidates, *, signs: bool = False) -> list[OptionCandidate]:
    """The options that a list approves by a verdict behind each, before it, or at its line's end.

    Words such as "right" and "fits", which may say anything of an option, approve one only where
    most others of the list are ruled out; with ``signs`` only signs count (✓, ✗, [x]).
    """
    if not _may_approve(plain, signs=signs):
        return []
    pairs = zip(candidates.found, _next_others(plain, candidates.found), strict=True)
    verdicts = [_verdict(plain, hit, after, signs=signs) for hit, after in pairs]
    if "yes" not in verdicts and "maybe" not in verdicts:
        return []
    good: dict[int, OptionCandidate] = {}
    maybe: dict[int, OptionCandidate] = {}
    bad: set[int] = set()
    doubted: set[int] = set()
    for hit, verdict in zip(candidates.all, verdicts, strict=True):
        if verdict == "yes":
            good[hit.value] = hit
        elif verdict == "no" or (hit.is_refused and not signs):
            bad.add(hit.value)
        elif verdict == "maybe":
            maybe[hit.value] = hit
        elif verdict == "doubt":
            doubted.add(hit.value)
    listed = opened(plain, candidates.found)
    others = listed - set(maybe)
    if not good and len(maybe) == 1 and 2 * len(others & (bad | doubted)) > len(others):
        good = maybe
    judged = len(bad | set(good)) > 1 or len(listed) > 1
    return [hit for value, hit in good.items() if value not in bad] if judged else []


#: Signs and words of which a text has one if it approves anything; other scripts are all tried.
_SIGNS = re.compile(f"{_GOOD_SIGN}|[^\x00-\u02ff]")
_APPROVING = words(
    "yes correct oui sí ja richtig vrai correcto true right matches match ok fits chosen selected"
    " this supported consistent plausible possible valid"
)


def _may_approve(plain: str, *, signs: bool) -> bool:
    if not signs and not _APPROVING.isdisjoint(words_near(plain)):
        return True
    return ("[" in plain or not plain.isascii()) and _SIGNS.search(plain) is not None


def opened(plain: str, hits: Sequence[OptionCandidate]) -> set[int]:
    """The options that lines begin with."""
    values: set[int] = set()
    for hit in hits:
        start = plain.rfind("\n", 0, hit.start) + 1
        if _LEAD.fullmatch(plain, start, hit.start):
            values.add(hit.value)
    return values


def _next_others(plain: str, hits: Sequence[OptionCandidate]) -> list[int]:
    """For each candidate, where the next one of another option starts, or the text ends."""
    limits: list[int] = []
    limit = len(plain)
    for place in range(len(hits) - 1, -1, -1):
        if place + 1 < len(hits) and hits[place + 1].value != hits[place].value:
            limit = hits[place + 1].start
        limits.append(limit)
    return limits[::-1]


def _verdict(plain: str, hit: OptionCandidate, after: int, *, signs: bool) -> str:
    """What the words around a candidate, up to ``after``, say of it: yes, no, maybe, doubt, ""."""
    start = sentence_start(plain, hit.start)
    end = min(after, line_end(plain, hit.end))
    before = plain[start : hit.start]
    boxed = "]" in before or ")" in before or not plain.isascii()
    if boxed and (checked := _CHECKED.search(before) or _UNCHECKED.search(before)):
        return "yes" if checked.re is _CHECKED else "no"
    soon, last, inside = _SIGNED if signs else _WORDED
    if _LEAD.fullmatch(before) and (marks := _MARKS.findall(plain, hit.end, end)):
        # A row of several criteria is right if it meets all of them.
        return "no" if any(map(_IS_BAD.match, marks)) else "yes"
    match = soon.match(plain, hit.end, end)
    if match:
        return match.lastgroup or ""
    if not _LEAD.fullmatch(before):
        return ""
    # The rest of the line belongs to the option that opens it.
    rest = plain[hit.end : end]
    match = last.search(rest) or inside.search(rest)
    if match or signs:
        return (match and match.lastgroup) or ""
    if _BAD.search(rest):
        return "doubt"
    return "yes" if _GOOD.search(rest) else ""


#: A share, and no point: "(0, 1)".
_SCORE = re.compile(
    r"[\s\"')\]}(|:=–—-]*(0?\.\d+|\d{1,3}(?:\.\d+)?\s*%|[01](?:\.0+)?(?![\d.]))(?!\s?,\s?[-−]?\d)"
)
#: Fewer options with a number may be anything.
_SCORED = 3


def most_probable(plain: str, hits: Sequence[OptionCandidate]) -> list[OptionCandidate]:
    """The option with the highest of three or more probabilities that add up to about one."""
    scores: dict[int, float] = {}
    places: dict[int, OptionCandidate] = {}
    for hit in hits:
        match = _SCORE.match(plain, hit.end)
        if match:
            share = match[1].replace("%", "")
            scores[hit.value] = float(share) / (100 if "%" in match[1] else 1)
            places[hit.value] = hit
    total = sum(scores.values())
    if len(scores) < _SCORED or not 0.9 <= total <= 1.1:
        return []
    best = max(scores.values())
    return [places[value] for value, score in scores.items() if score == best]


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
    rf"{_OWN_WORDS}(?:{_IS}\s+{_ADVERBS}{_CHOSEN}(?!\s+(?:only\s+)?(?:if|for\s+(?:the\s+|an?)other)\b)"
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


_SUBJECT = re.compile(r"the\s+(?P<noun>\w+)", re.IGNORECASE)


def is_of_another(lead: str, option: str, part: str) -> bool:
    """Whether a part of an option is said of another subject than its own.

    >>> is_of_another("the sofa is", "the hat is left of the door", "left of the door")
    True
    """
    subject = _SUBJECT.match(lead)
    head, same, _ = option.partition(part.strip(" .").lower())
    if subject is None or not same or not head.endswith((" is ", " are ", " was ", " were ")):
        return False
    return subject["noun"].lower() not in head.lower()


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_NUMERALS = "一二三四五六"
_PLACE = Pattern(
    rf"\b(?:(?P<only>only\s+)?the\s+)?(?P<word>{'|'.join(_ORDINALS)}|last)\s+(?:(?:option|choice|answer|alternative|statement)\b"
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
