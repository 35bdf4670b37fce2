"""Whether an answer says that two things stand to each other as a reference says: "A is below B"
says that B is above A.
"""

from __future__ import annotations

import re

from chef.reading.mentions import normal
from chef.reading.opposites import places_named
from chef.reading.verdicts import extract_verdict

#: "Where is the cup relative to the box?", "What is the position of the cup to the box?"
_ASKED = re.compile(
    r"\b(?:where\s+(?:is|are)|the\s+(?:relation(?:ship)?|position|location)\s+of)\s+"
    r"(?P<one>the\s[^?]+?)\s+(?:(?:relative|compared|in\s+relation|with\s+respect)\s+)?to\s+"
    r"(?P<two>the\s[^?]+)",
    re.IGNORECASE,
)
#: A reference that names both things.
_STATED = re.compile(
    r"(?P<one>the\s[\w -]+?)\s(?:is|are)\s(?P<place>[\w -]+\sthe\s[\w -]+)", re.IGNORECASE
)
_SIDE = re.compile(r"\b(?:left|right)\b", re.IGNORECASE)
_ORDERED = re.compile(rf"{_SIDE.pattern}|\bthan\b", re.IGNORECASE)


def related(answer: str, reference: str, question: str) -> str | None:
    """Yes or no of an answer to whether two things stand to each other as a reference says; None
    where it is no such reference, or the answer does not tell.

    >>> asked = "Where is the cup relative to the box?"
    >>> [related("The box is left of the cup.", name, asked) for name in ("left", "right", "red")]
    ['no', 'yes', None]
    """
    name = normal(reference)
    place, match = name, _STATED.fullmatch(name)
    if match:
        place = match["place"]
    elif (match := _ASKED.search(question)) and " the " not in name:
        place = f"{name} {'of ' if _SIDE.search(name) else ''}{match['two']}"
    if match is None or not (places_named(place) or _ORDERED.search(place)):
        return None
    return extract_verdict(answer, f"Is {match['one']} {place}?").value
