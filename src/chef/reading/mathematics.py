r"""Short mathematics: one way to write it (``\boxed{30^\circ}``, "30 degrees"), and its value.

Values have what models write as the result of a calculation: numbers, π, roots, powers, the four
basic operations and brackets, in LaTeX or in plain characters. A letter that is a variable has no
value: "2\sqrt{3}", "3/4" and "(1+√5)/2" have one. Formulas with letters are the same that have the
same values, whatever numbers the letters stand for.
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
_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|\.\d+|[-+*/^()π√∛a-z])")
_ROOTS = {"√": 2, "∛": 3}


def expression_value(text: str) -> float | None:
    r"""The value of a text that is an expression and nothing else; None for any other.

    >>> expression_value(r"2\sqrt{3}") == expression_value("2√3"), expression_value("1 + 2/4")
    (True, 1.5)
    >>> expression_value("4x") is None, expression_value("2 km") is None
    (True, True)
    """
    return _value(_tokens(text))


def _value(tokens: list[str] | None) -> float | None:
    if not tokens:
        return None
    try:
        value, end = _sum(tokens, 0)
    except (ArithmeticError, IndexError, TypeError, ValueError):  # TypeError: roots below 0
        return None
    whole = end == len(tokens) and isinstance(value, int | float) and math.isfinite(value)
    return value if whole else None


def _tokens(text: str, trial: int = 0) -> list[str] | None:
    """The tokens of an expression; None where something else stands in the text.

    In a ``trial`` above 0 letters stand for numbers, others in each trial.
    """
    if len(text) > LONGEST:
        return None
    while (plain := _FRACTION.sub(r"((\1)/(\2))", text)) != text:
        text = plain
    for pattern, plain in _COMMANDS:
        text = pattern.sub(plain, text)
    tokens: list[str] = []
    place, text = 0, text.strip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            return None
        is_letter = match[1].isascii() and match[1].isalpha()
        if is_letter and not trial:
            return None
        # Numbers that no formula has.
        value = math.sqrt(ord(match[1]) * (trial + 1)) % 1 + 1.1 if is_letter else 0
        tokens += ["(", f"{value:.14f}", ")"] if is_letter else [match[1]]
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


#: What a formula defines: "y", "f'(x)", "dy/dx".
_DEFINED = re.compile(
    r"[a-z]\s?'{0,3}(?:\s?\([a-z]\))?|d[a-z]?/d[a-z]|\\[dt]?frac\{d[a-z]?\}\{d[a-z]\}(?:[a-z]|\([a-z]\))?"
)
#: A formula has an operator, or a factor before a letter, and no word.
_OPERATOR = re.compile(r"[-+*/^=√²³×·⋅−–⁄]|\d[a-z]|\\(?:[dt]?frac|sqrt|cdot|times)")
_WORD = re.compile(r"\\(?:text|mathrm)|(?<![\\a-z])(?:[a-z]{3,}|ln)")
#: So many times the letters of formulas stand for numbers.
_TRIALS = 3


#: The ends of a range of numbers, each with whether it is a part of the range.
Range = tuple[float, bool, float, bool]
#: "(3, ∞)", "[0; 1)", "]2, 5[", also behind "x ∈".
_BRACKETS = re.compile(
    r"(?:[a-z]∈)?(?P<left>[\[(\]])(?P<low>[^,;<>≤≥]+)[,;](?P<high>[^,;<>≤≥]+)(?P<right>[\])\[])"
)
#: "x < 3", "2 ≤ x < 3", from the lesser to the greater.
_CHAIN = re.compile(r"(?:(?P<low>[^<≤]+)(?P<left>[<≤]))?[a-z](?:(?P<right>[<≤])(?P<high>[^<≤]+))?")
#: What may be a range in a text; `interval` decides.
_THAN = r"(?:[<>]=?|[≤≥]|\\(?:[lg]eq?(?:slant)?|lt|gt)(?![a-z]))"
_IN_BRACKETS = re.compile(r"[\[(\]][^\[\](),;\n]{1,24}[,;][^\[\](),;\n]{1,24}[\])\[]")
_RANGE = re.compile(
    rf"{_IN_BRACKETS.pattern}"
    rf"|(?:[-\d.∞\\/]{{1,12}}\s*{_THAN}\s*)?\b[a-z]\s*{_THAN}\s*[-\d.∞\\/]*[\d∞]"
)
_TURNED = str.maketrans("<>≤≥", "><≥≤")
_ENDLESS = {"-∞": -math.inf, "∞": math.inf, "+∞": math.inf}


@lru_cache(1 << 10)
def interval(text: str) -> Range | None:
    r"""The range of numbers that a text is; None for any other. The letter may be any.

    >>> interval(r"(3, \infty)") == interval("x > 3"), interval("-1 < x <= 2")
    (True, (-1, False, 2, True))
    >>> interval("[3, ∞)") == interval("x > 3"), interval("x + y > 3"), interval("red, blue")
    (False, None, None)
    """
    plain = term(text).replace("<=", "≤").replace(">=", "≥").replace("infinity", "∞")
    if re.search("[>≥]", plain):
        plain = "".join(reversed(re.split("([<>≤≥])", plain))).translate(_TURNED)
    match = _BRACKETS.fullmatch(plain) or _CHAIN.fullmatch(plain)
    if match is None:
        return None
    ends = (match["low"] or "-∞", match["high"] or "∞")
    low, high = (_ENDLESS.get(end, expression_value(end)) for end in ends)
    if low is None or high is None or low >= high:
        return None
    return low, match["left"] in ("[", "≤"), high, match["right"] in ("]", "≤")


def ranges(text: str) -> list[tuple[str, Range, tuple[int, int]]]:
    """The ranges of numbers in a text as they are written, with their bounds and places."""
    has_relation = any(sign in text for sign in "<>≤≥\\")
    pattern = _RANGE if has_relation else _IN_BRACKETS  # found faster
    matches = ((match, interval(match[0])) for match in pattern.finditer(text))
    return [(match[0], bounds, match.span()) for match, bounds in matches if bounds]


@lru_cache(1 << 10)
def same_formula(one: str, two: str) -> bool:
    r"""Whether two formulas with letters say the same, in any order and with or without brackets.

    Equations are the same if one is a multiple of the other; what only names a value, "f'(x) =",
    may be left out. A range of numbers is the same as inequality and in brackets.

    >>> same_formula("2(x - 2)", "f'(x) = 2x - 4"), same_formula("y = 2x - 3", "2x - y = 3")
    (True, True)
    >>> same_formula("x > 3", r"(3, \infty)"), same_formula("x > 3", "[3, ∞)")
    (True, False)
    >>> same_formula("2x - 4", "2x + 4"), same_formula("y = 2x - 3", "x = 2y - 3")
    (False, False)
    """
    if (bounds := interval(one)) is not None:
        return bounds == interval(two)
    mine, theirs = _sides(one), _sides(two)
    if not mine or not theirs:
        return False
    if len(mine) == len(theirs) == 2:
        rows = [_differences(side) for side in (mine, theirs)]
        factor = rows[0][0] / rows[1][0] if rows[0][0] and rows[1][0] else math.nan
        return all(is_close(a, b * factor) for a, b in zip(*rows, strict=True))
    if any(len(sides) == 2 and not _DEFINED.fullmatch(sides[0]) for sides in (mine, theirs)):
        return False
    return all(map(is_close, _trials(mine[-1]), _trials(theirs[-1])))


def _sides(text: str) -> list[str]:
    """A formula with letters, or the first and the last side of an equation; else nothing."""
    plain = re.sub(r"\$|\\[()\[\]]", "", fold(text).lower()).strip(" .,;").replace(" equals ", "=")
    if len(plain) > LONGEST or not _OPERATOR.search(plain) or _WORD.search(plain):
        return []
    sides = [side.strip() for side in plain.split("=")]
    # "2-1" is a score, too.
    has_letters = any(map(re.compile(r"(?<![\\a-z])[a-z]").search, sides))
    return list(dict.fromkeys((sides[0], sides[-1]))) if all(sides) and has_letters else []


def _trials(term: str) -> list[float]:
    """The values of a term where its letters stand for some numbers; NaN where it has none."""
    values = (_value(_tokens(term, trial)) for trial in range(1, _TRIALS + 1))
    return [math.nan if value is None else value for value in values]


def _differences(sides: list[str]) -> list[float]:
    """What the left side of an equation is more than the right one; "f(x)" is "y"."""
    first = "y" if len(sides[0]) > 1 and _DEFINED.fullmatch(sides[0]) else sides[0]
    return [one - two for one, two in zip(*map(_trials, (first, sides[1])), strict=True)]


def is_close(one: float, two: float) -> bool:
    """Whether two values are the same up to the errors of calculating."""
    return math.isclose(one, two, rel_tol=1e-9, abs_tol=1e-12)


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
    "lt": "<", "gt": ">", "in": "∈", "leqslant": "≤", "geqslant": "≥",
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
