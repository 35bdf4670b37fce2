"""Extract yes or no from text."""

from __future__ import annotations

import re
from typing import cast

from chef.reading import verdict_words as words
from chef.reading.asked import asked
from chef.reading.breaks import cut_off
from chef.reading.characters import is_cjk
from chef.reading.claims import Verdict, compared, is_unsettled, restates, untrue
from chef.reading.clauses import clauses
from chef.reading.echo import question_alone, without_echo
from chef.reading.excerpt import read_visible
from chef.reading.fields import fields, result_fields
from chef.reading.idioms import (
    bare_claims,
    compared_cjk,
    elliptic,
    ending,
    foreign_claims,
    part_of_all,
    ticked,
)
from chef.reading.marks import Mark, after, concluded, last_stated, last_tag, read_marks, statements
from chef.reading.passage import moved, own_words, settled, without_asides
from chef.reading.patterns import has_cjk
from chef.reading.predicates import decided, is_predicate, predicate_start, undecided
from chef.reading.quantified import asks_of_any
from chef.reading.questions import content_words
from chef.reading.refusals import CANNOT, UNDECIDED
from chef.reading.relation import Statement
from chef.reading.text import (
    AMBIGUOUS,
    NOTHING,
    Hit,
    Reading,
    blank_sentences,
    decide,
    fold,
    found,
    lines,
    sentence_end,
    sentence_start,
    strip_markup,
)

__all__ = ["Verdict", "extract_verdict"]

_OPINION = re.compile(
    r"[\s\"']*I(?:'d|\s+would)?(?:\s+have\s+to)?\s+(?:say|think|believe|guess|suppose|assume)(?:\s+that)?\s+",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?:\A|(?<=[.!?;\n。，,：:]))[^.!?;\n]+")
_NEXT_SENTENCE = re.compile(r"(?:\A\s*|[.!;]\s{1,2})(?=\w)")
_TURN = re.compile(
    r"\b(?:but|however|though|yet|still|nevertheless|based|judging|given|your\s+question)\b",
    re.IGNORECASE,
)
_SEEMS = re.compile(r"\b(?:seem|look|appear)s?\b|\b(?:likely|probably)\b", re.IGNORECASE)
_CONCLUSION = re.compile(
    r"\bconclusion\s+is\s+(?:that\b)?|\b(?:put|tak)ing\s+(?:all\s+)?(?:this|it|that)\s+together\b|结论|总的来说",
    re.IGNORECASE,
)


def extract_verdict(answer: str, question: str = "") -> Reading[Verdict]:
    """Whether an answer says yes or no.

    Reasoning, markup, further turns and a repetition of the question are left out. Of a correction
    ("Yes. Wait, no.") the last part counts. Then the first of these rules decides:

    1. ``whole``: the answer is a verdict: "yes", "n", "Definitely!", "没有", a check mark.
    2. ``json``: the value of "answer", "present" and the like.
    3. ``tagged``: the last verdict in a box or ``<answer>``.
    4. ``statement``: after "the answer is", "verdict:".
    5. ``line``: lines that consist of a verdict; they are ambiguous if they differ.
    6. ``first verdict``: the answer begins with one; an explanation after it changes nothing.
    7. ``conclusion``: a verdict after "so" or "therefore".
    8. ``verdict``: a verdict elsewhere ("it is, most likely, yes"; "I doubt it").
    9. ``claim``: statements compared with the question ("I don't see a dog", "The door is closed");
       without a question only those that say that something is there or not.

    "nothing", "know" and "no doubt" are not no, "Yes, there is no dog" is yes, and "maybe" or
    "I cannot see the image" is no verdict.

    Args:
        answer: the model's text.
        question: what was asked; statements count only if they are about it.

    >>> extract_verdict("**Yes**, there is no dog.").value
    'yes'
    >>> extract_verdict("I know nothing.").value is None
    True
    >>> extract_verdict("The door is closed.", "Is the door open?").value
    'no'
    """
    alone = fold(question_alone(question))
    return read_visible(answer, lambda text: _read(without_echo(text, question), alone))


