"""Read the final answer to an open question, which has no options to search for."""

from __future__ import annotations

import re
from functools import lru_cache

from chef.frozen import Frozen
from chef.reading.assertion import asserted
from chef.reading.excerpt import without_invisible
from chef.reading.fields import fields, result_fields
from chef.reading.lexicon import heads, word_pattern
from chef.reading.marks import stated, tagged
from chef.reading.mathematics import formulas
from chef.reading.passage import (
    No,
    own_words,
    parts,
    without_beside,
)
from chef.reading.patterns import Pattern, words
from chef.reading.questions import content_words
from chef.reading.refusals import NO_ANSWER, UNDECIDED, UNSEEN
from chef.reading.text import blank_sentences, lines, sentence_end, strip_markup

#: An answer of more words explains; its result is looked for in it.
_SHORT = 5
_EDGES = " \t\n.,;:!?\"'`*[]"
#: The wording of a question, which weak models repeat.
_PROMPT = Pattern(
    r"\b(?:answer\s+the\s+question|(?:single|one)\s+word\s+or\s+(?:a\s+)?(?:short\s+)?phrase"
    r"|answer\s+(?:briefly|shortly|with)|short\s+answer\s*:)",
    needs="answer word phrase",
)
_LABEL = re.compile(r"[\s>•-]*([A-Za-z][\w ]{1,30}?)\s*:\s+(?=\S)")
#: "**Answer:** a cat"; of "it depicts **photosynthesis**:" the words are a part of the sentence.
_BOLD_LABEL = re.compile(
    r"(?:\*\*|__)(?<![\w,]..)(?<![\w,]\s..)(?<!\d[.)]\s..)[^*_\n:]{1,40}(?::\s*(?:\*\*|__)|(?:\*\*|__)\s*:)"
)
#: What comes before what a thing is, in lower case.
_VERBS = words(
    "is are was were read reads say says it's he's she's that's they're called named labeled"
    " labelled titled suggest suggests indicate indicates spell spells show shows"
)
_BE = r"(?<!\w.)(?:{})\s+be(?!\w)(?=\s+an?\b)"
_IS = Pattern(
    lambda: (
        rf"(?:{'|'.join(heads(_VERBS))}|t{_BE.format('o')}|m{_BE.format('ust|ight|ay')}"
        rf"|c{_BE.format('ould')})(?:\s+(?:called|named|labell?ed|titled|probably|likely|most\s+likely"
        r"|definitely|clearly|actually|perhaps|possibly|that|it\s+is|known\s+as|made\s+(?:out\s+)?of"
        r"|written\s+in|indeed|simply))*[\s:,]+(?:(?:an?|the)\s+(?:(?:kind|type|sort)\s+of\s+)?)?"
        r"(?P<what>(?:[^.;,!?\n]|(?<=\d)[.,](?=\d)){1,60})"
    ),
    flags=0,
    lowered=True,
)
#: "Gray. The sea is blue."
_ALONE_FIRST = re.compile(r"\W*(?P<what>[\w'-]+(?:\s[\w'-]+)?)[.;]\s+(?=[^\W\d_]+\s)")
_EMPTY_GROUPS: tuple[str, ...] = (
    "affirmations", "affirmations_opening", "denials", "denials_opening", "corrections",
    "corrections_before_pause", "corrections_opening", "hedges", "undecided", "refusals", "unseen",
    "no_answers", "conclusions", "negations", "negations_of_things",
)  # fmt: skip
_SAYS_NOTHING = Pattern(
    lambda: (
        rf"\b(?:{word_pattern(*_EMPTY_GROUPS)}|well|ok|okay|hi|hello|thanks|answer|question|it|this"
        r"|that|i|step|note|here|let|look|looking|see|done|first|color|colour)\b|\d"
    )
)
_PREPOSITIONS = frozenset(
    ["on", "in", "at", "of", "to", "from", "with", "under", "behind", "near", "over", "by"]
)
#: "x_{1}", "x^2"
_SUBSCRIPT = re.compile(r"[_^](?:\{(\w{1,4})\}|(?=\d))")
#: What ends with a full stop that ends no sentence.
ABBREVIATED = re.compile(r"(?:\b[A-Z]|\b(?:Mr|Mrs|Ms|Dr|St|Mt|Prof|Jr|Sr|No|vs|Ft))\Z")
#: "It is the layer with the ozone: the stratosphere."; so many characters behind the colon.
_LONGEST_END = 61
_AFTER_COLON = re.compile(r"(?:\S+\s+){3,}\S+:\s+(?P<what>[^:;,.!?\n]{1,60})[.!]?\s*\Z")
_QUOTE = re.compile(
    r"\"(?<!\w.)(?P<double>[^\"\n]{1,80})\"|'(?<!\w.)(?P<single>[^'\n]{1,80})'(?!\w)"
)


