"""Extract a number from text."""

from __future__ import annotations

import re

from chef.reading.breaks import cut_off
from chef.reading.echo import question_alone, without_echo
from chef.reading.excerpt import read_visible
from chef.reading.fields import fields, result_fields
from chef.reading.latex import plain_math
from chef.reading.marks import concluded, last_stated, last_statements, last_tag, statements
from chef.reading.number_choice import chosen, stated_number
from chef.reading.number_context import Role, candidates
from chef.reading.number_forms import Number, numbers_in, whole_number
from chef.reading.number_phrases import APPOSED, COMPARING
from chef.reading.number_relations import is_beside
from chef.reading.passage import own_words, settled, without_beside
from chef.reading.patterns import Pattern
from chef.reading.questions import asks_for_count, content_words, counted_words
from chef.reading.text import (
    AMBIGUOUS,
    NOTHING,
    Hit,
    Reading,
    decide,
    fold,
    found,
    sentence_end,
    sentence_start,
    strip_markup,
    strip_reasoning,
)

#: In characters.
_FAR = 200
#: "I can't see any dogs" says that there are no dogs, "I can't see any image" refuses.
_UNSEEN = Pattern(
    r"\b(?:can't|cannot|can\s+not|couldn't|unable\s+to)\s+(?:see|find|spot|detect|make\s+out)\s+"
    r"(?:any|a\s+single)\b(?!\s+(?:image|picture|photo|attach|file))",
    among=("an't ", "annot ", "an not ", "ouldn't ", "nable to "),
)
_UNKNOWN = Pattern(
    r"(?:(?:\bnot|\bim|n't\s|\bhard\b)\s?(?:possible)?\s?to|\bcan(?:'t|\s?not))\s+"
    r"(?:say|tell|count|determine|know)\s+(?:exactly\s+|for\s+sure\s+)?(?:how\s+many\b|which\s+(?:is|one|it)\b)"
    r"|\bhow\s+many\s+(?:(?!(?:of|ones)\b)\w+\s+){0,3}there\s+are\b[^.,;!?\n]{0,30}?"
    r"\b(?:can(?:not|'t|\s+not)|could(?:n't|\s+not)|is\s+(?:un\w+|hidden))\b",
    needs="how which",
)
#: "Of the people who sit, how many are smiling?"
_OF_SOME = re.compile(
    r"\A\W*of\s+(?:all\s+)?the\s+([^,?\n]{1,80}),\s*how\s+many(\s+(?:are|is|were|have|has|do|can)\b)",
    re.IGNORECASE,
)
#: A sentence of some words.
_PROSE = re.compile(r"\W*[^\W\d]+(?:\W+\w+){2,}")
#: In words: a sentence that only concludes.
_SHORT = 5
#: "So the ratio is 16 (that is, 16 : 1)."
_IN_BRACKETS = re.compile(r"(?<=\w)\s\([^()\n]*\)")
#: A last word or two in bold.
_BOLD_LAST = re.compile(r"\*\*([^*\n]{1,40})\*\*(?:\s+[^\W\d]+){0,3}[\s.!)]*\Z")
_LONGEST_BOLD = 120
#: "Subtotal: 112.80" and below it "(The total of 121.82 includes tax.)"
_LAST_ASIDE = re.compile(r"\n[ \t\r]*\([^()\n]{1,300}\)[ \t\r\n]*\Z")
_SUM = re.compile(r"\b(?:total|all|altogether|sum|or|at\s+least|more)\b", re.IGNORECASE)
#: "1{,}000" and "6{,}50" in LaTeX.
_GROUPING = re.compile(r"(?<=\d)\{(?=,\}\d)|(?<=\{,)\}(?=\d)|(?<=\d)\\[,!;](?=\d{3})")
_EDGES_LEFT, _EDGES_RIGHT = " \t\n,;:!?\"'([=≈~$€£¥≅#|", " \t\n.,;:!?\"')]%€$£|"
_LEAD = re.compile(
    r"(?:about|around|approximately|approx\.?|roughly|exactly|nearly|almost|circa|ca\.|only|just"
    r"|some|at\s+least"
    r"|no\.|nr\.|n°|№|[x×](?=\d)|大约|大概|约|一共|共)\s*",
    re.IGNORECASE,
)