def _read(answer: str, question: str) -> Reading[Verdict]:
    seen = own_words(answer)
    if re.search(r"\[[xX✓✔]\]|☑|☒", seen):
        seen = re.sub(r"\[[xX✓✔]\]|☒", "   ", words.UNTICKED.blank(seen))
    plain = strip_markup(seen, kept="$" if "$" in question else "")
    plain = words.RUNNER_UP.blank(words.PAIR.blank(plain))
    if words.CASES.search(plain):
        return AMBIGUOUS
    if alone := _hit(words.ALONE.match(plain)) or _hit(words.MARKS.match(plain)):
        return found(alone, "whole", answer)
    if number := _number(plain, question):
        return found(number, "whole", answer)
    if fields(seen):
        return _in_fields(seen, answer)
    return (
        last_tag(seen, plain, answer, lambda inside, _: _in_tag(inside, question))
        or _stated_last(plain, answer, question)
        or _in_text(plain, answer, question)
        or _existence(plain, answer, question)
        or decide(
            [hit for hit in (ticked(plain), part_of_all(plain, question)) if hit], "claim", answer
        )
        or NOTHING
    )


def _existence(plain: str, answer: str, question: str) -> Reading[Verdict] | None:
    """A Chinese "there is (not)", if the question is in another language and cannot be compared."""
    if any(is_cjk(char) for char in question):
        return None
    hit = _hit(words.CJK_EXISTENCE.match(plain, len(plain) - len(plain.lstrip())))
    return found(hit, "claim", answer) if hit else None


def _number(plain: str, question: str) -> Hit[Verdict] | None:
    """The verdict of a number alone, where the question names one: "Is it bus 42?"."""
    named = set(re.findall(r"(?<![\w.])\d+(?![\w.])", question))
    match = re.fullmatch(r"\W*(\d+)\W*", plain)
    if match is None or len(named) != 1:
        return None
    return Hit("yes" if match[1] in named else "no", *match.span(1))


def _in_fields(seen: str, answer: str) -> Reading[Verdict]:
    if likelier := words.likelier_field(seen):
        verdict = cast("Verdict", likelier.key)
        return found(Hit(verdict, likelier.start, likelier.end), "json", answer)
    hits = [
        Hit(hit.value, field.start, field.end)
        for field in result_fields(seen, lambda text: _opening(text, 0, len(text)) is not None)
        if (hit := _opening(field.text, 0, len(field.text)))
    ]
    return decide(hits, "json", answer) or NOTHING


def _in_tag(inside: str, question: str) -> Hit[Verdict] | Reading[Verdict] | None:
    hit = _opening(inside, 0, len(inside))
    claim = None if hit else _in_text(inside, inside, question)
    return hit or (claim if claim and claim.value else None)


def _stated_last(plain: str, answer: str, question: str) -> Reading[Verdict] | None:
    """The statement of the last lines, which no correction follows; most answers end with one."""
    last = last_stated(plain, plain, _calm)
    if last is None:
        return None
    start, calm, (first, end) = last
    sure = decided(" " * first + calm[first:end], question)
    return moved(_in_statements(sure, answer[start:], question), start)


def _calm(plain: str) -> str:
    """A text without asides, and without what looks like a verdict and is none."""
    # A question of one word ("No?") is left out too; "Really? Yes." is read.
    calm = words.NO_VERDICT.blank(without_asides(words.HEARSAY.blank(plain)))
    return blank_sentences(calm, words.WOULD_HAVE)


def _in_text(plain: str, answer: str, question: str) -> Reading[Verdict] | None:
    calm = _calm(plain)
    return settled(
        calm, lambda part, start, before: _in_settled(part, start, answer[before:], question)
    )


def _in_settled(part: str, start: int, answer: str, question: str) -> Reading[Verdict] | None:
    """The verdict of a part that begins at ``start``."""
    sure = decided(part, question)
    alone = [_hit(words.ALONE.match(part, first, last)) for first, last in lines(part)]
    paradox = [hit for match in words.PARADOX.finditer(part) if (hit := _hit(match))]
    if words.CONTRADICTION.search(part):
        return AMBIGUOUS
    result = (
        decide(paradox, "verdict", answer)
        or decide(untrue(sure, start, len(part), question), "claim", answer)
        or _in_statements(sure, answer, question)
        or decide([hit for hit in alone if hit], "line", answer)
        or _first(part, sure, start, answer, question)
        or _conclusion(sure, answer, question)
        or _last_paragraph(sure, answer)
        or _anywhere(sure, answer, question)
    )
    if result is not None:
        return result
    if cut_off(part):
        return _opening_claim(sure, start, answer, question)
    open_ends = [place for place, _ in undecided(part, question)]
    return _claims(sure, start, len(part), answer, question, undecided=max(open_ends, default=-1))


