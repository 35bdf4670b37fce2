"""What an answer marks itself as its result: a tag, a box, a field of JSON, "the answer is ...".

These are read before everything else; see `read_marks` for the order among them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import product
from typing import TypeVar

from chef.frozen import Frozen
from chef.reading.lexicon import Phrases
from chef.reading.passage import No, Span, corrections, parts
from chef.reading.patterns import Pattern, Rules, all_words, any_of, has_cjk, words
from chef.reading.refusals import no_answer
from chef.reading.text import AMBIGUOUS, Hit, Reading, found, line_end, sentence_start
from chef.reading.word_index import words_in

T = TypeVar("T")


class Mark(Frozen):
    """A place that an answer marks as its result, without the mark; ``rule`` names the mark."""

    rule: str
    start: int
    end: int


def read_marks(
    marks: Iterable[Mark],
    read: Callable[[Mark], Hit[T] | Reading[T] | None],
    plain: str,
    answer: str,
) -> Reading[T] | None:
    """What marks of one kind, in order, say as far as they can be read; None if none can be.

    The last one counts; only one in the same sentence that says something else makes it ambiguous,
    and a `Reading` without a value does.

    >>> text = "The answer is A. No: the answer is B."
    >>> marks = [Mark("statement", *span) for span in stated(text)]
    >>> letter = lambda mark: Hit(text[mark.start], mark.start, mark.end)
    >>> read_marks(marks, letter, text, text).value
    'B'
    """
    last: Hit[T] | None = None
    rule = ""
    start = len(plain) + 1
    for mark in reversed(list(marks)):
        if mark.end <= start and last is not None:
            break
        hit = read(mark)
        if hit is None:
            continue
        if isinstance(hit, Reading):
            return AMBIGUOUS
        if last is None:
            last, rule, start = hit, mark.rule, sentence_start(plain, mark.start)
        elif hit.value != last.value and hit.start >= start:
            if corrections(plain[mark.end : last.start], "sentence"):
                break
            return AMBIGUOUS
    return found(last, rule, answer) if last is not None else None


def tags(seen: str) -> list[Mark]:
    """The tagged and boxed contents of a text, in order."""
    return [Mark("tagged", *span) for span in tagged(seen)]


def statements(plain: str, start: int = 0) -> list[Mark]:
    """What follows phrases such as "the answer is", in order; see `stated`."""
    return [Mark("statement", *span) for span in stated(plain, start)]


def last_tag(
    seen: str,
    plain: str,
    answer: str,
    read: Callable[[str, str], Hit[T] | Reading[T] | None],
) -> Reading[T] | None:
    """What the last tag or box says that can be read.

    ``read`` gets its content without and with markup; a `Reading` without a value is ambiguous.

    >>> text = "<answer>A</answer> <answer></answer>"
    >>> last_tag(text, text, text, lambda inside, _: Hit(inside, 0, 1) if inside else None).value
    'A'
    """
    for start, end in reversed(tagged(seen)):
        result = read(plain[start:end], seen[start:end])
        if result is None and not no_answer(plain[start:end]):
            continue
        if result is None or result.value is None:
            return AMBIGUOUS
        if isinstance(result, Hit):
            first, last = result.start, result.end
        else:
            first, last = result.span or (0, end - start)
        return found(Hit(result.value, start + first, start + last), "tagged", answer)
    return None


_TAGGED = (
    # The last line of a worked solution, as in "#### 42".
    re.compile(r"####[ \t]*([^\n]+)\s*\Z"),
    re.compile(r"\\(?:boxed|fbox)\s*\{((?:[^{}]|\{[^{}]*\})*)\}"),
    re.compile(
        r"<(?P<tag>(?:final_?)?(?:ans(?:wer)?|conclusion|verdict)|final)>(?P<inside>.*?)(?:</(?P=tag)>|\Z)",
        re.IGNORECASE | re.DOTALL,
    ),
    re.compile(r"<\|(?:begin_of_box|answer)\|>(.*?)(?:<\|(?:end_of_box|/answer)\|>|\Z)", re.DOTALL),
)
_IS = (
    any_of(
        "is | are | was | would be | should be | must be | has to be | can only be | will be",
        "to be | remains | seems to be | appears to be | might be | could be | may be | 's",
    )
    + r"(?![\w'])"
)
_SIGN = any_of(": | =+>? | -+>", r"→ | ⇒ | – | — | -(?=\s)")
_BE = rf"(?:{_IS}|{_SIGN})"
_THEREFORE = rf"(?:\s*,?\s*{any_of('therefore | thus | then | hence | of course | clearly')}\s*,?)?"
_GOOD_WORDS = words(
    "correct right best closest only most appropriate suitable likely selected chosen final"
    " matching accurate fitting"
)
_NOUNS = words(
    "option choice one answer response selection letter label pick match description statement"
)
_GOOD, _OPTION = any_of(*sorted(_GOOD_WORDS - {"most"}), r"most \w+"), any_of(*sorted(_NOUNS))
#: "to this question", "for the image", "here"
_ABOUT = (
    any_of("to | for | of | from | in | among | here | given | above | below | that | is that")
    + r"\b[^.:;!?\n]{0,60}?"
)
#: "The answer (to this question) is", "the correct option would be"
_ANSWER_IS = (
    rf"\b(?:answer|ans|{_GOOD}\s+(?:\w+\s+)?{_OPTION})\b"
    rf"(?:\s+{any_of('option | letter | choice | number')})?(?:\s+{_ABOUT})?{_THEREFORE}"
    rf"\s*(?:{_BE}\s*)+"
)
#: "Answer" as a heading
_HEADING = r"(?:(?<=\n)|\A)\W{0,8}(?:(?:final|correct|the)\s+)*answer\W{0,6}\n\s{0,6}"
_LABELS = (
    "choice | option | correct | final | selected | selection | pick | guess | prediction"
    " | response | output | verdict | conclusion | decision | result | solution | chosen | vote"
    " | best match | bottom line | tl;dr | in short | summary | fazit | ergebnis | schlussfolgerung"
    " | résultat | conclusión | resultado | conclusione | risultato | conclusão | вывод | итог"
)
#: "Choice: B" at the start of a line or a sentence
_LABELLED = (
    r"(?:(?<=[\n.!?;,])|\A)\W{0,8}(?:(?:final|my|the|correct)\s+)*"
    + any_of(_LABELS)
    + rf"(?:\s+{any_of('option | answer | choice | letter | is | one')})?\s*(?:[:=]|-+>|→|⇒)\s*"
)
_KEY = (
    r"(?:(?:the|my|final|correct|predicted|selected|chosen|best|model|short)[_ -]?)*"
    + any_of(
        "answer | choice | option | prediction | predicted | response | result | letter | selected",
        "selection | correct | label | output | count | value | number | total | final | verdict",
        "conclusion | 答案",
    )
    + r"(?:[_ -](?:id|letter|label|key|option|choice|text|value))?"
)
#: '"answer": "B"', but not '"option": "B", "is_answer": false', and "(answer=B)"
_KEYED = (
    rf"[\"']{_KEY}[\"']\s*[:=]\s*(?![^{{}}\n]*:\s*(?:true|false)\b)"
    r"|(?<!\w)[({,]\s*(?:answer|choice|option)\s*=\s*"
)
_ASIAN = (
    r"(?:(?:正确|最终|最佳|标准|我的)的?(?:答案|选项|选择|回答)|答案|回答|結論|结论)"
    r"(?:应该|应当|应|就|选项|选择|显然|可能|只能)*\s*(?:是|为|為|选|:|=)+\s*(?:选项)?"
    r"|(?:正解|答え|解答|回答|正答|正しい(?:の|選択肢|答え|もの))\s*(?:は|:|が)+\s*、?"
    r"|(?:정답|답|답변|정답지)\s*(?:은|는|:|이)+\s*"
)
_FOREIGN = words("réponse respuesta antwort risposta resposta ответ opzione opción opcion opção")
_EUROPEAN = (
    rf"\b{any_of(*sorted(_FOREIGN))}\b(?:\s+"
    + any_of(
        "correcte | exacte | finale | correcta | final | correta | corretta | esatta | certa",
        "richtige | giusta | lautet | правильный | bonne | à la question",
    )
    + r")*\s*(?:"
    + any_of(
        "est | es | ist | è | é | sia | sea | seja | soit | sería | serait | wäre | lautet | donc",
        r"la | le | : | = | — | – | -(?=\s)",
    )
    + r"\s*)+"
)
#: The last word of each of `_LABELS`.
_LABEL_WORDS = re.findall(r"\w+(?= \| |\Z)", _LABELS)
#: All words of each, the rarest first.
_LABEL_NEEDS = [" ".join(label.split()[::-1]) for label in all_words(_LABELS)]
_STATED = (
    Pattern(
        _ANSWER_IS,
        needs=["answer", "ans", *(f"{good} {noun}" for good, noun in product(_GOOD_WORDS, _NOUNS))],
        inside=True,
    ),
    Pattern(_HEADING, needs="answer", among="\n"),
    Pattern(_LABELLED, needs=_LABEL_NEEDS, among=(":", "=", "->", "→", "⇒"), inside=True),
    Pattern(_ASIAN, cjk=True),
    Pattern(_EUROPEAN, needs=_FOREIGN),
)
_KEY_STATED = re.compile(_KEYED, re.IGNORECASE)
#: Words of which each statement in Latin or Cyrillic letters has one; keys of JSON are tags.
_STATING = _FOREIGN.union(
    words("answer ans predicted count value number total"), _GOOD_WORDS, _LABEL_WORDS
)

_CHOOSE = (
    "choose | choosing | chose | chosen | pick | picking | picked | select | selecting | selected"
    " | opt for | opting for | vote | vote for | conclude | conclude that | settle on | settle for"
    " | settling on | answer | answering | answer with | going with | going for | go with | go for"
    " | went with | went for | sticking with | stick with | staying with | stay with | lean to"
    " | lean toward | lean towards | leaning to | leaning toward | leaning towards | say | bet on"
    " | bet | guess | take | mark | submit | respond with"
)
#: "I would choose", "I'm going with"
_I_CHOOSE = (
    r"\bI(?:'d|'ll|'m|\s+would|\s+will|\s+am|\s+have|\s+had|'ve)?\s+"
    r"(?:(?:\w+ly|therefore|still|also)\s+)*(?:have\s+to\s+|be\s+|to\s+)?"
    rf"{any_of(_CHOOSE)}(?:\s+that)?"
    rf"(?:\s+(?:it's|{any_of('it is | the answer is | option | choice | answer | letter')}))*\s+"
)
_MY_CHOICE = r"my\s+" + any_of(
    r"choice | pick | guess | vote | answer | bet | final \w+ | best \w+"
)
#: "let's go with", "my pick is", "make that", "what remains is", "put my money on"
_CHOICE_IS = (
    r"\b(?=\w)(?:(?:let's|let\s+us|must|have\s+to|would)\s+"
    rf"{any_of('go with | choose | pick | select | say')}\s+"
    r"|(?:put|bet)\s+(?:all\s+)?my\s+money\s+on\s+|(?:my\s+)?answer\s+from\s+\S+\s+to\s+"
    r"|what(?:'s|\s+is)?\s+(?:remains|left)\b[^.;:!?\n]{0,50}?\bis\s+"
    r"|(?:"
    + any_of("going with | sticking with | make that | make it | settle on")
    + r"|(?:I'd|I'll|I|let's|would|we)\s+go\s+with"
    rf"|{_MY_CHOICE}\s*(?:is|would\s+be|goes\s+to|:|for))\s+)"
)
_CHOOSE_ASIAN = (
    r"(?:首选|只有(?!\s?[\d一二两三四五六七八九十])|唯有|排除后(?:只)?剩|只剩(?:下)?)\s*(?:选项)?"
    r"|(?:我|应该?|应当|因此|所以|故|就|本题|会|可以|只能|最终|必须|更)+(?:会|就)?"
    r"(?:选择?|選|倾向于?)\s*(?:项|择|的是|是|为|:)*\s*(?:选项)?"
    r"|(?:\A|(?<=[\n。，,!?\s]))(?:选择?|選)(?:的是|是|为|:)?\s*"
)
_CHOOSE_EUROPEAN = (
    r"\b"
    + any_of(
        "je choisis | je dirais plutôt | je dirais | je pense que c'est | elijo | escojo | eligo",
        "diría | ich wähle | ich nehme | ich tippe auf | ich würde sagen | scelgo | escolho",
        "выбираю | c'est",
    )
    + r"\s+(?:la\s+|l')?"
)
_CHOSEN = (
    Pattern(
        _I_CHOOSE, needs=[f"{phrase.split()[0]} i" for phrase in _CHOOSE.split(" | ")], inside=True
    ),
    Pattern(
        _CHOICE_IS,
        needs="choose | pick | select | say | money | sticking with | settle on | make it"
        " | make that | going with | go with | answer from | remains what is | left what is"
        " | choice my | guess my | vote my | answer my | bet my | final my | best my",
        inside=True,
    ),
    Pattern(_CHOOSE_ASIAN, cjk=True),
    Pattern(
        _CHOOSE_EUROPEAN,
        needs="choisis dirais pense elijo escojo eligo diría wähle nehme tippe würde scelgo escolho"
        " выбираю c",
    ),
)
#: "so", but not "and so do the others"
_CONCLUSIONS = Phrases(
    "conclusions", after=r"(?!(?<=so)\s+(?:do|does|did|are|is|was|were|has|have)\b)", at_words=True
)
#: "Since the question asks for the reading, it's 68."
_AS_ASKED = Pattern(
    r"\b(?:since|as|because)\s+the\s+question\s+(?:asks|is|wants)\b[^.,;!?\n]*,",
    needs="question asks | question is | question wants",
)
_STATEMENTS = Rules(*_STATED, *_CHOSEN)
_ARROW = Pattern(
    "[-=]+>|→|⇒|∴|よって|따라서|그러므로",
    signs=("->", "=>", "→", "⇒", "∴", "よって", "따라서", "그러므로"),
)
#: So many arrows in a line are a chain.
_CHAIN = 3
_CONCLUDING: Rules[Pattern | Phrases] = Rules(_CONCLUSIONS, _AS_ASKED, _ARROW)


def tagged(text: str) -> list[tuple[int, int]]:
    r"""Spans of the contents of ``\boxed{}``, ``<answer>`` and the like, in order."""
    if not ("\\" in text or "<" in text or "####" in text):
        return []
    return sorted(
        match.span(pattern.groups) for pattern in _TAGGED for match in pattern.finditer(text)
    )


def stated(plain: str, start: int = 0) -> list[tuple[int, int]]:
    """Spans of a text without markup after phrases such as "the answer is", in order (`after`)."""
    # Only what is near may matter for what stands behind ``start``.
    skipped = max(0, start - _LOOK_BACK)
    text = plain[skipped:]
    if "right one" in text and _LEFT_ONE.search(plain):
        text = text.replace("right one", "      one")  # of two things, and not the right answer
    keyed = (_KEY_STATED,) if _may_have_keys(text) else ()
    spans = after(text, *_STATEMENTS.of(text), *keyed, start=start - skipped)
    return [(skipped + begin, skipped + end) for begin, end in spans]


def _may_have_keys(text: str) -> bool:
    """Whether a text may have a key of JSON, or "answer="; a cheap test, for most have none."""
    place = text.find(":")
    while place >= 0:
        if text[max(0, place - 8) : place].rstrip()[-1:] in ("", "'", '"'):
            return True
        place = text.find(":", place + 1)
    return "=" in text


_LEFT_ONE = re.compile(r"\bleft\b", re.IGNORECASE)
#: No pattern looks farther back, in characters.
_LOOK_BACK = 64
#: In so many characters at the end of an answer its statement is looked for first.
_TAIL = 400


def last_statements(plain: str) -> int:
    r"""Where the sentence begins that holds the last word of a statement; 0 if none does.

    What is stated last counts, so that most answers need not be scanned before it.

    >>> last_statements("I see a dog. It barks.\nThe answer is B.")
    23
    """
    if has_cjk(plain):
        return 0
    tail = plain[-_TAIL:]
    low = tail.lower()
    place = max((low.rfind(word) for word in _STATING & words_in(tail)), default=-1)
    return sentence_start(plain, len(plain) - len(tail) + place) if place >= 0 else 0


def last_stated(
    plain: str, body: str, calm: Callable[[str], str], no: No = ""
) -> tuple[int, str, Span] | None:
    r"""Where the last sentence that states something begins, what counts from there on (``calm``),
    and of that the part behind the last correction; None if no statement is near the end.

    Most answers end with their statement, so that nothing before it need be read.

    >>> text = "I see a dog. It barks.\nThe answer is B."
    >>> last_stated(text, text, str.upper)
    (23, 'THE ANSWER IS B.', (0, 16))
    """
    start = last_statements(plain)
    text = calm(body[start:]) if start else ""
    spans = parts(text, no) if text else []
    return (start, text, spans[-1]) if spans else None


@lru_cache(64)
def concluded(plain: str) -> list[tuple[int, int]]:
    """Spans of the text after words such as "therefore", in order; see `after`. Cached."""
    if plain.count("→") + plain.count("->") >= _CHAIN:
        lines = plain.split("\n")
        arrows = (len(_ARROW.compiled.findall(line)) for line in lines)
        # "Ana → Tom → Lena → Marc" tells an order, and concludes nothing.
        pairs = zip(lines, arrows, strict=True)
        plain = "\n".join(_ARROW.blank(one) if count >= _CHAIN else one for one, count in pairs)
    return after(plain, *_CONCLUDING.of(plain))


def after(
    plain: str, *markers: re.Pattern[str] | Pattern | Phrases, start: int = 0
) -> list[tuple[int, int]]:
    """Spans from each match of a marker to the end of the line, or to the next match."""
    matches = sorted(
        {match.span() for marker in markers for match in marker.finditer(plain, start)}
    )
    limits = [*(begin for begin, _ in matches), len(plain)][1:]
    # A span ends at the next match, so that repetitive answers do not cost quadratic time.
    return [
        (end, max(end, min(limit, line_end(plain, end))))
        for (_, end), limit in zip(matches, limits, strict=True)
    ]