def as_number(text: str) -> float | None:
    """The value of a text that is a number and nothing else; None for any other text.

    >>> as_number(" 1,000. "), as_number("three"), as_number("3 dogs")
    (1000, 3, None)
    """
    number = _whole(strip_markup(plain_math(strip_reasoning(text))))
    return number.value if number else None


def extract_number(answer: str, question: str = "") -> Reading[float]:
    r"""The number that an answer gives.

    Digits ("3.", "1,000", "-2", "1/2"), words ("twenty-one", "a dozen", "八", "세 마리", "sieben")
    and "no circles" (0) are read. Of a correction ("3, no wait, 4") the last part counts. Then the
    first of these rules decides:

    1. ``whole``: the answer is a number.
    2. ``json``: the value of "answer", "total", "count" and the like, or the only value.
    3. ``tagged``: the last number in ``\boxed{}`` or ``<answer>``.
    4. ``statement``: after "the answer is".
    5. ``restated``: the only one of the clauses that repeat a question which asks for no count.
    6. ``question``: the number in whose clause most words of the question occur.
    7. ``total``: after "a total of", "=", "so", "i.e."; before "in total"; in bold at the end.
    8. ``sum``: the number that is the sum of the others; the last one of an enumeration.
    9. ``only number``: the only one, if years, labels, parts ("2 of them") and numbers in
       parentheses do not count, unless there are only such numbers.
    10. ``list``: the length of a numbered list; ``a thing``: 1 for "there is a cat".

    Different numbers without such a decision are ambiguous, because "2 red and 1 blue" might mean
    3. So are "2 or 3" and "more than 3".

    Args:
        answer: the model's text.
        question: what was asked; it tells which of several numbers is the answer.

    Returns:
        An int if the value is whole, otherwise a float; None if the text cannot be read.

    >>> extract_number("I count three red circles.").value
    3
    >>> extract_number("two or three").rule
    'ambiguous'
    >>> extract_number("2 cats and 3 dogs", "How many dogs are there?").value
    3
    """
    alone = fold(question_alone(question))
    return read_visible(
        answer,
        also=_GROUPING if "\\" in answer or "{" in answer else None,
        read=lambda text: _read(
            without_echo(text, question),
            _OF_SOME.sub(r"how many of the \1\2", alone).replace("°C", "° Celsius"),
        ),
    )


def _read(answer: str, question: str) -> Reading[float]:
    seen = own_words(answer)
    plain = APPOSED.sub(lambda match: " is".ljust(len(match[0])), strip_markup(seen))
    plain = _LAST_ASIDE.sub(_without_aside, plain)
    plain = _UNSEEN.sub(lambda match: "none".rjust(len(match[0])), plain)
    whole = _whole(plain, question)
    if whole is not None:
        if whole.form == "fraction" and asks_for_count(question) and whole.value < 1:
            return AMBIGUOUS
        return found(Hit(whole.value, whole.start, whole.end), "whole", answer)
    return (
        _in_fields(seen, answer, question)
        or last_tag(seen, plain, answer, lambda inside, shown: _in_tag(inside, shown, question))
        or _in_bold(seen, plain, answer)
        or _stated_last(plain, answer, question)
        or _on_last_line(plain, answer, question)
        or _in_text(plain, answer, question)
        or NOTHING
    )


def _without_aside(match: re.Match[str]) -> str:
    """Blanks for a last paragraph in brackets behind one with a number."""
    is_aside = any(char.isdigit() for char in match.string[: match.start()])
    return "\n" + " " * (len(match[0]) - 1) if is_aside else match[0]


