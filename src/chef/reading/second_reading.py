"""What an answer says of its question, where nothing else in it chooses an option."""

from __future__ import annotations

import re
from functools import lru_cache

from chef.reading.answering import is_answered_elsewhere
from chef.reading.breaks import cut_off
from chef.reading.clauses import PRONOUN, clauses, is_denied, is_supposed
from chef.reading.contrasts import is_contrasted, unasked
from chef.reading.leaks import answer_body, before_next_question
from chef.reading.lexicon import LANGUAGES, Phrases, phrases_of, word_list
from chef.reading.marks import concluded
from chef.reading.opposites import places_named
from chef.reading.option_kinds import at_sign, by_kind, last_sentence, of_kind
from chef.reading.option_lists import opened
from chef.reading.option_rules import OptionRules
from chef.reading.option_set import Options
from chef.reading.passage import Span, only, without_asides, without_requests
from chef.reading.patterns import Pattern
from chef.reading.questions import content_words
from chef.reading.refusals import is_undecided, no_answer, refuses
from chef.reading.sequels import beside_sequel
from chef.reading.sides import other_sides
from chef.reading.subjects import other_colors, other_subjects
from chef.reading.text import Hit, Reading, decide, fold, found
from chef.reading.verdicts import extract_verdict
from chef.reading.word_index import blanked

_CONCESSIONS = Phrases(
    "concessions", after=r"[^.;:!?\n,]*(?:,\s+(?:which|who|whose)\b[^.;:!?\n,]*)?"
)
_CONTRASTS = Phrases("contrasts")
_STATEMENT = re.compile(r"[^.;!?\n]+")
_SUPPOSING = re.compile(r"\b(?:would|could|if)\b", re.IGNORECASE)
#: "B would be my choice", "that would make it a dog"
_WOULD_BE_IT = re.compile(
    r"\b(?:I|we|this|that|it|which|answer|option|choice)\s+would\b|'d\b"
    r"|\bwould\s+(?:\w+\s+){0,4}(?:best|better|good|nice|correct|right|most|answer|choice|option"
    r"|appropriate|suitable|likely|logical|possible|plausible|fit\w*|match|mean|suggest|indicate)\b",
    re.IGNORECASE,
)
_ASIAN_END = re.compile(r"[^。，,.;!?\n]*")
#: A shorter last sentence has no room for anything but the answer: "The second one, then."
_SHORT = 5
#: So many words of an option do not stand in a sentence by chance.
_MANY = 3
_WORD = re.compile(r"[^\W_]+")
#: "Where is the mug relative to the laptop?"
#: Other names of what one thing is to another, and what the other one is to it.
_CONVERSES = {
    "on": ("top", "under"), "top": ("on", "under"),
    "above": ("under",), "under": ("on", "top", "above"),
    "before": ("behind",), "behind": ("before",),
}  # fmt: skip
_RELATIVE = re.compile(
    r"\bwhere\s+(?:is|are)\s+([^?]+?)\s+(?:relative\s+to|in\s+relation\s+to|with\s+respect\s+to"
    r"|compared\s+(?:to|with))\s+([^?]+)",
    re.IGNORECASE,
)
_IT = re.compile(r"\bit\b")
#: What tells "Vase I" from "Vase II".
_SIGN = re.compile(r"\b(?:\d+|[B-Z]|[IVX]+)\b")
#: What adds something to what was said is no conclusion.
_ALSO = Phrases("additions")
_MAINLY = Pattern(
    lambda: rf"\b(?:{'|'.join(word_list('mainly'))})\s+(?:(?:an?|the|of|in|de|aus)\s+)?\Z",
    needs=lambda: word_list("mainly"),
)


def concessions(text: str) -> list[Span]:
    """What a text only grants: "left, *although the road bends right*".

    >>> concessions("It is left, even though right is near.")
    [(12, 37)]
    """
    ends = (
        (match.start(), _ASIAN_END.match(text, match.end()))
        for match in _CONCESSIONS.finditer(text)
    )
    return [(start, end.end()) for start, end in ends if end]


