"""Units of measurement and currencies: their spellings, and how many of one are another."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from chef.frozen import Frozen
from chef.reading.characters import AFTER
from chef.reading.lexicon import entries
from chef.reading.patterns import Pattern, words


class Unit(Frozen):
    """A unit: what it measures, and its size among the units that measure the same."""

    dimension: str
    size: float


#: The dimensions that are money; people often leave their units out.
CURRENCIES = words("dollars euros pounds yen yuan rupees won")

#: What a spelling may mean: a pound is a mass or money.
Units = frozenset[Unit]


@cache
def _units() -> dict[str, Units]:
    """What each spelling of ``lexicon/units.yaml`` may mean."""
    found: dict[str, set[Unit]] = {}
    for dimension, rows in entries("units").items():
        for row in rows:
            size, _, spellings = row.partition(" ")
            for name in spellings.split(", "):
                found.setdefault(name, set()).add(Unit(dimension, float(size)))
    return {name: frozenset(units) for name, units in found.items()}


#: Symbols that are read in any case; the case of others tells units apart: mW and MW.
_PLAIN = words("cm mm km kg ft lb oz usd eur gbp rs hr yr v")


@cache
def _names() -> dict[str, Units]:
    """Long names in any case and number."""
    return {
        form: units
        for name, units in _units().items()
        if (len(name) > 2 and not name[1:].istitle()) or name.lower() in _PLAIN
        for form in (name.lower(), f"{name.lower()}s")
    }


def _after() -> str:
    # The longest spellings first, so that "m/s" is not "m".
    longest = sorted({*_units(), *_names()}, key=len, reverse=True)
    spellings = "|".join(re.escape(name).replace(r"\ ", r"[\s-]+") for name in longest)
    return rf"[\s-]?\s?(?P<unit>{spellings}){AFTER}(?<!\bin(?=\s+\w))"


_AFTER = Pattern(_after)
#: "How long is it, in m?"
_LAST_IN = re.compile(r"\bin\s+(\S+?)[\s.?]*\Z")
_BEFORE = re.compile(r"(?P<unit>US\$|[$€£₹₩¥]|\b(?:USD|EUR|GBP|CNY|RMB|JPY|INR|KRW|Rs\.?))\s?\Z")


def units_named(text: str) -> Units:
    """What a text that names a unit, and nothing else, may mean; empty for any other text.

    >>> units_named("Kilometers") == units_named("km"), units_named("mW") == units_named("MW")
    (True, False)
    """
    name = " ".join(text.replace("-", " ").split())
    return _units().get(name) or _names().get(name.lower()) or frozenset()


def units_after(text: str, place: int) -> tuple[Units, int]:
    """The unit right after a number that ends at ``place``, and where it ends itself.

    >>> units_after("5 cm long", 1)
    (frozenset({Unit(dimension='length', size=0.01)}), 4)
    """
    match = _AFTER.match(text, place)
    units = units_named(match["unit"]) if match else frozenset()
    return units, match.end() if match and units else place


def units_before(text: str, place: int) -> tuple[Units, int]:
    """The currency right before a number that starts at ``place``, and where it starts itself."""
    match = _BEFORE.search(text, max(0, place - 5), place)
    units = units_named(match["unit"].removesuffix(".")) if match else frozenset()
    return units, match.start() if match and units else place


@lru_cache(256)
def units_in(question: str) -> Units:
    """The units that a question names: "how many centimeters". Cached.

    >>> units_in("What percentage of people agree?")
    frozenset({Unit(dimension='percent', size=1.0)})
    """
    matches = re.findall(r"[^\W\d_]+|%", question.lower())
    names = [word for word in matches if len(word) > 3 or word in _PLAIN or word == "%"]
    named = map(units_named, [*names, *_LAST_IN.findall(question)])
    return frozenset().union(*named)


#: "What is the limit, in km/h?"
_IN_UNIT = re.compile(r"\bin\s+(?P<unit>[^\s?]+)\W*\Z")


@lru_cache(256)
def dimensions_wanted(question: str) -> frozenset[str]:
    """What the unit measures with which a question ends.

    >>> dimensions_wanted("What is the limit, in km/h?")
    frozenset({'speed'})
    """
    match = _IN_UNIT.search(question)
    units = units_named(match["unit"]) if match else frozenset[Unit]()
    return frozenset(unit.dimension for unit in units)
