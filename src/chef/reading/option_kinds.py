"""Options for nothing, for all or for equal things, and what an answer says that means them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chef.reading.answering import SIGN_ASKED, sign_before
from chef.reading.clauses import is_denied
from chef.reading.comparisons import BOTH
from chef.reading.leaks import answer_body
from chef.reading.number_forms import numbers_in
from chef.reading.option_rules import OptionRules
from chef.reading.option_set import Options
from chef.reading.other_forms import forms_of
from chef.reading.passage import without_asides, without_requests
from chef.reading.text import Hit, Reading, decide, found, sentence_start

_SAME = r"\b(?:same|equal|equally|identical|no\s+difference)\b"
#: "Nothing changes", "It stays the same", "exactly as before"
_UNCHANGED = (
    r"(?<!\bnot )(?<!n't )\b(?:nothing\s+(?:changes|happens)|no\s+(?:change|effect|influence)s?\b"
    r"|unchanged|unaffected|constant\b|as\s+before\b"
    r"|(?:stays?|remains?|keeps?|is\s+still)\s+(?:exactly\s+|just\s+|about\s+)?the\s+same"
    r"|(?:does|do|did|will|would|is|are)(?:\s+not|n't)\s+(?:be\s+)?(?:change|affect|influence)d?)"
)
#: "Neither is steeper"
_NEITHER = re.compile(
    r"\b(?:neither|none)\s+(?:of\s+(?:the\s+two|them)\s+)?(?:is|are|has\s+an?)\s+"
    r"(?:\w{2,}er|(?:more|less)\s+\w+)\b",
    re.IGNORECASE,
)
#: What an option for nothing, or for equal things, says, and what an answer says that means it.
_KINDS = tuple(
    (re.compile(option, re.IGNORECASE), re.compile(statement, re.IGNORECASE))
    for option, statement in (
        (
            r"\A\W*(?:none|nothing|no\s?one|nobody|zero|0)(?:\s+of\s+(?:them|these|those))?\W*\Z",
            r"\b(?:none|nothing|no[\s-]?one|nobody|empty)\b(?!\s+(?:other|else|but|except)\b)"
            r"|(?:\bnot|n't)\s(?:[\w']+\s){0,2}any(?:thing|one|body)?\b(?!\s+(?:other|else|more)\b)",
        ),
        (
            r"\A\W*(?:all(?:\s+(?!the\b)\w+)?|all\s+of\s+(?:them|these)|everyone|everybody)\W*\Z",
            r"\b(?:every(?:one|body)|every\s+(?:single\s+)?one|all\s+of\s+(?:them|the))\b",
        ),
        (_UNCHANGED, _UNCHANGED),
        (
            _SAME,
            rf"{BOTH.pattern}|{_NEITHER.pattern}|{_SAME}(?!\s+(?:color|colour|way|time|place)\b)",
        ),
    )
)
#: "Select the fish below", "Which of these is a mammal?"
_KIND_ASKED = re.compile(
    r"\W*(?:(?:select|choose|find|pick)\s+the|(?:which|what)\s+(?:\w+\s+){0,3}?(?:is|are)\s+an?)\s+"
    r"(?P<kind>\w+)(?:\s+(?:below|here|shown))?\W*\Z",
    re.IGNORECASE,
)
_NO_THING = re.compile(r"\W*no\s+(\w+)\W*\Z", re.IGNORECASE)
_NUMBERED = re.compile(r"\W*([^\W\d_]+)\s+(\d+)\W*\Z")
_IS_NUMBER = re.compile(r"\bnumber\s+\Z", re.IGNORECASE)


def signed_or_equal(text: str, options: Options, question: str) -> Reading[int] | None:
    """The option at the sign that a question names, or the one for equal things if the last
    sentence says that they are: "Line 1 looks longer. Both have the same length."
    """
    equal = _KINDS[-1:]
    if not (SIGN_ASKED.search(question) or any(map(equal[0][0].search, options.sources))):
        return None
    settled = without_asides(without_requests(answer_body(text)))
    rules = OptionRules(text, settled, options)
    return at_sign(rules, question) or _said_of_all(rules, settled, equal)


def at_sign(rules: OptionRules, question: str) -> Reading[int] | None:
    """The option at the sign that a question names: "X = stamen"; none where it is one of several
    there: "part 5 is the root, the stem or the leaf".
    """
    live = rules.candidates.live
    signs = [(hit, sign_before(rules.plain, hit.start, question)) for hit in live]
    signed = [hit for hit, is_same in signs if is_same]
    if any(hit.is_offered for hit in signed):
        bare = [hit for hit, is_same in signs if is_same is None and not hit.is_label]
        signed = [] if any(hit.is_offered for hit in bare) else signed
    return decide(signed, "label", rules.answer)


def by_kind(rules: OptionRules, settled: str) -> Reading[int] | None:
    """The only option for nothing ("No one is") or for equal things, if a last sentence says so."""
    span = last_sentence(settled)
    result = _said_of_all(rules, settled, _KINDS)
    return result or _by_absence(rules, span) or _by_place(rules, span)


def _said_of_all(
    rules: OptionRules, settled: str, kinds: Sequence[tuple[re.Pattern[str], re.Pattern[str]]]
) -> Reading[int] | None:
    """The only option of a kind that a last sentence without another option says."""
    span = last_sentence(settled)
    sentence = settled[slice(*span)]
    for option, statement in kinds:
        places = [place for place, text in enumerate(rules.options.sources) if option.search(text)]
        match = statement.search(sentence) if len(places) == 1 else None
        if match is None or rules.candidates.between(*span):
            continue
        start, end = span[0] + match.start(), span[0] + match.end()
        is_nothing = option in (_KINDS[0][0], _KINDS[2][0]) or _NEITHER.search(sentence)
        if is_nothing or not is_denied(sentence):
            return found(Hit(places[0], start, end), "kind", rules.answer)
    return None


def of_kind(rules: OptionRules, question: str) -> Reading[int] | None:
    """The only option that a text says to be what a question asks for: "a shark is a fish"."""
    query = _KIND_ASKED.match(question)
    if query is None:
        return None
    kind = query["kind"].lower()
    names = "|".join(map(re.escape, [kind, *forms_of(kind)]))
    is_one = re.compile(rf"\s+(?:is|are)\s+(?:an?\s+)?(?:{names})\b", re.IGNORECASE)
    hits = [hit for hit in rules.candidates.live if is_one.match(rules.plain, hit.end)]
    return decide(hits, "kind", rules.answer)


def _by_absence(rules: OptionRules, span: tuple[int, int]) -> Reading[int] | None:
    """The only option for no such thing, if a last sentence denies it: "There isn't any smoke"."""
    sources = [(place, _NO_THING.match(text)) for place, text in enumerate(rules.options.sources)]
    absent = [(place, match[1]) for place, match in sources if match]
    if len(absent) != 1 or rules.candidates.between(*span):
        return None
    place, thing = absent[0]
    denial = rf"(?:\bnot|n't)\s(?:[\w']+\s){{0,2}}(?:any|an?)\s+{re.escape(thing)}\b"
    match = re.compile(denial, re.IGNORECASE).search(rules.plain, *span)
    return found(Hit(place, *match.span()), "kind", rules.answer) if match else None


def _by_place(rules: OptionRules, span: tuple[int, int]) -> Reading[int] | None:
    """Of "Net 1", "Net 2", ... the one of a last sentence on "the third net", or "number three"."""
    matches = [_NUMBERED.match(text) for text in rules.options.sources]
    numbered = [match.groups() for match in matches if match]
    heads = {head.casefold() for head, _ in numbered}
    sentence = rules.plain[slice(*span)]
    if len(numbered) < len(matches) or len(heads) != 1 or is_denied(sentence):
        return None
    places = {int(number): place for place, (_, number) in enumerate(numbered)}
    after = re.compile(rf"\s+{re.escape(heads.pop())}\b", re.IGNORECASE)
    hits = [
        Hit(places[int(number.value)], span[0] + number.start, span[0] + number.end)
        for number in numbers_in(sentence)
        if number.value in places
        and (
            (number.form == "ordinal" and after.match(sentence, number.end))
            or _IS_NUMBER.search(sentence[: number.start])
        )
    ]
    return decide(hits, "kind", rules.answer)


def last_sentence(text: str) -> tuple[int, int]:
    """Where the last sentence of a text begins and ends."""
    end = len(text.rstrip())
    start = sentence_start(text, max(0, end - 2))
    return start, end
