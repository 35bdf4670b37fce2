"""Find where an answer states its result: "the answer is ...", boxes, tags, conclusions."""

from __future__ import annotations

import re

from chef.reading.patterns import any_of
from chef.reading.text import line_end

_TAGGED = (
    # The last line of a worked solution, as in "#### 42".
    re.compile(r"####[ \t]*([^\n]+)\s*\Z"),
    re.compile(r"\\(?:boxed|fbox)\s*\{((?:[^{}]|\{[^{}]*\})*)\}"),
    re.compile(
        r"<(?:final_?)?(?:answer|conclusion)>(.*?)(?:</(?:final_?)?(?:answer|conclusion)>|\Z)",
        re.IGNORECASE | re.DOTALL,
    ),
    re.compile(r"<\|begin_of_box\|>(.*?)(?:<\|end_of_box\|>|\Z)", re.DOTALL),
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
_GOOD = any_of(
    "correct | right | best | closest | only | most \\w+ | appropriate | suitable | likely",
    "selected | chosen | final | matching | accurate | fitting",
)
_OPTION = any_of(
    "option | choice | one | answer | response | selection | letter | label | pick | match",
    "description | statement",
)
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
#: "Choice: B" at the start of a line or a sentence
_LABELLED = (
    r"(?:(?<=[\n.!?;,])|\A)\W{0,8}(?:(?:final|my|the|correct)\s+)*"
    + any_of(
        "choice | option | correct | final | selected | selection | pick | guess | prediction",
        "response | output | verdict | conclusion | decision | result | solution | chosen | vote",
        "best match | bottom line | tl;dr | in short | summary",
    )
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
#: '"answer": "B"' and "(answer=B)"
_KEYED = rf"[\"']{_KEY}[\"']\s*[:=]\s*|(?<!\w)[({{,]\s*(?:answer|choice|option)\s*=\s*"
_ASIAN = (
    r"(?:(?:正确|最终|最佳|标准|我的)的?(?:答案|选项|选择|回答)|答案|回答|結論|结论)"
    r"(?:应该|应当|应|就|选项|选择|显然|可能|只能)*\s*(?:是|为|為|选|:|=)+\s*(?:选项)?"
    r"|(?:正解|答え|解答|回答|正答|正しい(?:の|選択肢|答え|もの))\s*(?:は|:|が)+\s*、?"
    r"|(?:정답|답|답변|정답지)\s*(?:은|는|:|이)+\s*"
)
_ANSWER_WORD = any_of(
    "réponse | respuesta | antwort | risposta | resposta | ответ",
    "opzione | opción | opcion | opção",
)
_EUROPEAN = (
    rf"\b{_ANSWER_WORD}\b(?:\s+"
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
_STATED = re.compile(
    f"{_ANSWER_IS}|{_HEADING}|{_LABELLED}|{_KEYED}|{_ASIAN}|{_EUROPEAN}", re.IGNORECASE
)

_CHOOSE = any_of(
    "choose | choosing | chose | chosen | pick | picking | picked | select | selecting | selected",
    "opt for | opting for | vote | vote for | conclude | conclude that | settle on | settle for",
    "settling on | answer | answering | answer with | going with | going for | go with | go for",
    "went with | went for | sticking with | stick with | staying with | stay with | lean to",
    "lean toward | lean towards | leaning to | leaning toward | leaning towards | say | bet on",
    "bet | guess | take | mark | submit | respond with",
)
#: "I would choose", "I'm going with"
_I_CHOOSE = (
    r"\bI(?:'d|'ll|'m|\s+would|\s+will|\s+am|\s+have|\s+had|'ve)?\s+"
    r"(?:(?:\w+ly|therefore|still|also)\s+)*(?:have\s+to\s+|be\s+|to\s+)?"
    rf"{_CHOOSE}(?:\s+that)?"
    rf"(?:\s+(?:it's|{any_of('it is | the answer is | option | choice | answer | letter')}))*\s+"
)
_MY_CHOICE = r"my\s+" + any_of(
    r"choice | pick | guess | vote | answer | bet | final \w+ | best \w+"
)
#: "let's go with", "my pick is", "make that", "what remains is", "put my money on"
_CHOICE_IS = (
    r"\b(?:let's|let\s+us|must|have\s+to|would)\s+"
    rf"{any_of('go with | choose | pick | select | say')}\s+"
    r"|\b(?:put|bet)\s+(?:all\s+)?my\s+money\s+on\s+|\b(?:my\s+)?answer\s+from\s+\S+\s+to\s+"
    r"|\bwhat(?:'s|\s+is)?\s+(?:remains|left)\b[^.;:!?\n]{0,50}?\bis\s+"
    r"|\b(?:"
    + any_of("going with | sticking with | make that | make it | settle on")
    + r"|(?:I'd|I'll|I|let's|would|we)\s+go\s+with"
    rf"|{_MY_CHOICE}\s*(?:is|would\s+be|goes\s+to|:|for))\s+"
)
_CHOOSE_ASIAN = (
    r"(?:首选|只有|唯有|排除后(?:只)?剩|只剩(?:下)?)\s*(?:选项)?"
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
_CHOSEN = re.compile(f"{_I_CHOOSE}|{_CHOICE_IS}|{_CHOOSE_ASIAN}|{_CHOOSE_EUROPEAN}", re.IGNORECASE)

_CONCLUDED = re.compile(
    r"\b"
    + any_of(
        "therefore | thus | hence | consequently | accordingly | in conclusion | to conclude",
        "in summary | to sum up | overall | in the end | finally | so | leaving | leaves | we get",
        "we have",
    )
    + r"\b|\b(?:which|this|that)\s+"
    + any_of(
        "means | implies | suggests | indicates | gives | makes | leaves | matches",
        "corresponds to | points to",
    )
    + r"\b|[-=]+>|→|⇒|∴"
    r"|(?:因此|所以|综上|因而|可见|总之|故|よって|したがって|따라서|그러므로)"
    r"|\b"
    + any_of(
        "donc | por lo tanto | por tanto | insgesamt | daher | folglich | quindi | dunque",
        "portanto | logo | значит | следовательно | поэтому",
    )
    + r"\b",
    re.IGNORECASE,
)


def tagged(text: str) -> list[tuple[int, int]]:
    r"""Spans of the contents of ``\boxed{}``, ``<answer>`` and the like, in order."""
    found = [match.span(1) for pattern in _TAGGED for match in pattern.finditer(text)]
    return sorted(found)


def stated(plain: str) -> list[tuple[int, int]]:
    """Spans of the text after phrases such as "the answer is", in order; see `after`."""
    return after(plain, _STATED, _CHOSEN)


def concluded(plain: str) -> list[tuple[int, int]]:
    """Spans of the text after words such as "therefore", in order; see `after`."""
    return after(plain, _CONCLUDED)


def after(plain: str, *markers: re.Pattern[str]) -> list[tuple[int, int]]:
    """Spans from each match of a marker to the end of the line, or to the next match."""
    matches = sorted(match.span() for marker in markers for match in marker.finditer(plain))
    limits = [*(start for start, _ in matches), len(plain)][1:]
    # A span ends at the next match, so that repetitive answers do not cost quadratic time.
    return [
        (end, max(end, min(limit, line_end(plain, end))))
        for (_, end), limit in zip(matches, limits, strict=True)
    ]