def final_text(text: str, question: str = "") -> str:
    r"""The final answer in a text, for comparison with the references; "" if there is none.

    The first of these that is there: the value of JSON ("answer", or the key that the question
    names); the last tagged or boxed text; the text after the last "the answer is"; a first line of
    few words where others explain it; the quoted words or the ones after "is" in a sentence. A
    refusal ("I can't identify people") and "unknown" have none.

    Args:
        text: the model's text.
        question: what was asked.

    >>> final_text("<think>Rome? no</think>The answer is **Paris**.")
    'Paris'
    >>> final_text("I'm not entirely sure, but it is probably a tulip.")
    'tulip'
    """
    result = result_of(text, question)
    answer = result.text
    if result.kind == "stated":
        answer = "" if UNDECIDED.match(answer.strip()) else _short(answer)
    elif result.kind == "prose":
        answer = _brief(answer, question)
    answer = " ".join(answer.split()).strip(_EDGES)
    # "What is he holding?" "He is holding an umbrella."
    verb = re.match(r"(\w+ing)\s+(?:(?:an?|the)\s+)?(?=\w)", answer)
    if verb and re.search(rf"\b{verb[1]}\W*\Z", question, re.IGNORECASE):
        answer = answer[verb.end() :]
    return "" if NO_ANSWER.match(answer) or NO_ANSWER.match(text) else answer


class Result(Frozen):
    """What holds the answer: ``field`` (of JSON), ``tagged``, ``stated`` ("the answer is"),
    ``prose``; ``full`` goes on to the end of the tag, or of the line with the statement.
    """

    text: str
    kind: str
    full: str = ""


@lru_cache(64)
def result_of(text: str, question: str = "", *, no: No = "") -> Result:
    """The part of a text that gives its answer; empty where it refuses or only asks. Cached.

    >>> result_of("It is blue. Wait, it is red and shiny.").text
    'it is red and shiny.'
    """
    seen = _seen(text)
    field = _field(seen, question)
    if field is not None:
        return Result(field, "field")
    stated_result = _stated(seen, question)
    if stated_result is not None:
        return stated_result
    spoken = _spoken(seen)
    spans = parts(spoken, no)
    return Result(spoken[slice(*spans[-1])] if spans else "", "prose")


def final_formula(text: str) -> str:
    r"""The formula that a text gives, as it is written: the tagged or boxed text, or the last one
    if it is not denied; "" if there is none.

    >>> final_formula(r"$f(x) = x^2$, so \boxed{f'(x) = 2x}")
    "f'(x) = 2x"
    """
    visible = _seen(text)
    last = [(start, end) for _, start, end in formulas(visible)[-1:]]
    spans = tagged(visible) or [span for span in last if asserted(strip_markup(visible), span)]
    return visible[slice(*spans[-1])].strip() if spans else ""


@lru_cache(64)
def _seen(text: str) -> str:
    return without_invisible(own_words(without_invisible(text)))


def _field(seen: str, question: str) -> str | None:
    found = fields(seen)
    if not found:
        return None
    asked = content_words(question)
    keys = [content_words(f.key.replace("_", " ")) for f in found]
    pairs = [(f, key) for f, key in zip(found, keys, strict=True) if not NO_ANSWER.match(f.text)]
    same = [f for f, key in pairs if key and key <= asked]  # "vendor_name", not the "total"
    named = [f for f, key in pairs if key & asked]
    results = (
        same or result_fields(seen) or named or [f for f in found if f.key in ("text", "name")]
    )
    # "text and language" of a sign
    texts = [f for f in results if f.key in ("text", "name")] if results is same else results
    return (texts or results)[-1].text if results else ""