def beside_question(text: str, question: str) -> list[Span]:
    """What a text says of other things than the one that a question asks about, or only grants."""
    others = (other_colors, other_subjects, other_sides, unreal, beside_sequel)
    return [*concessions(text), *(span for other in others for span in other(text, question))]


def unreal(text: str, question: str) -> list[Span]:
    """What would be so for another answer: "*Sydney would have the opera house*".

    >>> unreal("It is Toronto; Sydney would have the opera house.", "Which city is it?")
    [(14, 48)]
    """
    if "would" not in text or _SUPPOSING.search(question):
        return []
    matches = (match for match in _STATEMENT.finditer(text) if "would" in match[0])
    return [match.span() for match in matches if not _WOULD_BE_IT.search(match[0])]


def breaks_off(text: str, reading: Reading[int]) -> bool:
    """Whether a text ends in the middle of a sentence that may say more than was read before."""
    body = before_next_question(answer_body(text))
    if reading.span is None or not cut_off(body):
        return False
    if reading.rule == "conclusion" and body[reading.span[1] :].strip():
        return True  # "so, to be certain about the white shape, we first need to"
    return reading.span[1] < last_sentence(body)[0]


def second_reading(text: str, options: Options, question: str, first: Reading[int]) -> Reading[int]:
    """What a text says of its question if its statements and mentions choose nothing; or ``first``.

    In order: the option at the sign that the question names ("X = stamen"); yes or no in other
    words; the only option of a last sentence about the question; that of a short last sentence, by
    what tells the options apart ("The first one, then.").
    """
    body = answer_body(text)
    if unable := _by_refusal(text, body, options):
        return unable
    if is_undecided(body) or cut_off(body):
        return first
    return _read(text, body, options, question, first.rule) or first


def _read(text: str, body: str, options: Options, question: str, rule: str) -> Reading[int] | None:
    settled = without_asides(without_requests(body))
    rules = OptionRules(text, settled, options)
    # Without a question it is not known what a statement says of it.
    return (
        at_sign(rules, question)
        or (_by_verdict(text, options, question) if question and rule == "none" else None)
        or by_kind(rules, settled)
        or of_kind(rules, question)
        or _by_words(rules, settled, question, several=rule != "none")
        or _by_place_in_text(rules, settled, question, rule)
    )


def _by_place_in_text(
    rules: OptionRules, settled: str, question: str, rule: str
) -> Reading[int] | None:
    """The option that is most of the thing, that stands in the sentence about the question, or in
    the last one.
    """
    is_list = len(opened(rules.plain, rules.candidates.found)) > 1
    if rule == "ambiguous" and (main := _mainly(rules)):
        return main
    part = below_list(rules, settled) if is_list else about_question(settled, question)
    told = OptionRules(rules.answer, part, rules.options)
    beside = beside_sequel(told.plain, question)
    named = [
        hit
        for hit in told.candidates.live
        if hit.start not in rules.candidates.guesses
        and not any(start <= hit.start < end for start, end in beside)
        and not is_contrasted(told.plain, (hit.start, hit.end), question)
        and not is_answered_elsewhere(told.plain, (hit.start, hit.end), question)
    ]
    if len({hit.value for hit in named}) == 1 and not rules.repeats(named[-1]):
        return decide(named, "last sentence", rules.answer)
    # "The bus is red, while the car is blue" for "It is red" and "It is blue"
    about = blanked(settled, other_subjects(settled, question))
    return None if is_list else _brief(rules.answer, about, rules.options)


def _by_refusal(text: str, body: str, options: Options) -> Reading[int] | None:
    """The only option that says that there is no answer, if a last sentence says so."""
    places = [place for place, item in enumerate(options.texts) if no_answer(item)]
    start, end = last_sentence(body)
    if len(places) != 1 or not no_answer(body[start:end]):
        return None
    live = OptionRules(text, only(body, start, end), options).candidates.live
    if not refuses(body[start:end]) and any(hit.value != places[0] for hit in live):
        return None  # "It may be a cat."
    return found(Hit(places[0], start, end), "kind", text)


