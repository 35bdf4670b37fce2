"""Choose between the numbers of an answer: totals, sums, and what the question asks about."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from chef.reading.lexicon import alternation, word_list, word_rows
from chef.reading.marks import Mark, concluded, read_marks
from chef.reading.number_context import Candidate, Role
from chef.reading.number_phrases import COMPARING
from chef.reading.number_relations import (
    as_share,
    asks_for_part,
    counted_with,
    counting_up,
    difference,
    fitting,
    in_turn,
    in_unit,
    is_beside,
    is_general,
    labelled,
    lacks_difference,
    names_in,
    rounding,
    sum_of_others,
    within_range,
)
from chef.reading.number_years import day_asked, of_year, same_value, year_asked
from chef.reading.patterns import Pattern
from chef.reading.questions import (
    asks_for_count,
    content_words,
    count_terms,
    counted_noun,
    counted_words,
    landmarks,
    predicate_words,
)
from chef.reading.restated import restating
from chef.reading.text import AMBIGUOUS, Hit, Reading, found, sentence_end, sentence_start
from chef.reading.unnumbered import compound, listed, single_thing

_OF_WHAT = r"(?:\s{1,3}of\s{1,3}[\w ]{1,40}?)?"
#: The total, or the result, comes after these.
_TOTAL = Pattern(
    r"\b(?=\w)(?:(?<!out of a )(?<!from the )(?<!from a )(?<!of a )(?<!of the )"
    rf"(?:grand\s+)?(?:total|sum)\b(?:\s{{1,3}}(?:number|count|comes\s+to"
    rf"|amounts\s+to){_OF_WHAT}|(?:\s{{1,3}}[^\W\d]+){{1,3}}(?=\s*[:=]))?"
    r"[\s|*]*(?:of\b|is\b|are\b|was\b|[:=|])\s*"
    rf"|\b(?:count|number|tally|result|height|length|value|amount|distance|price|area|difference"
    rf"|ratio|product|average|mean|median|percentage|probability|volume|perimeter)\b"
    rf"{_OF_WHAT}\s*(?:is\b|are\b|was\b|comes\s+to\b|[:=])\s*"
    r"|\b(?:in\s+(?:total|all)|altogether|overall|all\s+together|put\s+together|taken\s+together"
    r"|together|combined)\b\s*(?:,|:|that's|that\s+is|that\s+makes|there\s+are|it's|we\s+have"
    r"|I\s+(?:count|see)|(?=\s*[$€£]?\d))"
    r"|\b(?:add(?:s|ing)?\s+(?:\w+\s+){0,3}?up(?:\s+(?:to|we\s+get|gives))?|add\s+up\s+to"
    r"|total(?:s|l?ing)|sums?\s+(?:up\s+)?to|amounts?\s+to|comes?\s+to"
    r"|bringing\s+(?:\w+\s+){1,3}to|(?<=,\s)i\.e"
    r"|makes(?!\s+up)(?:\s+it)?|making(?:\s+it)?|leaves?|leaving|gives(?:\s+us)?|giving|which\s+is|equals|yields?"
    r"|remains?|(?<=it\s)must\s+be|round(?:s|ed|ing)(?!(?:\s+(?:up|down|off))?\s+from\b))\b"
    r"|\b(?:en\s+total|au\s+total|en\s+tout|insgesamt|zusammen|in\s+tutto|in\s+totale|al\s+total"
    r"|ao\s+todo|no\s+total|всего|итого)\b)",
    asian=lambda: (
        r"一共|总共|總共|共(?:计|有)?|合计|合計|总计|加起来|总数|全部で|全部|計|모두|총|합계|해서"
    ),
    needs="which is | total | sum | count | number | tally | result | height | length | value |"
    " amount | distance | price | area | difference | ratio | product | average | mean |"
    " median | percentage | probability | volume | perimeter | all | altogether | overall |"
    " together | combined | up | totals | totaling | totalling | sums | amounts | comes |"
    " come | bringing | makes | making | leaves | leaving | gives | giving | equals | yields |"
    " yield | rounds | rounded | rounding | remains | remain | must be | i e | add | adds |"
    " adding | insgesamt | zusammen | tout | tutto | totale | todo | всего | итого",
    cjk=True,
    inside=True,
)
#: "El total que aparece en el ticket es de", "Die Summe beträgt"
_TOTAL_IS = Pattern(
    lambda: (
        rf"\b(?:{'|'.join(word_list('totals'))})\b[^.;:!?\n\d]{{0,50}}?(?<!\w){alternation(word_rows('amounting'))}\s*"
    ),
    needs=lambda: word_list("totals"),
)
_EQUALS = Pattern(r"[=≈⇒→∴]|=>|->", signs=("=", "≈", "⇒", "→", "∴", "->"))
#: The end of a calculation: "2 × 13 =".
_RESULT = re.compile(r"\d\s*(?:[°%]\s*)?[)]?\s*[+×÷*·/-]\s*[(]?\s*\d[^=\n]{0,40}[=≈]\s*[$€£]?\Z")
_OTHER = re.compile(r"\bothers?\b", re.IGNORECASE)
_LABEL_ASKED = re.compile(
    r"\b(?:which|what)(?:'s|\s+is)?(?:\s+the)?\s+(?:(?:jersey|shirt|house|room|flight|plate|page|bus|bib|gate|seat|track)\s+)?number\b(?!\s+of\s+(?!the\b|this\b|that\b|an?\b))",
    re.IGNORECASE,
)
_IS = re.compile(r"(?:[=≈]|\bis)\s*\Z")
IN_TOTAL = Pattern(
    r"\b(?:in\s+total|altogether|overall|in\s+all|all\s+told|total\b(?=\s*(?:[.,!)\n]|\Z))"
    r"|en\s+total|au\s+total|en\s+tout|insgesamt|in\s+tutto|in\s+totale|ao\s+todo|no\s+total)\b",
    needs="total altogether overall all tout insgesamt tutto totale todo",
)
#: Between a number and the total that it is: "7 dogs in total: 3 ..."; a pause would part them.
_TOTAL_OF = re.compile(r"(?!.*\b(?:each|more|others?)\b)[^.,;:!?()\n\u2013\u2014|=+]{0,40}")
_OPERATOR = re.compile(r"\s*(?:[+×÷*/⁄^]|-\s|−|x(?=\s*\d))\s*\(?\s*[\d.]")


def stated_number(
    plain: str, found_numbers: Sequence[Candidate], marks: Sequence[Mark], answer: str
) -> Reading[float] | None:
    """The number of the last sentence that states the answer (``marks``), if there is one."""

    def read(mark: Mark) -> Hit[float] | Reading[float] | None:
        end = sentence_end(plain, mark.start, mark.end)
        inside = [c for c in found_numbers if mark.start <= c.number.start < end]
        inside = [c for c in inside if c.role is not Role.DROPPED]
        usable = [c for c in inside if c.role > Role.PART] or inside
        counts = [c for c in usable if c.role is not Role.LABEL] or usable
        if not counts:
            return None
        counts = [*in_unit(counts, counts[0].question)]
        equal = [c for c in counts if re.search(r"[=≈]\s*\Z", plain[mark.start : c.number.start])]
        number = equal[-1] if equal else counts[0]
        return AMBIGUOUS if number.role is Role.OPEN else number.hit

    return read_marks(marks, read, plain, answer)


def chosen(
    plain: str, found_numbers: Sequence[Candidate], answer: str, question: str
) -> Reading[float] | None:
    """The number that the other rules choose in a text without markup; None without numbers."""
    label = (
        labelled(found_numbers, question)
        or in_turn(found_numbers, question)
        or counted_with(found_numbers, question)
    )
    found_numbers = of_year(fitting(found_numbers, question), question)
    found_numbers = in_unit(as_share(found_numbers, question), question)
    if first := label or _restated(plain, found_numbers, question):
        return found(first.hit, "question" if label else "restated", answer)
    total = _total(plain, found_numbers, question)
    if total and total is found_numbers[-1] and _concludes(total, found_numbers, question):
        return found(total.hit, "total", answer)
    if result := rounding(found_numbers, question) or difference(found_numbers, question):
        return found(result.hit, "total", answer)
    if lacks_difference(found_numbers, question):
        return AMBIGUOUS
    if day := year_asked(found_numbers, question) or day_asked(found_numbers, question):
        return found(day.hit, "question", answer)
    return _counted(plain, found_numbers, total, answer, question)


def _restated(plain: str, numbers: Sequence[Candidate], question: str) -> Candidate | None:
    """The only number of the clauses that repeat a question which asks for no count."""
    if asks_for_count(question):
        return None
    spans = restating(plain, question)
    news = _new(numbers, question) if spans else ()
    inside = [c for c in news if any(start <= c.number.start < end for start, end in spans)]
    if inside and any(c.role is not Role.GIVEN for c in reversed(news)):
        inside = [c for c in inside if c.role is not Role.GIVEN]
    counts = [c for c in inside if c.role is Role.COUNT]
    return counts[0] if counts and same_value(counts) and len(counts) == len(inside) else None


def _counted(
    plain: str,
    found_numbers: Sequence[Candidate],
    total: Candidate | None,
    answer: str,
    question: str,
) -> Reading[float] | None:
    """The number that the question asks for, the total, or the sum."""
    # Labels count where there is nothing else; roles are judged only as far as they matter.
    labels = _LABEL_ASKED.search(question) and any(c.role is Role.LABEL for c in found_numbers)
    usual = not labels and any(c.role > Role.LABEL for c in reversed(found_numbers))
    floor = Role.LABEL if usual else Role.DROPPED
    counts: Sequence[Candidate] = found_numbers
    if floor is Role.DROPPED:
        counts = [c for c in counts if c.role > floor and not (labels and c.noun)]
        if not counts or asks_for_count(question):
            return (
                listed(plain, answer, question)
                or (compound(counts, answer) if counts else single_thing(plain, answer, question))
            )  # fmt: skip
    if not asks_for_count(question):
        counts = _new([c for c in counts if c.role > floor], question)
        # The question gives "10 %", and "the two bars".
        counts = [c for c in counts if c.role is not Role.GIVEN] or counts
    run = counting_up(counts, floor, plain)
    if run and plain.rstrip().endswith((",", "、", "，")):
        return AMBIGUOUS  # the counting breaks off
    before = {c.place for c in run[:-1]}
    counts = [c for c in counts if c.place not in before]
    best = _asked(counts, floor, question)
    if total in best and asks_for_part(total, counts, question):
        best.remove(total)
    if total and total.role is Role.COUNT and _sums_up(plain, total, counts, question):
        return found(total.hit, "total", answer)
    fitting = {c.place for c in best}
    others = (c for c in counts if c.place not in fitting and c.role > floor)
    if same_value(best) and best[0].role is not Role.OPEN and any(others):
        return found(best[-1].hit, "question", answer)
    if total:  # it counts something else, but nothing counts what is asked for
        return AMBIGUOUS if total.role is Role.OPEN else found(total.hit, "total", answer)
    summed = (
        sum_of_others(best, floor) or sum_of_others(counts, floor) or (run[-1] if run else None)
    )
    return found(summed.hit, "sum", answer) if summed else _only(best, counts, answer, question)


def _new(numbers: Sequence[Candidate], question: str) -> Sequence[Candidate]:
    """Some numbers without those whose digits the question has, unless it has all."""
    digits = set(re.findall(r"\d+(?:\.\d+)?", question))
    return [c for c in numbers if str(c.value) not in digits] or numbers


def _concludes(total: Candidate, numbers: Sequence[Candidate], question: str) -> bool:
    """Whether a total that comes last is what a derivation leads to: words of the question stand in
    its conclusion, and no number before it among all of them.
    """
    terms = content_words(question)
    if asks_for_count(question) or total.role is not Role.COUNT or COMPARING.match(total.after):
        return False
    start = max((c[0] for c in concluded(total.plain) if c[0] <= total.number.start), default=0)
    lead = total.plain[start : total.number.start]
    if terms.isdisjoint(content_words(lead)) or _OTHER.search(lead):
        return False
    return not any(terms <= c.zone and c.role > Role.LABEL for c in numbers)


def _only(
    counts: Sequence[Candidate], others: Sequence[Candidate], answer: str, question: str
) -> Reading[float]:
    """The only number of the highest role; of a range the only one of ``others`` inside."""
    if inside := within_range(counts, others):
        return found(inside.hit, "only number", answer)
    exact = [c for c in counts if c.role is Role.COUNT]
    if all(c.number.form == "one" and is_beside(c, question) for c in exact or counts):
        return AMBIGUOUS  # "Soft light comes from one side."
    if any(c.role is Role.OPEN for c in counts) and not same_value(exact):
        return AMBIGUOUS
    best = exact or counts
    # "6 dogs. No cats are there." speaks of none of another thing.
    return found(best[-1].hit, "only number", answer) if same_value(best) else AMBIGUOUS


def _asked(numbers: Sequence[Candidate], floor: Role, question: str) -> list[Candidate]:
    """Of the numbers above a role those whose clauses have most content words of the question."""
    if not content_words(question):
        return [c for c in numbers if c.role > floor]
    # Those that count what is asked for come first, so that most others need not be looked at.
    counting = [c for c in numbers if _is_counted(c, question, hopeful=True)]
    best, most = _best(counting, floor, question)
    if not (most and most[0]):
        best, _ = _best(numbers, floor, question)
    return sorted(best, key=lambda c: c.place)


def _best(
    numbers: Sequence[Candidate], floor: Role, question: str
) -> tuple[list[Candidate], tuple[int, ...]]:
    """Of the numbers above a role those with the highest score, and the score."""
    hopes = [(_score(c, question, hopeful=True), c) for c in numbers]
    best: list[Candidate] = []
    most: tuple[int, ...] = ()
    for hope, number in sorted(hopes, key=lambda pair: pair[0], reverse=True):
        if hope < most:
            break
        score = _score(number, question) if number.role > floor else ()
        if score > most:
            most, best = score, [number]
        elif score and score == most:
            best.append(number)
    return best, most


def _is_counted(number: Candidate, question: str, *, hopeful: bool) -> bool:
    """Whether a number counts what a question asks to count, or may where its role is not told."""
    asked, head, _ = count_terms(question)
    if not head:
        return False
    if number.bare or not head.isdisjoint(number.noun):
        return True
    # "2 red ones" are apples too, if red apples are asked for; "the two events" are no years.
    named = bool(number.noun) and number.noun[0] in asked - head - landmarks(question)
    return named and (hopeful or number.role is not Role.GIVEN)


def _sums_up(plain: str, total: Candidate, counts: Sequence[Candidate], question: str) -> bool:
    """Whether a total comes last and counts what the question asks for, or is the sum."""
    if any(c.place > total.place and c.role is Role.COUNT for c in reversed(counts)):
        return False
    counts = [c for c in counts if c.role > Role.LABEL]
    before = plain[: total.number.start][-80:]
    is_chain = "=" in plain[total.number.start : total.number.end]
    is_fraction = total.number.form == "fraction" and _IS.search(before)
    result = _RESULT.search(before) or is_fraction or is_chain
    if result and not asks_for_count(question):
        return True
    head = counted_words(question)
    parts = [c for c in counts if c.number.start < total.number.start]
    is_sum = len(parts) > 1 and sum(c.value for c in parts) == total.value
    # "9 cars in total: 4 red", "red: 4, blue: 5, total: 9": red ones are asked for, while
    # "4 red and 5 blue cars. Total: 9" is of all cars.
    if asks_for_part(total, counts, question):
        return False
    named = (head - total.zone - set(total.noun)) & {word for c in counts for word in c.noun}
    is_whole = named <= {counted_noun(question)} or IN_TOTAL.search(question)
    if is_sum and (is_whole or any(c.bare for c in parts)):
        return True
    return not named and bool(head) and (total.bare or not head.isdisjoint(total.noun))


def _score(number: Candidate, question: str, *, hopeful: bool = False) -> tuple[int, ...]:
    """How well a number fits the question; if ``hopeful``, the most that its role allows."""
    asked, head, phrase = count_terms(question)
    zone = own = number.zone & asked
    names = bool(head & set(number.noun))
    # "one white" is a dog, if white dogs are asked for.
    noun = counted_noun(question)
    if names and noun and number.noun[0] in head and noun not in zone:
        zone = zone | {noun}
    direct = _is_counted(number, question, hopeful=hopeful)
    if direct and not names:
        zone = zone | head
    # In "2 of them are men, 1 is a woman" only one part is named by the question.
    is_whole = hopeful or bool(own) or number.role > Role.PART
    traits = len(zone & predicate_words(question)) if head else 0
    traits += sum(word.endswith("est") for word in zone)  # "81 is the highest"
    return direct, names_in(number, question), traits, len(zone & phrase), len(zone), is_whole


def _total(plain: str, numbers: Sequence[Candidate], question: str) -> Candidate | None:
    """The last total: the first number after its mark, or the last before "in total"."""
    hits: list[Candidate] = []
    starts = [c.number.start for c in numbers]
    ends: list[tuple[int, bool]] = []
    for match in (*_TOTAL.finditer(plain), *_TOTAL_IS.finditer(plain)):
        if is_general(plain, match.start()):
            continue
        first = bisect_left(starts, match.start())
        led = _led(plain, match, numbers[max(0, first - 1) : first])
        after = numbers[bisect_left(starts, match.end()) :][:1]
        if led and after and led.value >= after[0].value:
            hits.append(led)
        else:
            ends.append((match.end(), True))
    ends += [(start, True) for start, _ in concluded(plain)]
    ends += [(match.end(), False) for match in _EQUALS.finditer(plain)]
    for start, is_said in ends:
        end = sentence_end(plain, start, min(len(plain), start + 120))
        inside = numbers[bisect_left(starts, start) : bisect_left(starts, end)]
        if inside and (
            COMPARING.match(inside[0].after) or _OTHER.search(plain, start, inside[0].number.start)
        ):
            continue
        usable = [c for c in inside if c.role >= Role.OPEN] or [
            c for c in inside if c.role > Role.LABEL
        ]
        news = usable if asks_for_count(question) else _new(usable, question)
        if news and (is_said or _is_result(plain, start, news[0])):
            hits.append(_last_equal(plain, news))
    # "6/8 = 3/4 = 0.75" is read as one number.
    hits += [c for c in numbers if "=" in plain[c.number.start : c.number.end]]
    for match in IN_TOTAL.finditer(plain):
        begin = sentence_start(plain[: match.start()], match.start())
        if is_general(plain, match.start()):
            continue
        before = numbers[bisect_left(starts, begin) : bisect_left(starts, match.start())]
        hits += [c for c in before if c.role >= Role.OPEN][-1:]
    return max(hits, key=lambda c: c.number.start, default=None)


def _led(plain: str, mark: re.Match[str], before: Sequence[Candidate]) -> Candidate | None:
    """The total that its parts follow: the 7 of "7 dogs in total: 3 ..."."""
    if not before or not mark[0].rstrip().endswith((",", ":", "(", "|", "=")):
        return None
    is_led = _TOTAL_OF.fullmatch(plain, before[0].number.end, mark.start())
    return before[0] if is_led and before[0].role is Role.COUNT else None


def _last_equal(plain: str, inside: Sequence[Candidate]) -> Candidate:
    """The first of some numbers, or the one after the last "=" if it is a sum."""
    for number in reversed(inside):
        if re.search(r"=\s*\Z", plain[: number.number.start][-4:]):
            return number
    return inside[0]


def _is_result(plain: str, start: int, number: Candidate) -> bool:
    """Whether a number right after "=" is a result and no part of a sum."""
    between = plain[start : number.number.start].strip()
    close = len(between) < 12 and not re.search(r"\d", between)
    return close and not _OPERATOR.match(plain, number.number.end)
