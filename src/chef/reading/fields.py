"""The fields of JSON in an answer, also where the JSON is not whole."""

from __future__ import annotations

import re
from collections.abc import Callable

from chef.frozen import Frozen

_FIELD = re.compile(
    r"[\"']([\w -]{1,40})[\"']\s*:\s*(?:\[\s*(?=[^,\[\]\n]{1,60}\]))?(?:\"((?:[^\"\\\n]"
    r"|\\.){0,400})\"|'([^'\n]{0,400})'"
    r"|([^\s\"'{}\[\],][^\"'{}\[\],\n]{0,60})"
    r"|\[\s*((?:\"[^\"\\\n]{1,60}\"\s*,\s*){1,9}\"[^\"\\\n]{1,60}\")\s*\])"
)
#: "answer: B" in a block of YAML.
_LINE = re.compile(r"^[ \t]*([\w -]{1,40}?):[ \t]+([\"']?)([^\n]{1,400}?)\2[ \t]*$", re.MULTILINE)
#: Keys of the result, the surest first.
_RESULTS = (
    ("final_answer", "finalanswer", "final"),
    ("answer", "ans", "答案"),
    ("result", "response", "prediction", "verdict", "output", "conclusion"),
    ("total", "sum", "total_count", "totalcount"),
    ("count", "number", "value", "num", "quantity", "amount", "how_many", "数量", "個数", "개수"),
    ("present", "exists", "exist", "visible", "found", "detected", "is_present", "contains"),
)
#: Keys of what is not a result.
_OTHER = re.compile(
    r"(?:reason|explan|think|thought|rationale|analysis|comment|note|confiden|score|prob|id\Z"
    r"|name\Z"
    r"|min|max|limit|threshold|class|object|question|type|label|source|page|step|evidence|descri"
    r"|unit|currency|country|lang)",
    re.IGNORECASE,
)


class Field(Frozen):
    """A key with its value as text, found at ``start:end``."""

    key: str
    text: str
    start: int
    end: int


def fields(text: str) -> list[Field]:
    """The fields with plain values or lists of words, in order; none in a text without braces that
    is no block of YAML.

    >>> [(field.key, field.text) for field in fields('{"count": 3, "of": {"kind": "dog"}}')]
    [('count', '3'), ('kind', 'dog')]
    >>> [field.text for field in fields('{"colors": ["red", "white"]}')]
    ['red, white']
    """
    if "```y" in text:
        return [Field(it[1].lower(), it[3], *it.span(3)) for it in _LINE.finditer(text)]
    if "{" not in text:
        return []
    found = []
    for match in _FIELD.finditer(text, text.index("{")):
        group = next(place for place in (2, 3, 4, 5) if match[place] is not None)
        items = re.split(r"\"\s*,\s*\"", match[group].strip('"')) if group == 5 else [match[group]]
        value = ", ".join(item.strip() for item in items)
        found.append(Field(match[1].strip().lower(), value, *match.span(group)))
    return found


def result_fields(text: str, usable: Callable[[str], bool] = bool) -> list[Field]:
    """The fields with the result: by their keys, or the only one with a ``usable`` value.

    >>> [field.text for field in result_fields('{"red": 4, "blue": 3, "total": 7}')]
    ['7']
    """
    empty = ("null", "none", "n/a")
    found = [field for field in fields(text) if field.text.lower() not in empty]
    for keys in _RESULTS:
        named = [field for field in found if field.key.replace(" ", "_") in keys]
        hits = [field for field in named if usable(field.text)]
        if hits:
            return hits
    rest = [field for field in found if not _OTHER.match(field.key) and usable(field.text)]
    return rest if len(rest) == 1 else []
