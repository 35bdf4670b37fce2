"""Extract the option that a text chooses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache

from chef.common.options import letters
from chef.reading.breaks import cut_off
from chef.reading.contrasts import (
    SENTENCES,
    about_extreme,
    is_contrasted,
    lesser,
    unasked,
    without_other_extreme,
)
from chef.reading.echo import question_alone, without_echo
from chef.reading.excerpt import read_visible
from chef.reading.leaks import answer_body, before_next_question
from chef.reading.lexicon import word_list
from chef.reading.marks import last_stated, tags
from chef.reading.option_kinds import last_sentence, signed_or_equal
from chef.reading.option_rules import OptionRules
from chef.reading.option_set import Options
from chef.reading.option_values import Found
from chef.reading.other_wordings import other_wordings
from chef.reading.passage import (
    Span,
    moved,
    only,
    parts,
    withdraws,
    without_asides,
    without_requests,
)
from chef.reading.patterns import Pattern
from chef.reading.questions import content_words
from chef.reading.refusals import is_undecided, no_answer
from chef.reading.restated import restating
from chef.reading.second_reading import (
    beside_question,
    breaks_off,
    by_alternatives,
    concessions,
    second_reading,
)
from chef.reading.sides import is_of_cases, other_sides
from chef.reading.text import AMBIGUOUS, NOTHING, Reading, decide, sentence_end, sentence_start
from chef.reading.word_index import blanked, words_near

#: How far before a tag the sentence that it stands in may begin, in characters.
_BEFORE_TAG = 400
#: Rules that read a mention, which may be of another thing than the one asked about.
_MENTIONED = frozenset(["said", "mention", "conclusion", "marked letter", "formula"])
#: "9\\pi" for the option 9π; longer commands have other names.
_PI = re.compile(r"\\pi(?![A-Za-z])")
#: What a relation of the two things that are asked about overrules.
_WEAK = frozenset(["mention", "said", "none", "ambiguous"])
_ASKS_NOT = re.compile(
    r"\b(?:not|cannot|except|absent|missing|never|nicht|kein\w*|fehlt|pas|manque|no\s+(?:est\w+|es"
    r"|aparece\w*|hay|se)|falta\w*|non|não|нет|не)\b|n't\b|不|没有|没|ない|아닌|않",
    re.IGNORECASE,
)
#: "It may just as well be B.", "Which one do you mean?"
_AS_WELL = re.compile(
    r"\b(?:may|might|could|can)\s+(?:just\s+as\s+(?:well|likely|easily)|equally(?:\s+well)?)\s+be\b"
    r"|\b(?:it|this|that|the\s+answer)\s+(?:really\s+|all\s+)?depends\b"
    r"|\bif\b[^.;!?\n]*,[^.;!?\n]*[.;]\s*(?:and\s+|but\s+)?(?:if\b|otherwise\b)"
    r"|\b(?:could|might|may)\s+be\s+(?:either|both)\s*(?=[,.;!?]|\Z)"
    r"|\bwhich\b[^.,;!?\n]*\b(?:you\s+(?:mean|meant|have\s+in\s+mind)|is\s+meant)\s*\?"
    r"|\b(?:please|could\s+you|can\s+you)\s+(?:specify|clarify|tell\s+me\s+which)\b",
    re.IGNORECASE,
)
#: Several cases, or a question back: nothing else in the answer is read instead.
_SEVERAL: Reading[int] = Reading(None, "several cases")
#: "None of the given options fits", and an option that says so.
_NONE_FITS = re.compile(
    r"\bnone\s+of\s+(?:the|these)\s+(?!other|remaining)(?:\w+\s+)?(?:options|choices|answers)\b"
    r"(?!\s+(?:but|except|other))",
    re.IGNORECASE,
)
_NONE = re.compile(r"\b(?:none|neither|nothing|no)\b", re.IGNORECASE)
#: Two cases and what leads to them are no longer than this, in characters.
_CASES = 400
_IN_TURN = Pattern(
    r"\brespectively\b|\bthe\s+(?:former|latter)\b", needs="respectively former latter"
)
_NO = re.compile(r"\?\W*(?:no|nope|nein|non|нет)\b", re.IGNORECASE)
#: What leads to the result of "31 - 17 = 14".
_OPERATION = re.compile(
    r"(?<![\w.])[$€£]?\d[\d.,]*%?(?:\s*[-−–+×÷*/·x]\s*[$€£]?\d[\d.,]*%?)+\s*=\s*(?=[$€£]?[-−]?\d)"
)
#: "There are knives and forks" tells not what is missing.
_PRESENT = re.compile(
    r"\b(?:there\s+(?:is|are)|there's|see|contains?|includes?|shows?|visible|present)\b",
    re.IGNORECASE,
)


def extract_option(
    answer: str, texts: Sequence[str], labels: Sequence[str] | None = None, question: str = ""
) -> Reading[int]:
    """The option that a text chooses.

    Reasoning blocks, invented turns, requests and refusals are removed first, then first thoughts
    and questions; words of correction ("wait, no,") divide the rest, and what follows the last one
    is tried first. Then the first of these rules that finds something decides; if it finds two
    different options, the answer is ambiguous:

    1. the whole answer is a label, an option's text, or a part of only one option's text;
    2. the options are listed, and one has a good verdict ("C. a cat - correct"), or the highest
       of their probabilities;
    3. a tagged or boxed answer, the last of several;
    4. the last explicit statement ("the answer is ...", "B is correct", "therefore B");
    5. a line, or the last sentence, that consists of a label;
    6. a line that starts with a label ("B. a cat"), unless several do: then options are listed;
    7. the first sentence, if it is an option's text or starts with a label and a comma;
    8. what "it is", "I think" or "probably" precedes, the last of them;
    9. the only option in the last sentence that names one, if it concludes ("so ...");
    10. a letter in brackets, quotes or bold, or after the word "option";
    11. a bare capital, or an option's text, as whole words;
    12. a number or number word, if all options are numbers;
    13. an option's place ("the third option");
    14. the only option that is ruled out, if the question asks for what is not so ("which of
        these is not in the picture?");
    15. of several, the one of the clauses that repeat the question (`restated`), or the one at the
        sign that it names;
    16. what the answer says of its question (`second_reading`);
    17. the same of the answer and the options in other words (`other_wordings`).

    Options that are ruled out ("not a dog", "B is wrong", "neither A nor C") are ignored, and so
    are those offered together ("A or B") if another is named. "A" and
    "I" are letters unless they are an article or a pronoun (`chef.reading.labels`).

    Args:
        answer: the model's text.
        texts: the texts of the options; may be empty if there are labels.
        labels: the labels of the options; default: A, B, C, ...; empty for none.
        question: what was asked; empty if it is not known.

    Returns:
        The index of the option, or None.

    >>> extract_option("I see a dog. The answer is (B).", ["cat", "dog"]).value
    1
    >>> extract_option("(A) or (B)", ["cat", "dog"]).rule
    'ambiguous'
    """
    names = letters(len(texts)) if labels is None else labels
    options = _options(tuple(texts), tuple(names))
    alone = question_alone(question, options.sources)

    def read(text: str) -> Reading[int]:
        text = without_echo(text, question, options.sources, options.labels)
        result = _read(text, options, alone)
        return _reworded(text, options, alone, result) if result.value is None else result

    return read_visible(answer, read)


def _reworded(text: str, options: Options, question: str, first: Reading[int]) -> Reading[int]:
    """What is read if the text and the options are put in the same words; no span of the text.

    A text that names ``several`` options is only read again if it ends with the place of one.
    """
    several = first.rule != "none"
    for wording, texts in other_wordings(text, options.sources, places=several):
        result = _read(wording, _options(texts, options.labels), question)
        words = content_words(result.text)
        # Another word for a part of an option is too little: "moving" for "drives a car".
        if result.value is not None and not words <= content_words(text):
            result = NOTHING if words < content_words(texts[result.value]) else result
        if result.value is not None:
            return result if wording == text else Reading(result.value, result.rule, result.text)
    return first


def _read(text: str, options: Options, question: str) -> Reading[int]:
    """What a text chooses as it is worded."""
    text = _without_operations(text, options)
    spans = lesser(text, question)
    about = blanked(text, spans) if spans else text
    result = _extract(without_other_extreme(about, question), options, question)
    # Of "the former" and "the latter" it is not known which is which.
    if result is _SEVERAL or (result.rule in _WEAK and _IN_TURN.search(text)):
        return AMBIGUOUS
    if result.rule == "none" and spans and len(options.texts) == 2:
        return _other_of_two(text, spans, options)
    if _ASKS_NOT.search(question) and (result.value is None or _is_present(text, result)):
        result = OptionRules(text, answer_body(text), options).missing() or NOTHING
    if result.rule in _MENTIONED and (better := signed_or_equal(text, options, question)):
        return better
    if result.rule == "ambiguous":
        result = _restated(text, options, question) or result
    if result.rule == "ambiguous":
        body = answer_body(text)
        told = (about_extreme(body, question), about_extreme(body, question, SENTENCES))
        named = (OptionRules(text, item, options).named() for item in told)
        result = next((item for item in named if item), result)
    if result.rule in _WEAK:  # "left or right"
        result = by_alternatives(text, options, question) or result
    if result.rule == "mention" and _concludes_otherwise(text, result):
        return NOTHING
    if result.value is None:
        return second_reading(about, options, question, result)
    return NOTHING if result.rule in _MENTIONED and breaks_off(text, result) else result


def _without_operations(text: str, options: Options) -> str:
    """A text with blanks for what leads to a result, where the options are numbers."""
    if not options.values or "=" not in text or any(map(_OPERATION.search, options.texts)):
        return text
    return blanked(text, [match.span() for match in _OPERATION.finditer(text)])


def _concludes_otherwise(text: str, reading: Reading[int]) -> bool:
    """Whether a last sentence concludes behind what was read: "They sit. So he makes a jump."."""
    body = answer_body(text)
    start = sentence_start(body, max(0, len(body.rstrip()) - 2))
    lead = body[start:].lower().split(maxsplit=1)[:1]
    is_before = reading.span is not None and reading.span[1] <= start
    return is_before and bool(lead) and lead[0].strip(",") in word_list("concluding")


def _other_of_two(text: str, spans: Sequence[Span], options: Options) -> Reading[int]:
    """Of two things that one of which a text says only the contrary: "the Celtics trail"."""
    reading = OptionRules(text, only(text, *spans[-1]), options).named()
    if reading is None or reading.value is None:
        return NOTHING
    return Reading(1 - reading.value, "contrary", reading.text, reading.span)


def _restated(text: str, options: Options, question: str) -> Reading[int] | None:
    """The only option of the clauses that repeat the question, others being said of other things:
    "The highlighted continent is Asia. Africa is on its left."
    """
    body = without_asides(without_requests(answer_body(text)))
    if is_undecided(body):
        return None
    rules = OptionRules(text, body, options)
    for commas in (False, True):  # "X is the main cause, Y comes second"
        spans = restating(body, question, commas=commas)
        if cut_off(body):  # of its reasoning only what opens it is a statement
            opening = sentence_end(body, 0, len(body)) + 1
            spans = spans[:1] if spans and spans[0][1] <= opening else ()
        hits = [
            hit
            for hit in rules.candidates.live
            if hit.start not in rules.candidates.guesses
            and not is_contrasted(rules.plain, (hit.start, hit.end), question)
            and any(start <= hit.start < end for start, end in spans)
        ]
        if any(hit.is_offered for hit in hits):
            return None  # "a lamp and a vase are on the table"
        if (result := decide(hits, "restated", text)) and result.value is not None:
            return result
    return None


def _is_present(text: str, reading: Reading[int]) -> bool:
    """Whether a mention only says that a thing is there."""
    if reading.span is None or reading.rule != "mention":
        return False
    return _PRESENT.search(text, sentence_start(text, reading.span[0]), reading.span[0]) is not None


@lru_cache(1024)
def _options(texts: tuple[str, ...], labels: tuple[str, ...]) -> Options:
    return Options(texts, labels)


def _extract(answer: str, options: Options, question: str) -> Reading[int]:
    body = answer_body(answer)
    if "\\" in body and not options.has_pi:
        body = _PI.sub("π  ", body)
    first = before_next_question(body)
    result = _Readers(answer, first, options, question).settle()
    if result is None and first != body:
        result = _Readers(answer, body, options, question).settle()
    return result or NOTHING


class _Readers(dict[str, OptionRules]):
    """The rules for each form of an answer, so that none is read twice; ``body`` is its words."""

    def __init__(self, answer: str, body: str, options: Options, question: str) -> None:
        super().__init__()
        self._answer, self._options, self._question = answer, options, question
        self._whole = OptionRules(answer, body, options, question=question)
        self[body] = self._whole

    def __missing__(self, text: str) -> OptionRules:
        self[text] = OptionRules(self._answer, text, self._options, self._whole)
        return self[text]

    @cached_property
    def _beside(self) -> list[Span]:
        return beside_question(self._answer, self._question)

    def first(self, text: str) -> Found:
        """What the first rule finds in a form of the answer, but nothing of a contrary side."""
        result = self[text].first(lambda: self._beside)
        if result is None or result.span is None or result.rule not in _MENTIONED:
            return result
        place = result.span[0]
        question = self._question
        others = [*other_sides(text, question), *unasked(text, question), *concessions(text)]
        return None if any(start <= place < end for start, end in others) else result

    def settle(self) -> Found:
        """What the answer chooses."""
        reader, body = self._whole, self._whole.seen
        marked = reader.whole or _tagged_last(self._answer, reader)
        start = max(0, last_sentence(body)[0] - 2)
        if marked is None and self._is_open(reader, sentence_start(body, start)):
            return _SEVERAL
        marked = marked or _stated_last(self._answer, reader)
        if marked:
            return marked
        kept = body if self._options.refuses else without_requests(body)
        settled = without_asides(kept)
        spans = parts(settled, "sentence")
        texts = [only(settled, *span) for span in reversed(spans)] or [settled]
        # A list of all options with a verdict on each may contain any words.
        result = self[texts[0]].marked or reader.listed
        if result or is_undecided(body):
            return result
        if len(spans) > 1:
            if withdraws(settled[slice(*spans[-1])]) and not self.first(texts[0]):
                return None
            if result := self._corrected(texts):
                return result
        # "It's got to be C, right?", but not "B? No."
        asides = "" if _NO.search(kept) else without_asides(kept, questions=True)
        return self.first(settled) or (self.first(asides) if asides else None)

    def _is_open(self, reader: OptionRules, start: int) -> bool:
        """Whether several cases, or a last sentence from ``start`` on, leave the answer open."""
        body = reader.seen
        if _AS_WELL.search(body, start):
            return True
        if _NONE_FITS.search(body, start):
            return not any(map(_NONE.search, self._options.texts))
        if reader.size > _CASES:
            return False
        cases = _AS_WELL.search(body) and no_answer(body[start:])
        return bool(cases) or self._is_of_cases(reader)

    def _is_of_cases(self, reader: OptionRules) -> bool:
        """Whether one option is said of the left and another one of the right, or the like, and
        nothing else in a short answer.
        """
        sides = words_near(reader.plain) & word_list("sides")
        if len(sides) < 2 or any(content_words(text) & sides for text in self._options.texts):
            return False
        places = [(hit.start, hit.value) for hit in reader.candidates.live]
        return is_of_cases(reader.plain, self._question, places)

    def _corrected(self, texts: Sequence[str]) -> Found:
        """What the last part between corrections says that gives an answer; the last one comes
        first.
        """
        refused: set[int] = set()
        for text in texts:
            result = self.first(text)
            if result and result.value not in refused:
                return result
            refused |= {hit.value for hit in self[text].candidates.all if hit.is_refused}
        return None


def _tagged_last(answer: str, reader: OptionRules) -> Found:
    """The last tagged or boxed answer; most texts need not be read before it."""
    marks = tags(reader.seen)
    start = marks[-1].start - _BEFORE_TAG if marks else 0
    if start > 0:
        part = OptionRules(answer[start:], reader.seen[start:], reader.options)
        result = moved(part.in_tags, start)
        if result:
            return result
    return reader.in_tags


def _stated_last(answer: str, reader: OptionRules) -> Found:
    """The statement of the last lines, which no correction follows; most answers end with one."""
    last = last_stated(
        reader.plain, reader.seen, lambda text: without_asides(without_requests(text)), "sentence"
    )
    if last is None:
        return None
    start, settled, span = last
    part = OptionRules(answer[start:], only(settled, *span), reader.options)
    return moved(part.in_statements(), start)