def _whole(plain: str, question: str = "") -> Number | None:
    """The number that is the whole text, after words such as "about"."""
    # Repeated answers ("5 5 5") are one.
    parts = plain.split(None, 2)
    repeated = len(parts) > 1 and parts[0] == parts[1] and len(set(plain.split())) == 1
    text = parts[0] if repeated else plain.lstrip(_EDGES_LEFT)
    start = plain.find(text) if text else 0
    for _ in range(2):
        lead = _LEAD.match(text)
        if lead:
            start += lead.end()
            text = text[lead.end() :]
    text = text.rstrip(_EDGES_RIGHT)
    if text.lower() in ("no", "nil", "nada", "нет", "无"):
        return Number(0, start, start + len(text), "zero")
    if re.fullmatch(r"\d+(?:\.\d+)?\s?[x×]", text):
        text = text[:-1].rstrip()
    number = whole_number(text, question)
    if number is None:
        return None
    return Number(number.value, start, start + len(text), number.form)


def _in_fields(seen: str, answer: str, question: str) -> Reading[float] | None:
    """The value of a field of JSON; a text of JSON without one has no number."""
    hits: list[Hit[float]] = []
    named = [f for f in fields(seen) if counted_words(question) & content_words(f.key)]
    results = result_fields(seen, lambda text: _in_value(text) is not None) or named
    for field in results:
        value = _in_value(field.text)
        if value is not None:
            hits.append(Hit(value, field.start, field.end))
    if hits:
        return decide(hits, "json", answer)
    if re.fullmatch(
        r"\s*(?:`{3}\w*\s*|<\w+>\s*)?[\[{].*[\]}]\s*(?:`{3}|</\w+>)?\s*", seen, re.DOTALL
    ):
        return AMBIGUOUS if re.search(r'"\s*:', seen) else None
    return None


def _in_value(text: str) -> float | None:
    """The only number in the value of a field: "3 dogs"."""
    whole = _whole(text)
    if whole is not None:
        return whole.value
    values = {c.value for c in candidates(text) if c.role >= Role.OPEN}
    return values.pop() if len(values) == 1 else None


def _in_tag(inside: str, shown: str, question: str) -> Hit[float] | Reading[float] | None:
    if re.search(r"\\(?:pi|sqrt)|[π√]", shown):
        return AMBIGUOUS
    whole = _whole(inside, question)
    if whole:
        return Hit(whole.value, whole.start, whole.end)
    return _in_text(inside, inside, question)


def _stated_last(plain: str, answer: str, question: str) -> Reading[float] | None:
    """The statement of the last lines, which no correction follows; most answers end with one."""
    end = len(plain.rstrip())
    closing = _closing(plain, sentence_start(plain, max(0, end - 1)), answer, question)
    last = None if closing else last_stated(plain, plain, without_beside, "comma")
    if last is None:
        return closing
    start, spoken, (first, end) = last
    text = plain[:start] + " " * first + spoken[first:end]
    return _stated(text, start + first, answer, question)


def _in_bold(seen: str, plain: str, answer: str) -> Reading[float] | None:
    """The number in bold with which an answer ends, the only one so of its sentence, which speaks
    of no total: "the median is the 5th one: **35**".
    """
    match = _BOLD_LAST.search(seen, max(0, len(seen) - _LONGEST_BOLD))
    if match is None:
        return None
    start = sentence_start(plain, match.start())
    numbers = list(numbers_in(plain[match.start(1) : match.end(1)]))
    lead = plain[start : match.start()]
    if "**" in seen[start : match.start()] or len(lead.split()) < _SHORT or _SUM.search(lead):
        return None
    if len(numbers) != 1 or plain[match.start(1) : match.start(1) + numbers[0].start].strip(" $€£"):
        return None
    number = numbers[0]
    hit = Hit(number.value, match.start(1) + number.start, match.start(1) + number.end)
    return found(hit, "total", answer)