def _in_statements(plain: str, answer: str, question: str) -> Reading[Verdict] | None:
    """The last verdict right after "the answer is"; behind a colon a statement is compared too."""

    def read(mark: Mark) -> Hit[Verdict] | None:
        hit = _opening(plain, mark.start, mark.end)
        if hit or not plain[: mark.start].rstrip().endswith(":"):
            return hit
        return _last_claim(plain, mark.start, mark.end, question)

    return read_marks(statements(plain), read, plain, answer)


def _first(part: str, sure: str, start: int, answer: str, question: str) -> Reading[Verdict] | None:
    """A verdict at the beginning, also of "I can't be sure, but yes"."""
    for text in (part, sure):
        begin = start
        lead = re.compile(r"[\s.,;:!?]*(?:(?:but|however|though|yet)\b[\s,]*)?").match(text, begin)
        begin = lead.end() if lead else begin
        if text is not sure and UNDECIDED.match(text, begin):
            continue
        opinion = _OPINION.match(text, begin)
        hit = (
            _opening(text, begin, len(text))
            or elliptic(text, begin, question)
            or (elliptic(text, opinion.end(), question) if opinion else None)
        )
        rest = _hit(words.ALONE.match(text, hit.end)) if hit else None
        if hit and rest and rest.value != hit.value:
            return AMBIGUOUS
        if hit and re.match(r"\W{0,4}\bor\b", text[hit.end :]):
            return AMBIGUOUS
        # "No, I can't diagnose this" refuses.
        refusal = re.compile(r"[\s,.:;!—–-]*").match(text, hit.end) if hit else None
        if hit and refusal and hit.value == "no" and CANNOT.match(text, refusal.end()):
            return AMBIGUOUS
        if hit and _contradicted(text, hit.end, hit.value, question):
            return AMBIGUOUS
        if hit:
            return found(hit, "first verdict", answer)
    return None


def _contradicted(text: str, place: int, value: Verdict, question: str) -> bool:
    """Whether a later sentence says the contrary: "Yes, it is open. No, it is closed."."""
    for match in _NEXT_SENTENCE.finditer(text, place):
        start, end = match.end(), sentence_end(text, match.end(), len(text))
        later = _opening(text, start, end)
        if later.value != value if later else restates(text[start:end], question, text[:start]):
            values = {claim.value for claim in _claimed(text, start, end, question)}
            if values and value not in values:
                return True
    return False


def _conclusion(plain: str, answer: str, question: str) -> Reading[Verdict] | None:
    for place, last in reversed(concluded(plain)):
        first = predicate_start(plain, place)
        hit = _opening(plain, first, last) or ending(plain, first, last) if first == place else None
        hit = hit or _last_claim(plain, first, last, question)
        hit = hit or _last_echo(plain, first, last, question)
        if hit:
            return found(hit, "conclusion", answer)
    return None


def _last_echo(plain: str, start: int, end: int, question: str) -> Hit[Verdict] | None:
    """The last clause that says in words of the question whether it is so."""
    query = asked(question)
    if query is None:
        return None
    for begin, stop in reversed(clauses(plain, start, end)):
        clause = plain[begin:stop]
        holds = None if is_unsettled(clause, query) else Statement(clause, query).echoes()
        if holds is not None:
            return Hit("yes" if holds else "no", begin, stop)
    return None


def _last_paragraph(plain: str, answer: str) -> Reading[Verdict] | None:
    """A verdict with which the last of several paragraphs begins."""
    start = plain.rstrip().rfind("\n\n")
    hit = _hit(words.OPENING.match(plain, start)) if start >= 0 else None
    return found(hit, "verdict", answer) if hit else None


