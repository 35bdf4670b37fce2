"""Find where an answer states its result: "the answer is ...", boxes, tags, conclusions."""

from __future__ import annotations

import re

from chef.extraction.text import line_end

_TAGGED = (
    # The last line of a worked solution, as in "#### 42".
    re.compile(r"####[ \t]*([^\n]+)\s*\Z"),
    re.compile(r"\\(?:boxed|fbox)\s*\{((?:[^{}]|\{[^{}]*\})*)\}"),
    re.compile(r"<(?:final_?)?answer>(.*?)(?:</(?:final_?)?answer>|\Z)", re.IGNORECASE | re.DOTALL),
    re.compile(r"<\|begin_of_box\|>(.*?)(?:<\|end_of_box\|>|\Z)", re.DOTALL),
)
_BE = (
    r"(?:(?:is|are|was|would\s+be|should\s+be|must\s+be|has\s+to\s+be|can\s+only\s+be|will\s+be"
    r"|to\s+be|remains|seems\s+to\s+be|appears\s+to\s+be|might\s+be|could\s+be|may\s+be"
    r"|'s)(?![\w'])|:|=+>?|-+>|→|⇒|–|—|-(?=\s))"
)
_KEYS = (
    r"(?:(?:the|my|final|correct|predicted|selected|chosen|best|model|short)[_ -]?)*"
    r"(?:answer|choice|option|prediction|predicted|response|result|letter|selected|selection|correct"
    r"|label|output|count|value|number|total|final|verdict|conclusion|答案)(?:[_ -](?:id|letter|label|key|option|choice|text|value))?"
)
_STATED = re.compile(
    # "the answer (to this question) is"; "the correct option would be"
    r"\b(?:answer|ans|(?:correct|right|best|closest|only|most\s+\w+|appropriate|suitable|likely"
    r"|selected|chosen|final|matching|accurate|fitting)\s+(?:\w+\s+)?(?:option|choice|one|answer|response|selection|letter|label|pick"
    r"|match|description|statement))\b"
    r"(?:\s+(?:option|letter|choice|number))?(?:\s+(?:to|for|of|from|in|among|here|given|above|below|that|therefore|thus|then|is\s+that)\b[^.:;!?\n]{0,60}?)?"
    rf"(?:\s*,?\s*(?:therefore|thus|then|hence|of\s+course|clearly)\s*,?)?\s*(?:{_BE}\s*)+"
    # "Answer. B", "Answer\n\nB" and "Answer B" with a mark around it
    r"|(?:(?<=\n)|\A)\W{0,12}(?:final\s+|correct\s+|the\s+)*answer\W{0,12}\n\s*"
    # "Choice: B" at the start of a line or a sentence
    r"|(?:(?:(?<=[\n.!?;,])|\A)\W{0,12})(?:final\s+|my\s+|the\s+|correct\s+)*(?:choice|option|correct|final|selected|selection|pick|guess|prediction"
    r"|response|output|verdict|conclusion|decision|result|solution|chosen|vote|best\s+match|bottom\s+line|tl;dr|in\s+short|summary|A)"
    rf"(?:\s+(?:option|answer|choice|letter|is|one))?\s*(?:[:=]|-+>|→|⇒)\s*"
    # '"answer": "B"'
    rf"|[\"']{_KEYS}[\"']\s*[:=]\s*"
    r"|(?<![\w])[({,]\s*(?:answer|choice|option)\s*=\s*"
    # In Chinese, Japanese, Korean and European languages
    r"|(?:正确|最终|最佳|标准|我的)?(?:的)?(?:答案|回答|选项|結論|结论)(?:应该|应当|应|就|选项|选择|显然|可能|只能)*\s*(?:是|为|為|选|:|=)+\s*(?:选项)?"
    r"|(?:正解|答え|解答|回答|正答|正しい(?:の|選択肢|答え|もの))\s*(?:は|:|が)+\s*、?"
    r"|(?:정답|답|답변|정답지)\s*(?:은|는|:|이)+\s*"
    r"|\b(?:réponse|respuesta|antwort|risposta|resposta|ответ)\b(?:\s+(?:correcte|exacte|finale|correcta|final|correta|corretta|esatta|certa|richtige|lautet|правильный|bonne|à\s+la\s+question))*"
    r"\s*(?:(?:est|es|ist|è|é|sería|serait|wäre|lautet|donc|:|=|—|–|-(?=\s))\s*)+",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"\bI(?:'d|'ll|'m|\s+would|\s+will|\s+am|\s+have|\s+had|'ve)?\s+(?:\w+ly\s+|therefore\s+|still\s+|also\s+)*(?:have\s+to\s+|be\s+|to\s+)?"
    r"(?:choose|choosing|chose|chosen|pick|picking|picked|select|selecting|selected|opt(?:ing)?\s+for|vote(?:\s+for)?|conclude(?:\s+that)?|settle\s+(?:on|for)|settling\s+on"
    r"|answer(?:ing)?(?:\s+with)?|(?:going|go|went|sticking|stick|stay|staying)\s+(?:with|for)|lean(?:ing)?\s+(?:towards?|to)|say|bet\s+on|bet|guess|take|mark|submit|respond\s+with)"
    r"(?:\s+that)?(?:\s+(?:it(?:'s|\s+is)|the\s+answer\s+is|option|choice|answer|letter))*\s+"
    r"|\b(?:let's|let\s+us|must|have\s+to|would)\s+(?:go\s+with|choose|pick|select|say)\s+"
    r"|\b(?:(?:going|sticking|go)\s+with|settle\s+on|my\s+(?:choice|pick|guess|vote|answer|bet|final\s+\w+|best\s+\w+)\s*(?:is|would\s+be|goes\s+to|:|for))\s+"
    r"|(?:我|应该?|应当|因此|所以|故|就|本题|会|可以|只能|最终|必须)+(?:会|就)?(?:选择?|選)\s*(?:项|择|的是|是|为|:)*\s*(?:选项)?|(?:\A|(?<=[\n。，,!?\s]))(?:选择?|選)(?:的是|是|为|:)?\s*"
    r"|\b(?:je\s+(?:choisis|dirais|pense\s+que\s+c'est)|elijo|escojo|eligo|diría|ich\s+(?:wähle|nehme|tippe\s+auf|würde\s+sagen)|scelgo|escolho|выбираю|c'est)\s+(?:la\s+|l')?",
    re.IGNORECASE,
)
_CONCLUDED = re.compile(
    r"\b(?:therefore|thus|hence|consequently|accordingly|in\s+conclusion|to\s+conclude|in\s+summary|to\s+sum\s+up|overall|in\s+the\s+end|finally|so"
    r"|(?:which|this|that)\s+(?:means|implies|suggests|indicates|gives|makes|leaves|matches|corresponds\s+to|points\s+to)|leaving|leaves|we\s+(?:get|have))\b"
    r"|(?:因此|所以|综上|因而|可见|总之|故|よって|したがって|따라서|그러므로)"
    r"|\b(?:donc|por\s+lo\s+tanto|por\s+tanto|also|daher|folglich|quindi|dunque|portanto|logo|значит|следовательно|поэтому)\b",
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