def _by_words(
    rules: OptionRules, settled: str, question: str, *, several: bool
) -> Reading[int] | None:
    """The only option of which all words stand in a last sentence, in any order: three of them, or
    fewer in one about the question, or that concludes, if the text does not name ``several``.
    """
    span = last_sentence(settled)
    text = rules.plain[slice(*span)]
    words = [content_words(option) for option in rules.options.texts]
    signs = [{*_SIGN.findall(option)} for option in rules.options.texts]
    if len(set(words)) < len(words):
        return None  # "in the car", "on the car"
    said = content_words(text)
    # "The dog is beside the bench" has all that counts of "on the bench", and of no option more.
    common = frozenset.intersection(*words) if words else frozenset()
    places = [place for place, item in enumerate(words) if item - common and item <= said]
    ruled_out = {hit.value for hit in rules.candidates.all} - {
        hit.value for hit in rules.candidates.live
    }
    places = [place for place in places if place not in ruled_out]
    every = range(len(words))  # "Vase I" and "Vase II" have their signs apart
    longest = [
        place
        for place in places
        if not any(words[place] < words[other] for other in (every if signs[place] else places))
    ]
    if len(longest) != 1 or is_denied(text) or is_supposed(text) or _ALSO.search(text):
        return None
    stems = words[longest[0]]
    if len(stems) == 1:  # "the resistance increases, so lamp 1 gets dimmer" is not of the lamp
        parts = (text[slice(*part)] for part in clauses(text, 0, len(text)))
        text = next((part for part in parts if stems <= content_words(part)), "")
        if not content_words(question) & content_words(text) - stems and not concluded(text):
            return None
    if " " not in rules.options.texts[longest[0]]:
        return None  # a mention finds it, if it is one
    about = (
        not span[0]
        or content_words(question) & said - stems
        or concluded(text)
        or PRONOUN.match(text)
    )
    if len(stems) < _MANY and (several or not about):
        return None
    return found(Hit(longest[0], *span), "words", rules.answer)


def _mainly(rules: OptionRules) -> Reading[int] | None:
    """The only option that a text says to be the most of it: "mostly yellow with a red stripe"."""
    if rules.candidates.offered or not _MAINLY.may_match(rules.plain):
        return None
    hits = [hit for hit in rules.candidates.live if _MAINLY.search(rules.plain[: hit.start][-40:])]
    return decide(hits, "mainly", rules.answer)


def _brief(text: str, settled: str, options: Options) -> Reading[int] | None:
    """The only option of a short last sentence, or behind "but rather"."""
    start, end = last_sentence(settled)
    contrast = _CONTRASTS.search(settled[start:end])
    short = _short_options(options.texts)
    if contrast:
        end_only = only(settled, start + contrast.end(), end)
        readers = [OptionRules(text, end_only, item) for item in (options, short) if item]
        return next((result for item in readers if (result := item.named())), None)
    if short is None or len(_WORD.findall(settled[start:end])) > _SHORT:
        return None
    return OptionRules(text, only(settled, start, end), short).named()


def by_alternatives(text: str, options: Options, question: str) -> Reading[int] | None:
    """Of "Is X left or right of Y?" the side that a text says yes to, if it denies the other, and
    of "Where is X relative to Y?" the only place that it says yes to.

    >>> asks = "Is the cat left or right of the dog?"
    >>> by_alternatives("The dog is right of the cat.", Options(("left", "right"), ()), asks).value
    0
    """
    texts = options.texts
    if not all(texts):
        return None
    where, pair = _RELATIVE.search(question), None
    if where:
        one, two = (f"the {name.split()[-1]}" for name in where.groups())
        questions = [f"Is {one} {_IT.sub(two, source)}?" for source in options.sources]
    elif len(texts) == 2:
        orders = (r"\s+or\s+".join(map(re.escape, order)) for order in (texts, texts[::-1]))
        pair = re.search(rf"\b(?:{'|'.join(orders)})\b", question)
    if pair and content_words(question[pair.end() :]):
        questions = [question[: pair.start()] + name + question[pair.end() :] for name in texts]
    elif not where:
        return None
    verdicts = [extract_verdict(text, item) for item in questions]
    values = [verdict.value for verdict in verdicts]
    if values.count("yes") != 1 or not (where or "no" in values):
        return None
    place = values.index("yes")
    if where and not _names_place(text, texts[place]):
        return None
    return Reading(place, "relation", verdicts[place].text, verdicts[place].span)


