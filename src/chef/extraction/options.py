"""Extract the option that a text chooses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chef.common.options import letters
from chef.extraction.characters import AFTER, BEFORE, read_visible
from chef.extraction.discourse import only, segments, without_asides, without_requests, withdraws
from chef.extraction.labels import LabelFinder
from chef.extraction.leaks import answer_body
from chef.extraction.mentions import mentions, normal, same_text, text_at
from chef.extraction.negation import joined_groups, joined_refusals, negated, refused_text
from chef.extraction.numbers import as_number, extract_number
from chef.extraction.statements import concluded, stated, tagged
from chef.extraction.text import (
    Extraction,
    Hit,
    decide,
    found,
    last_of,
    lines,
    sentence_end,
    strip_markup,
)

Found = Extraction[int] | None

_JOINED = re.compile(r"[\"')\]\s]*(?:\b(?:or|and)\b|[/,&]|或者?|和)\s*", re.IGNORECASE)
_AMBIGUOUS: Extraction[int] = Extraction(None, "ambiguous")
_NONE: Extraction[int] = Extraction(None, "none")
#: Adverbs between a verb and what it says: "is most likely B".
_HEDGES = r"(?:(?:most|very|probably|likely|clearly|definitely|certainly|therefore|thus|indeed|actually|simply|just|really|then|still|option|choice|answer|letter|the)\s+)*"
_IS = r"(?:is|was|must\s+be|has\s+to\s+be|should\s+be|would\s+be|can\s+only\s+be|could\s+only\s+be|seems\s+to\s+be|appears\s+to\s+be|looks\s+like|remains)"
#: "B is the correct answer", "B fits best"; the words of the option may stand in between.
_ENDORSED = (
    rf"{BEFORE}LABEL{AFTER}[\"')\]}}*]*(?:\s*[(:,–—-]\s*[^.;!?\n:]{{0,80}}?[),\"'–—-]*)?\s*(?:,\s*)?(?:which\s+)?(?:"
    rf"{_IS}\s+(?:(?:clearly|therefore|thus|indeed|definitely|probably|also|the|my|our|most|more|much|only|single|very|quite|final|certainly|obviously|actually|best|far|by)\s+)*"
    r"(?:correct|right\b(?!-)|best|better|answer|choice|option(?!s)|one\b(?!\s+of)|accurate|appropriate|suitable|likely\b(?!\s+(?:wrong|incorrect|false|not))|fitting|pick|it\b|closest|true\b|supported|winner|match|way\s+to\s+go)"
    r"|(?:fits?|matches|works|suits|describes|answers|captures|represents|makes)\s+(?:the\s+)?(?:best|most|perfectly|exactly|everything|all)\b"
    r"|best\s+(?:fits|matches|describes|answers|represents|captures|explains|suits)"
    r"|it\s+is\b|:?\s*[✓✔✅☑]"
    r"|\s*(?:项)?(?:是|才是|为|最|显然|应该)*(?:正确|对的|正解|合适|符合|恰当|准确)"
    r"|\s*(?:が|は)\s*(?:正解|正しい|適切|最も)|\s*(?:번)?\s*(?:이|가)\s*(?:정답|맞|옳|적절)"
    r"|\s+(?:est|es|ist|è|é)\s+(?:la\s+|the\s+|die\s+|a\s+|le\s+|el\s+)?(?:bonne|correct[aeo]?|richtig|juste|correta|corretta|exacta|certa|giusta|respuesta)"
    r")"
)
_LEAVES = rf"\b(?:leav(?:es?|ing)|that\s+leaves)\s+(?:us\s+)?(?:with\s+)?(?:only\s+)?(?:option\s+|just\s+)?[\"'(\[]*LABEL{AFTER}"
_POINTS = rf"\b(?:corresponds\s+to|corresponding\s+to|points\s+to|matches|indicates|making|makes|choosing|is\s+labell?ed|->|→|=>|⇒|namely|i\.e\.,?|which\s+is)\s*{_HEDGES}[\"'(\[]*LABEL{AFTER}"
_THEREFORE = (
    rf"\b(?i:therefore|thus|hence|so|then|consequently|yes|indeed|ok|okay)\b\W+(?i:(?:it|that|this|the\s+answer|we|i)\b(?:'s|'d)?\s*(?:{_IS}|choose|pick|say|get|have)?\s*)?{_HEDGES}\W*LABEL{AFTER}"
    rf"|(?:因此|所以|故|应该是|应是|就是|应为)\W*(?:选|是|为)?\W*(?:选项)?\W*LABEL{AFTER}"
)
_COPULA = re.compile(
    rf"\b(?:it|this|that|these|they|he|she|answer|animal|object|(?:the|this|that)\s+(?!(?:option|choice)\b)\w+(?:\s+in\s+the\s+\w+)?)(?:'s|\s+{_IS}|\s+are|\s+were)\s+{_HEDGES}"
    r"|\bI(?:\s+would|\s+still)?\s+(?:think|believe|guess|suppose|suspect|say|feel|see)(?:\s+that)?(?:\s+(?:it(?:'s|\s+is)|this\s+is|the\s+answer\s+is))?\s+"
    rf"|\bmust\s+be\s+|\b(?:probably|likely|perhaps|maybe|presumably|possibly|definitely|certainly|clearly|surely)\s*,?\s+{_HEDGES}"
    r"|(?:图中|图片中|这|那|它|应该|应|可能|显然|其实|大概|就|上)*是(?:一[只个辆条张位朵棵把台件匹头]|个|只)?",
    re.IGNORECASE,
)
_GOOD = re.compile(
    r"(?<!not )(?<!n't )(?<!in)(?<!un)\b(?:correct|right(?!-)|yes|true|matches|match|fits|consistent|this\s+is\s+(?:it|the\s+(?:answer|one))|the\s+answer|best|answer|chosen|selected|good|plausible|supported|accurate)\b|[✓✔✅☑]|正确|符合|√|对(?!应|比)|正解|정답|맞",
    re.IGNORECASE,
)
_BAD = re.compile(
    r"\b(?:not|no|never|wrong|incorrect|false|eliminated|excluded|rejected|out|doesn't|isn't|don't|aren't|cannot|can't|unlikely|implausible|inconsistent|invalid|too|neither)\b|n't\b|[✗❌✘×]|不|错|没|否|違|아니|틀",
    re.IGNORECASE,
)
_ALL_OR_NONE = 2


def extract_option(
    answer: str, texts: Sequence[str], labels: Sequence[str] | None = None
) -> Extraction[int]:
    """The option that a text chooses.

    Reasoning blocks, invented turns, requests and refusals are removed first, then first thoughts
    and questions; words of correction ("wait, no,") divide the rest, and what follows the last one
    is tried first. Then the first of these rules that finds something decides; if it finds two
    different options, the answer is ambiguous:

    1. the whole answer is a label, or an option's text;
    2. a tagged or boxed answer, the last of several;
    3. the last explicit statement ("the answer is ...", "B is correct", "therefore B");
    4. a line that consists of a label, or the only one of several listed with a good verdict;
    5. a line that starts with a label ("B. a cat"), unless several do: then options are listed;
    6. a sentence that consists of an option's text, or begins with a label;
    7. what "it is", "I think" or "probably" precedes;
    8. a letter in brackets, quotes or bold, or after the word "option";
    9. a bare capital, or an option's text, as whole words;
    10. a number or number word, if all options are numbers.

    Options that are ruled out ("not a dog", "B is wrong", "neither A nor C") are ignored. "A" and
    "I" are letters unless they are an article or a pronoun (`chef.extraction.article`).

    Args:
        answer: the model's text.
        texts: the texts of the options; may be empty if there are labels.
        labels: the labels of the options; default: A, B, C, ...; empty for none.

    Returns:
        The index of the option, or None.

    >>> extract_option("I see a dog. The answer is (B).", ["cat", "dog"]).value
    1
    >>> extract_option("(A) or (B)", ["cat", "dog"]).rule
    'ambiguous'
    """
    names = letters(len(texts)) if labels is None else labels
    return read_visible(answer, lambda text: _extract(text, [normal(item) for item in texts], names))


def _extract(answer: str, texts: Sequence[str], labels: Sequence[str]) -> Extraction[int]:
    body = answer_body(answer)
    result = _Reader(answer, body, texts, labels).whole()
    if result:
        return result
    kept = without_requests(body)
    settled = without_asides(kept)
    parts = segments(settled)
    readers = [_Reader(answer, only(settled, *span), texts, labels) for span in reversed(parts)]
    if len(readers) > 1:
        if withdraws(settled[slice(*parts[-1])]) and readers[0].first() is _NONE:
            return _NONE
        # A correction counts if it states an answer; a mention in passing is none.
        for reader in readers:
            result = next((item for item in reader.firm_rules() if item), None)
            if result:
                return result
    for text in (settled, kept):
        result = _Reader(answer, text, texts, labels).first()
        if result is not _NONE:
            return result
    return _NONE


class _Reader:
    """One answer and the options it may choose; its methods are the rules."""

    def __init__(
        self, answer: str, seen: str, texts: Sequence[str], labels: Sequence[str]
    ) -> None:
        self.answer = answer
        self.seen = seen
        self.plain = strip_markup(seen, texts)
        self.size = len(seen)
        self.texts = texts
        self.labels = LabelFinder(self.seen, self.plain, labels)

    def first(self) -> Extraction[int]:
        """The result of the first rule that finds something."""
        rules = (*self.firm_rules(), *self.weak_rules())
        return next((result for result in rules if result), _NONE)

    def firm_rules(self) -> Iterator[Found]:
        yield self.whole()
        yield self.in_tags()
        yield self.in_statements()
        only_labels = (self.labels.only(start, end) for start, end in lines(self.plain))
        yield decide([hit for hit in only_labels if hit], "line", self.answer)
        yield self.verdicts()
        yield self.opening()
        yield self.sentences()
        yield self.said()

    def weak_rules(self) -> Iterator[Found]:
        yield self.settle(self.labels.marked(0, self.size), "marked letter")
        yield self.settle(self.mentioned(0, self.size), "mention")
        yield self.number()

    def whole(self) -> Found:
        hit = self.labels.only(0, self.size)
        if hit:
            return found(hit, "whole", self.answer)
        return decide(same_text(self.plain, self.texts), "whole", self.answer)

    def in_tags(self) -> Found:
        last: Hit[int] | None = None
        for start, end in tagged(self.seen):
            hits = self.region(start, end, end)
            if len({hit.value for hit in hits}) > 1:
                return _AMBIGUOUS
            last = hits[-1] if hits else last
        return found(last, "tagged", self.answer) if last else None

    def in_statements(self) -> Found:
        hits = [
            hit
            for form, flags in ((_ENDORSED, 0), (_LEAVES, re.I), (_POINTS, re.I), (_THEREFORE, 0))
            for hit in self.labels.matches(form, flags)
            if not self.labels.refused(hit)
        ]
        for start, end in stated(self.plain):
            inside = self.region(start, end, sentence_end(self.plain, start, end))
            if len({hit.value for hit in inside}) > 1:
                return _AMBIGUOUS
            hits += inside[-1:]
        hits.sort(key=lambda hit: hit.start)
        return last_of(hits, "statement", self.plain, self.answer)

    def verdicts(self) -> Found:
        """The only listed option with a good verdict: "A. no / B. a dog - correct"."""
        listed: dict[int, list[str]] = {}
        hits: dict[int, Hit[int]] = {}
        for start, end in lines(self.plain):
            hit = self.labels.opening(start, end)
            if hit:
                listed.setdefault(hit.value, []).append(self.plain[hit.end : end])
                hits[hit.value] = hit
        if len(listed) < _ALL_OR_NONE:
            return None
        good = [
            value for value, said in listed.items()
            if any(_GOOD.search(text) and not _BAD.search(text) for text in said)
        ]  # fmt: skip
        return found(hits[good[0]], "verdict", self.answer) if len(good) == 1 else None

    def opening(self) -> Found:
        hits: list[Hit[int]] = []
        for start, end in lines(self.plain):
            hit = self.labels.opening(start, end)
            if hit and self.labels.refused(hit):
                continue
            if hit and self.contested(hit, end):
                return _AMBIGUOUS
            hits += [hit] if hit else []
        listed = len({hit.value for hit in hits}) > 1
        return None if listed else decide(hits, "opening", self.answer)

    def sentences(self) -> Found:
        """The first sentence, if it is an option's text or begins with a label and a comma."""
        for start, end in lines(self.plain):
            stop = sentence_end(self.plain, start, end)
            same = same_text(self.plain[start:stop], self.texts)
            if same:
                hits = [Hit(hit.value, start + hit.start, start + hit.end) for hit in same]
                return decide(hits, "first sentence", self.answer)
            break
        return None

    def said(self) -> Found:
        """What "it is", "I think" and the like precede; the last one counts."""
        hits = []
        for match in _COPULA.finditer(self.plain):
            stop = sentence_end(self.plain, match.end(), self.size)
            hit = self.at(match.end(), stop)
            if hit and not self.refused(hit):
                hits += [*self.rivals(hit, stop), hit]
        return last_of(hits, "said", self.plain, self.answer)

    def mentioned(self, start: int, end: int) -> list[Hit[int]]:
        """Option texts, and bare capitals that are not part of one (as in "Vitamin C")."""
        texts = mentions(self.plain, self.texts, start, end)
        bare = [
            hit
            for hit in self.labels.bare(start, end)
            if not any(text.start <= hit.start and hit.end <= text.end for text in texts)
        ]
        return sorted([*texts, *bare], key=lambda hit: hit.start)

    def settle(self, hits: list[Hit[int]], rule: str) -> Found:
        """`decide`, without the items of lists that are ruled out ("not A, B or C")."""
        joined = joined_refusals(self.plain, hits)
        return decide(
            [hit for hit, no in zip(hits, joined, strict=True) if not no], rule, self.answer
        )

    def number(self) -> Found:
        values = [as_number(text) for text in self.texts]
        if not values or None in values:
            return None
        read = extract_number(self.seen)
        if read.value is None or values.count(read.value) != 1:
            return None
        start, end = read.span or (0, 0)
        hit = Hit(values.index(read.value), start, end)
        return found(hit, f"number: {read.rule}", self.answer)

    def region(self, start: int, end: int, sentence: int) -> list[Hit[int]]:
        """Candidates in a stated answer: the one at its start, otherwise all that it mentions."""
        hit = self.labels.only(start, end) or self.at(start, end)
        if hit and not self.refused(hit):
            return [*self.text_after(hit, sentence), *self.rivals(hit, end), hit]
        hits = self.labels.marked(start, sentence) or self.mentioned(start, sentence)
        joined = joined_refusals(self.plain, hits)
        return [item for item, no in zip(hits, joined, strict=True) if not no]

    def refused(self, hit: Hit[int]) -> bool:
        """Whether the words around a candidate rule it out."""
        if hit.end - hit.start <= 2:
            return self.labels.refused(hit)
        return negated(self.plain, hit.start) or refused_text(self.plain, hit.end)

    def at(self, start: int, end: int) -> Hit[int] | None:
        """The candidate at ``start``: a marked label, an option's text, or a bare label.

        The text is tried before the bare label because it may start with one ("B vitamin").
        """
        label, firm = self.labels.at(start, end)
        return label if firm else text_at(self.plain, self.texts, start, end) or label

    def rivals(self, hit: Hit[int], end: int) -> list[Hit[int]]:
        """The candidate that "or", "and" or a comma joins to ``hit``, if there is one."""
        joined = _JOINED.match(self.plain, hit.end, end)
        other = self.at(joined.end(), end) if joined else None
        return [other] if other and not self.refused(other) else []

    def text_after(self, hit: Hit[int], end: int) -> list[Hit[int]]:
        """The option text right after a label; "(B) dog" is contradictory if dog is option A."""
        text = text_at(self.plain, self.texts, hit.end, end)
        return [text] if text else []

    def contested(self, hit: Hit[int], end: int) -> bool:
        others = [*self.rivals(hit, end), *self.text_after(hit, end)]
        return any(other.value != hit.value for other in others)