@lru_cache(64)
def _stated(seen: str, question: str) -> Result | None:
    """The tagged text, or the one after "the answer is"; a subscript stays at its letter."""
    joined = _SUBSCRIPT.sub(r"\1", seen) if "_" in seen or "^" in seen else seen
    for text in dict.fromkeys((joined, seen)):
        for start, end in reversed(tagged(text)):
            inside = strip_markup(text[start:end])
            if inside.strip():
                return Result(inside[: sentence_end(inside, 0, len(inside))], "tagged", inside)
    plain = strip_markup(seen)
    for start, end in reversed(stated(plain)):
        inside = plain[start : _stated_end(plain, start, end)]
        label = _LABEL.match(inside)
        if label and content_words(label[1]) & content_words(question):
            inside = inside[label.end() :]
        if inside.strip(_EDGES):
            return Result(inside, "stated", plain[start:end])
    return None


def _stated_end(plain: str, start: int, end: int) -> int:
    """The end of a stated answer, which a full stop after "C." or "Dr." does not end."""
    stop = sentence_end(plain, start, end)
    while stop < end and plain[stop] == "." and ABBREVIATED.search(plain[start:stop]):
        stop = sentence_end(plain, stop + 1, end)
    return stop


@lru_cache(64)
def _spoken(seen: str) -> str:
    """Prose without refusals, requests and asides."""
    plain = strip_markup(_BOLD_LABEL.sub(lambda match: " " * len(match[0]), seen, count=1))
    for pattern in (_PROMPT, UNSEEN):
        if pattern.may_match(plain):
            plain = blank_sentences(plain, pattern)
    return without_beside(plain)


def _brief(part: str, question: str) -> str:
    """The result that a passage of prose gives."""
    rows = lines(part)
    if not rows:
        return ""
    first = rows[0]
    line = part[slice(*first)].strip()
    for row in reversed(rows):
        label = _LABEL.match(part, *row)
        value = part[label.end() : row[1]] if label else ""
        if label and content_words(label[1]) & content_words(question) and _is_brief(value):
            return value
    if line.endswith(":") and len(rows) > 1:
        return part[slice(*rows[1])].lstrip(" >*-•")
    if len(line.split()) <= _SHORT and not _IS.search(line):
        return line
    whole = part if first[1] == len(part.rstrip()) else line
    is_short = len(whole.rpartition(":")[2].strip()) <= _LONGEST_END
    ending = _AFTER_COLON.match(whole.strip()) if is_short else None
    if ending and _is_brief(ending["what"]) and not _SAYS_NOTHING.search(ending["what"]):
        return ending["what"]
    return _short(whole.strip(), question)


def _is_brief(text: str) -> bool:
    return 0 < len(text.split()) <= _SHORT + 1


def _short(text: str, question: str = "") -> str:
    """The words of a sentence that give its result: quoted, or after "is"."""
    plain = UNDECIDED.sub(" ", text)
    if len(plain.split()) <= _SHORT and not _IS.search(plain):
        return plain if plain.strip(_EDGES + "-") else ""
    first = _ALONE_FIRST.match(plain)
    if first and not (_SAYS_NOTHING.search(first["what"]) or ABBREVIATED.search(first["what"])):
        return first["what"]
    quotes = {match[str(match.lastgroup)] for match in _QUOTE.finditer(plain)}
    if len(quotes) == 1:
        return quotes.pop()
    results = (plain[slice(*match.span("what"))] for match in _IS.finditer(plain))
    # "suggests that he is a chef"
    inner = ((what, _IS.search(what)) for what in results)
    trimmed = (
        _trimmed(what[slice(*match.span("what"))] if match else what, question)
        for what, match in inner
    )
    return next((what for what in trimmed if len(what.split()) <= _SHORT), text)


def _trimmed(what: str, question: str) -> str:
    """Without what only repeats the question: "strawberries on top of the cake", "in Hungarian"."""
    asked = content_words(question)
    words = what.split()
    for place, word in enumerate(words):
        rest = content_words(" ".join(words[place:]))
        if place and word.lower() in _PREPOSITIONS and asked and rest <= asked:
            words = words[:place]
            break
    if (
        len(words) > 1
        and words[0].lower() == "in"
        and re.match(r"\W*(?:what|which)", question, re.IGNORECASE)
    ):
        words = words[1:]
    return " ".join(words)