def _names_place(text: str, option: str) -> bool:
    """Whether a text that names places names that of an option, or says the contrary of the other
    thing: "the mug is under the shelf" says that the shelf is above.

    >>> _names_place("It is atop the bench.", "inside"), _names_place("It is left.", "inside")
    (False, True)
    """
    relations = {place.relation for _, place in places_named(option)}
    stated = {place.relation for _, place in places_named(text)} - {"in"}
    converse = {other for name in relations for other in _CONVERSES.get(name, ())}
    return not relations or not stated or not stated.isdisjoint(relations | converse)


def _by_verdict(text: str, options: Options, question: str) -> Reading[int] | None:
    """The option that says yes, or no, as the answer does in other words."""
    places = _verdicts(options.texts)
    verdict = extract_verdict(text, question) if places else None
    if places is None or verdict is None or verdict.value is None:
        return None
    value = places[0] if verdict.value == "yes" else places[1]
    return Reading(value, f"verdict: {verdict.rule}", verdict.text, verdict.span)


@lru_cache(1024)
def _verdicts(texts: tuple[str, ...]) -> tuple[int, int] | None:
    """The places of the only option that says yes, and of the only one that says no."""
    groups = ("affirmations", "affirmations_opening"), ("denials", "denials_opening")
    names = [phrases_of(*group, languages=LANGUAGES) for group in groups]
    yes, no = (
        [place for place, item in enumerate(texts) if item.lower() in words] for words in names
    )
    return (yes[0], no[0]) if len(yes) == len(no) == 1 else None


@lru_cache(1024)
def _short_options(texts: tuple[str, ...]) -> Options | None:
    forms = short_forms(texts)
    return Options(forms, ()) if forms else None


def about_question(text: str, question: str) -> str:
    """The last sentence of a text, alone, if it speaks of what the question asks about; else "".

    >>> about_question("Wood rots. The bench is metal.", "What is the bench made of?").strip()
    'The bench is metal.'
    """
    plain = blanked(text, [*concessions(text), *unasked(text, question)])
    start, end = last_sentence(plain)
    asked = content_words(question)
    if not asked & content_words(plain[start:end]) or _ALSO.search(plain[start:end]):
        return ""
    return only(plain, start, end)


def below_list(rules: OptionRules, text: str) -> str:
    """The last line of a text with a list of options, alone, if it is no item of it; else ""."""
    end = len(text.rstrip())
    start = text.rfind("\n", 0, end) + 1
    line = only(text, start, end)
    # "Beta lost nine points." in a paragraph of its own is no item.
    is_prose = text[:start].endswith("\n\n") and line.rstrip().endswith((".", "!"))
    is_item = not is_prose and opened(rules.plain, rules.candidates.between(start, end))
    return "" if is_item or _ALSO.search(line) else line


def short_forms(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The texts of options without the words that all of them begin or end with; () if none is.

    >>> short_forms(("The first image", "The second image"))
    ('first', 'second')
    """
    split = [fold(text).strip(" .").split() for text in texts]
    shortest = min(map(len, split), default=0)
    if len(texts) < 2 or shortest < 2:
        return ()
    same = [len({words[place].lower() for words in split}) == 1 for place in range(shortest)]
    head = same.index(False) if False in same else shortest
    ends = [len({words[-1 - place].lower() for words in split}) == 1 for place in range(shortest)]
    tail = ends.index(False) if False in ends else shortest
    if not (head or tail) or head + tail >= shortest:
        return ()
    return tuple(" ".join(words[head : len(words) - tail]) for words in split)