def _anywhere(plain: str, answer: str, question: str) -> Reading[Verdict] | None:
    """Verdicts within the text."""
    for pattern in (words.IDIOM, words.TOKEN):
        hits = [
            hit
            for match in pattern.finditer(plain)
            if (hit := _hit(match)) and not is_predicate(plain, match, question)
        ]
        if hits and _contradicted(plain, 0, hits[-1].value, question):
            return AMBIGUOUS
        if hits:
            return decide(hits, "verdict", answer)
    sentences = () if plain.isascii() else _SENTENCE.finditer(plain)
    openings = [
        hit
        for match in sentences
        if (
            hit := _cjk_opening(plain, match.start(), len(plain))
            or _hit(words.MARKS.match(match[0], match.start()))
        )
    ]
    return decide(openings, "verdict", answer)


def _opening_claim(plain: str, start: int, answer: str, question: str) -> Reading[Verdict] | None:
    """The claim of the first sentence of a text that breaks off, where none contradicts it."""
    claims = _claimed(plain, start, len(plain), question)
    first = start + len(plain[start:]) - len(plain[start:].lstrip())
    opening = [hit for hit in claims if hit.start < sentence_end(plain, first, len(plain))]
    return decide(claims, "claim", answer) if opening else None


def _claims(
    plain: str, start: int, end: int, answer: str, question: str, *, undecided: int
) -> Reading[Verdict] | None:
    # "A man in a suit. It can't be determined who he is." decides nothing.
    hits = [hit for hit in _claimed(plain, start, end, question) if hit.start > undecided]
    if undecided >= 0 and hits and not _turns(plain, undecided, hits):
        return AMBIGUOUS
    if not hits and undecided < 0:
        hits = bare_claims(plain, start, end, question)
        hits = hits or foreign_claims(plain, start, end, question)
    if not hits and undecided < 0:
        last_sentence = sentence_start(plain, max(0, len(plain.rstrip()) - 2))
        said = ending(plain, last_sentence, end) or _last_echo(plain, last_sentence, end, question)
        before = None if said else _last_echo(plain, start, last_sentence, question)
        # What was denied stays so: "I see no boats at the jetty. It is empty."
        hits = [hit for hit in (said, before) if hit and (hit is said or hit.value == "no")]
    if not hits:
        return None
    spans = [*concluded(plain), *after(plain, _CONCLUSION)]
    last = [hit for hit in hits if any(first <= hit.end <= stop for first, stop in spans)]
    if len({hit.value for hit in hits}) > 1:
        some = [hit for hit in hits if hit.value == "yes"] if asks_of_any(question) else []
        hits = some[:1] or last[-1:] or _closest(plain, hits, question)
    return decide(hits, "claim", answer)


def _turns(plain: str, undecided: int, hits: list[Hit[Verdict]]) -> bool:
    """Whether an answer that begins by saying that it cannot decides: "hard to tell, but"."""
    begin = sentence_end(plain, undecided, len(plain))
    if plain[: sentence_start(plain, undecided)].strip():
        return True
    return _TURN.search(plain, undecided, begin + 20) is not None or any(
        _SEEMS.search(plain, hit.start, hit.end) for hit in hits
    )


def _closest(plain: str, hits: list[Hit[Verdict]], question: str) -> list[Hit[Verdict]]:
    """Of clauses those with most words of the question: "a knife block" is not "on the board"."""
    asked_for = content_words(question)
    shared = [len(content_words(plain[hit.start : hit.end]) & asked_for) for hit in hits]
    return [hit for hit, number in zip(hits, shared, strict=True) if number == max(shared)]


def _claimed(plain: str, start: int, end: int, question: str) -> list[Hit[Verdict]]:
    return [*compared(plain, start, end, question), *compared_cjk(plain, start, end, question)]


def _last_claim(plain: str, start: int, end: int, question: str) -> Hit[Verdict] | None:
    hits = compared_cjk(plain, start, end, question)
    hits = hits or compared(plain, start, end, question, last=True)
    return hits[-1] if hits else None


def _opening(plain: str, start: int, end: int) -> Hit[Verdict] | None:
    return (
        _hit(words.OPENING.match(plain, start, end))
        or _cjk_opening(plain, start, end)
        or _hit(words.MARKS.match(plain, start, end))
    )


def _cjk_opening(plain: str, start: int, end: int) -> Hit[Verdict] | None:
    return _hit(words.CJK_OPENING.match(plain, start, end)) if has_cjk(plain) else None


def _hit(match: re.Match[str] | None) -> Hit[Verdict] | None:
    if match is None:
        return None
    value: Verdict = "yes" if match["yes"] else "no"
    return Hit(value, *match.span(value))
