r"""Short mathematics: one way to write it (``\boxed{30^\circ}``, "30 degrees"), and its value.

Values have what models write as the result of a calculation: numbers, π, roots, powers, the four
basic operations and brackets, in LaTeX or in plain characters. A letter that is a variable has no
value: "2\sqrt{3}", "3/4" and "(1+√5)/2" have one.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from chef.reading.text import fold

#: Longer texts are no terms and no results; the recursion stays shallow.
LONGEST = 80
_COMMANDS = (
    (re.compile(r"\\(?:left|right|displaystyle|,|;|!|:|quad|qquad|mathrm\s*\{\s*\}|\s)"), " "),
    (re.compile(r"\\[dtc]?frac\s*(\d)(\d)"), r"((\1)/(\2))"),
    (re.compile(r"\\(?:times|cdot)(?![a-zA-Z])|[×·⋅∗]"), "*"),
    (re.compile(r"\\div(?![a-zA-Z])|[÷⁄∕]"), "/"),
    (re.compile(r"\\pi(?![a-zA-Z])|\bpi\b"), "π"),
    (re.compile(r"\\sqrt\s*\[\s*3\s*\]|∛"), "∛"),
    (re.compile(r"\\sqrt(?![a-zA-Z])|\b(?:square\s+root\s+of|sqrt|root)\b"), "√"),
    (re.compile(r"(?<=\d),(?=\d{3}(?!\d))|\\[{}]"), ""),
    (re.compile(r"\{"), "("),
    (re.compile(r"\}"), ")"),
    (re.compile(r"[−–]"), "-"),
    (re.compile(r"²"), "^2"),
    (re.compile(r"³"), "^3"),
    (re.compile(r"½"), "(1/2)"),
    (re.compile(r"¼"), "(1/4)"),
    (re.compile(r"¾"), "(3/4)"),
)
_GROUP = r"\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}"
_FRACTION = re.compile(rf"\\[dtc]?frac\s*{_GROUP}\s*{_GROUP}")
_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|\.\d+|[-+*/^()π√∛])")
_ROOTS = {"√": 2, "∛": 3}


def expression_value(text: str) -> float | None:
    r"""The value of a text that is an expression and nothing else; None for any other.

    >>> expression_value(r"2\sqrt{3}") == expression_value("2√3"), expression_value("1 + 2/4")
    (True, 1.5)
    >>> expression_value("4x") is None, expression_value("2 km") is None
    (True, True)
    """
    tokens = _tokens(text)
    if not tokens:
        return None
    try:
        value, end = _sum(tokens, 0)
    except (ArithmeticError, IndexError, TypeError, ValueError):  # TypeError: roots below 0
        return None
    whole = end == len(tokens) and isinstance(value, int | float) and math.isfinite(value)
    return value if whole else None


def _tokens(text: str) -> list[str] | None:
    """The tokens of an expression; None where something else stands in the text."""
    if len(text) > LONGEST:
        return None
    while (plain := _FRACTION.sub(r"((\1)/(\2))", text)) != text:
        text = plain
    for pattern, plain in _COMMANDS:
        text = pattern.sub(plain, text)
    tokens, place = [], 0
    text = text.strip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            return None
        tokens.append(match[1])
        place = match.end()
    return tokens


def _sum(tokens: list[str], place: int) -> tuple[float, int]:
    value, place = _product(tokens, place)
    while place < len(tokens) and tokens[place] in "+-":
        other, end = _product(tokens, place + 1)
        value, place = (value + other if tokens[place] == "+" else value - other), end
    return value, place


def _product(tokens: list[str], place: int) -> tuple[float, int]:
    value, place = _signed(tokens, place)
    while place < len(tokens) and tokens[place] not in "+-)":
        sign = tokens[place]
        # Two numbers side by side are no product, "2 3"; "2π" and "2(3)" are.
        if sign[0].isdigit() or sign[0] == ".":
            raise ValueError
        other, place = _signed(tokens, place + 1) if sign in "*/" else _power(tokens, place)
        value = value / other if sign == "/" else value * other
    return value, place


def _signed(tokens: list[str], place: int) -> tuple[float, int]:
    if tokens[place] in "+-":
        value, end = _power(tokens, place + 1)
        return (value if tokens[place] == "+" else -value), end
    return _power(tokens, place)


def _power(tokens: list[str], place: int) -> tuple[float, int]:
    value, place = _atom(tokens, place)
    if place < len(tokens) and tokens[place] == "^":
        exponent, place = _signed(tokens, place + 1)
        if abs(exponent) > 64 or (value < 0 and not float(exponent).is_integer()):
            raise ValueError
        value **= exponent
    return value, place


def _atom(tokens: list[str], place: int) -> tuple[float, int]:
    sign = tokens[place]
    if sign == "π":
        return math.pi, place + 1
    if sign in _ROOTS:
        value, end = _atom(tokens, place + 1)
        return value ** (1 / _ROOTS[sign]), end
    if sign == "(":
        value, end = _sum(tokens, place + 1)
        if tokens[end] != ")":
            raise ValueError
        return value, end + 1
    return (float(sign) if "." in sign else int(sign)), place + 1


#: "f'(x) =", and what LaTeX and Markdown put around a formula.
_NAMED_SIDE = re.compile(r"\A\s*[a-zA-Z]'{0,2}\s*\(\s*[a-z]\s*\)\s*=")
_WRAPPED = re.compile(r"\\(?:boxed|fbox)\s*\{(.*)\}", re.DOTALL)
_LETTER = re.compile(r"(?<![a-zA-Z\\])[a-zA-Z](?![a-zA-Z])")
#: What letters stand for where two expressions are compared.
_POINTS = (0.37, 1.43, 2.71)


@lru_cache(1 << 10)
def _curve(text: str) -> tuple[frozenset[str], bool, tuple[float, ...]] | None:
    """The letters of an expression or an equation, whether it is one, and its values at some
    points; of an equation that names a letter alone ("y = 2x") the letter stays.
    """
    plain = _WRAPPED.sub(r"\1", text).strip(" $.*`\n")
    plain = _NAMED_SIDE.sub("", plain.replace("\u2032", "'"))
    letters = frozenset(_LETTER.findall(plain))
    sides = plain.split("=")
    if len(plain) > LONGEST or not letters or len(sides) > 2 or not re.search(r"\d", plain):
        return None
    values = []
    for point in _POINTS:
        places = {letter: point + 0.61 * place for place, letter in enumerate(sorted(letters))}
        numbers = [
            expression_value(_LETTER.sub(lambda match: f"({places[match[0]]})", side))  # noqa: B023
            for side in sides
        ]
        if None in numbers:
            return None
        one, *rest = (number for number in numbers if number is not None)
        values.append(one - sum(rest))
    return letters, len(sides) > 1, tuple(values)


def same_expression(reference: str, answer: str) -> bool:
    r"""Whether two formulas with letters are equal, or two equations say the same.

    >>> same_expression("2x - 4", "f'(x) = 2(x-2)"), same_expression("y = 2x - 3", "2x − y = 3")
    (True, True)
    >>> same_expression("2x - 4", "2x - 3"), same_expression("a cat", "a cat")
    (False, False)
    """
    one = _curve(reference)
    two = _curve(answer.rstrip().rstrip("$").rpartition("$")[2]) if one else None
    if one is None or two is None or one[:2] != two[:2]:
        return False
    pairs = list(zip(one[2], two[2], strict=True))
    if not one[1]:
        return all(math.isclose(a, b, abs_tol=1e-9) for a, b in pairs)
    ratios = [a / b for a, b in pairs if b]
    same = (math.isclose(ratio, ratios[0], rel_tol=1e-6) for ratio in ratios)
    return len(ratios) == len(_POINTS) and all(same)


_TERM = re.compile(r"[°π√⁄^/\\=+]|\d")
_ROOT = re.compile(r"\\sqrt\s*\{([^{}]*)\}|\\sqrt\s*(\w)")
_DEGREES = re.compile(r"\^?\{?\\(?:circ|degree)\b\}?|\s*degrees?\b", re.IGNORECASE)
_DROPPED = re.compile(
    r"\\(?:left|right|displaystyle|text|mathrm|mathbf|textbf|boxed|fbox|quad|qquad)\b"
    r"|\\[()\[\],;:! ]|[${}\s*`_]"
)
_NAMED = {
    "pi": "π", "times": "×", "cdot": "×", "infty": "∞", "theta": "θ", "alpha": "α", "geq": "≥",
    "ge": "≥", "leq": "≤", "le": "≤", "rightarrow": "→", "to": "→", "neq": "≠", "ne": "≠",
    "lt": "<", "gt": ">",
}  # fmt: skip
_NAME = re.compile(r"\\([A-Za-z]+)")
_LEAD = re.compile(r"\A[a-z]=")
#: Mathematics in a text, and what a text ends with: "x = 3√3."
_FORMULA = re.compile(
    r"\${1,2}(?P<dollars>[^$\n]{1,80})\$|\\[(\[](?P<brackets>[^\\\n]{1,80}(?:\\[A-Za-z,;{}][^\\\n]{0,80}){0,9})"
    r"\\[)\]]|=(?P<end>[^=\n]{1,40})\Z"
)


def formulas(text: str) -> list[tuple[str, int, int]]:
    r"""The terms in the formulas of a text, also behind the last "=" of each, with their places.

    >>> [key for key, _, _ in formulas(r"So $A = 2 \cdot 8 = 4\sqrt{3}$.")]
    ['2×8=4√3', '4√3']
    """
    matches = _FORMULA.finditer(text.rstrip(" .\n"))
    insides = ((match[str(match.lastgroup)], match.span()) for match in matches)
    return [
        (key, *span)
        for inside, span in insides
        for part in dict.fromkeys((inside, inside.rpartition("=")[2]))
        if (key := term(part))
    ]


@lru_cache(1 << 12)
def term(text: str) -> str:
    r"""A term in a form that can be compared; "" for what is none.

    >>> term(r"$\boxed{30^\circ}$"), term("30 degrees"), term(r"\frac{\sqrt{3}}{2}"), term("a cat")
    ('30°', '30°', '√3/2', '')
    """
    if len(text) > LONGEST or not _TERM.search(text):
        return ""
    key = _DEGREES.sub("°", fold(text))
    for _ in range(3):  # a fraction or a root may stand in another
        key = _ROOT.sub(lambda match: "√" + (match[1] or match[2] or ""), key)
        key = _FRACTION.sub(r"\1/\2", key)
    key = _DROPPED.sub("", key)
    key = _NAME.sub(lambda match: _NAMED.get(match[1], match[1]), key)
    key = key.replace("⁄", "/").replace("²", "^2").replace("³", "^3")
    return _LEAD.sub("", key.lower().strip(".,;:!?\"'"))