def _on_last_line(plain: str, answer: str, question: str) -> Reading[float] | None:
    """The number that stands alone below prose that states none, and no line does before."""
    lines = plain.rstrip().split("\n")
    before = [line for line in lines[:-1] if line.strip()]
    number = _whole(lines[-1], question)
    if not before or number is None or number.form != "digits":
        return None
    start = plain.rstrip().rfind("\n") + 1
    prose = plain[:start]
    if len(before[-1].split()) < _SHORT or any(_whole(line, question) for line in before):
        return None
    if _stated(prose, 0, prose, question):
        return None
    return found(Hit(number.value, start + number.start, start + number.end), "statement", answer)


def _in_text(plain: str, answer: str, question: str) -> Reading[float] | None:
    """The number of the last part of a text that corrects itself."""
    return settled(
        without_beside(plain),
        lambda part, _, before: _in_settled(part, answer[before:], question),
        no="comma",
    )


def _in_settled(part: str, answer: str, question: str) -> Reading[float] | None:
    # What is stated last counts: what comes before is read only if nothing is stated there.
    line, sentence = last_statements(part), sentence_start(part, len(part.rstrip()) - 1)
    for start in dict.fromkeys((max(line, sentence), line, 0)):
        result = _stated(part, start, answer, question)
        if result is not None:
            return result
    if first := _opening(part, answer, question):
        return first
    result = chosen(part, candidates(part, question), answer, question)
    if result is None or result.rule == "total" or not cut_off(part):
        return result
    # What comes before the end of a text that is cut off are only parts of its reasoning, unless
    # it opens with a statement, or all that is asked is said before a colon.
    start, end = result.span or (0, 0)
    is_opening = 0 < end <= sentence_end(part, 0, len(part)) and result.rule == "restated"
    clause = part[sentence_start(part, start) : max(0, part.find(":", end))]
    is_whole = bool(question) and content_words(question) <= content_words(clause)
    return result if is_opening or is_whole else AMBIGUOUS


def _opening(part: str, answer: str, question: str) -> Reading[float] | None:
    """The number that is all of the first sentence, before prose: "5. The guests scored 3."."""
    start = len(part) - len(part.lstrip())
    end = sentence_end(part, start, len(part))
    number = _whole(part[start:end], question)
    lines = [line for line in part[end:].strip(" .!").split("\n") if line.strip()]
    if number is None or number.form == "zero" or part[start] in ",;":
        return None  # "No. There are three."
    if not lines or any(map(_whole, lines)) or not _PROSE.match(lines[0]):
        return None
    if number.value == 1 and number.form == "digits":
        return None  # "1. A dog"
    return found(Hit(number.value, start + number.start, start + number.end), "statement", answer)


def _closing(text: str, start: int, answer: str, question: str) -> Reading[float] | None:
    """What a short last sentence says of how many there are: "So ten blocks.", "I can't tell"."""
    if _UNKNOWN.search(text[start:]):
        return AMBIGUOUS
    begins = concluded(text[start:])
    begin = start + begins[0][0] if begins else len(text)
    closing = _IN_BRACKETS.sub(lambda match: " " * len(match[0]), text[begin:])
    if not 0 < len(closing.split()) <= _SHORT:
        return None
    numbers = candidates(text[:begin] + closing, question, begin)
    counts = [c for c in numbers if c.role is Role.COUNT and not COMPARING.match(c.after)]
    if any(is_beside(c, question) for c in counts):
        return None  # "which makes 14 pieces of fruit"
    return found(counts[0].hit, "statement", answer) if len(counts) == 1 else None


def _stated(text: str, start: int, answer: str, question: str) -> Reading[float] | None:
    """The number of the last statement behind a place."""
    marks = statements(text, start)
    numbers = candidates(text, question, _reach(text, marks[0].start)) if marks else []
    return stated_number(text, numbers, marks, answer)


def _reach(text: str, place: int) -> int:
    """Where a word begins so far before a place that nothing before it matters there."""
    return text.rfind(" ", 0, max(0, place - _FAR)) + 1
