"""Words that exclude each other, and kinds of things, for the comparison of statements."""

from __future__ import annotations

from chef.reading.questions import stem

#: Pairs of which one holds: what denies the one says the other. The first word of an item is
#: opposed to the ones after it.
_PAIRS = """
open close clos shut, same different differ unlike, full empty half, on off, wet dry, awake
asleep sleep, indoor outdoor, indoors outdoors, inside outside, dark bright light, clean dirty,
big small tiny, large small tiny, tall short, long short, old young new, hot cold, happy sad
unhappy, odd even, real fake artificial, digital analog analogue, equal unequal, increas decreas
fall declin, ris fall, alive dead, vertical horizontal, parallel perpendicular, safe unsafe
dangerou, possible impossible, possibl impossibl, legal illegal, broken intact, left right, up
down, front behind, above below, day night, cloudy clear, sunny cloudy overcast, ripe unripe,
alone together, male female, handwritten print typed, win lose losing, visibl hidden
"""
#: Groups of which one holds: another one denies it, but the denial of another one says nothing.
_GROUPS = """
red blue green yellow black white brown gray orange purple pink silver gold golden beige violet
two three four five six seven eight nine ten
sit stand walk run sleep kneel crouch jump
wood wooden metal plastic glass stone brick concrete paper leather ceramic
summer winter spring autumn
morning afternoon evening night noon
round square rectangular triangular oval
"""
#: Things with other names for them, and with their kinds.
_KINDS = """
person: man woman boy girl child lady rider player someone somebody pedestrian baby driver farmer
anyone: man woman boy girl child lady guy someone somebody anybody person rider player
somebody: man woman boy girl child someone person anyone
vehicle: car truck bus van motorcycle lorry taxi
animal: dog cat bird horse cow sheep elephant zebra giraffe bear
food: bread soup pizza cake fruit sandwich salad rice meat vegetable burger noodle
flower: rose tulip daisy sunflower lily
furniture: chair table sofa couch bed desk
bike: bicycle
bicycle: bike
dog: puppy
cat: kitten kitty
couch: sofa
sofa: couch
tv: television
television: tv
phone: cellphone smartphone
"""


def _stems(text: str) -> list[str]:
    return [stem(word) for word in text.split()]


PAIRS = tuple(tuple(_stems(item)) for item in _PAIRS.split(","))
GROUPS = tuple(frozenset(_stems(line)) for line in _GROUPS.strip().split("\n"))
KINDS = {
    stem(line.partition(":")[0]): frozenset(_stems(line.partition(":")[2]))
    for line in _KINDS.strip().split("\n")
}
ANYONE = frozenset(_stems("person anyone anybody someone somebody"))


def opposite(word: str, found: list[str]) -> tuple[str | None, bool]:
    """A word in ``found`` that excludes ``word``, and whether one of the two must hold.

    >>> opposite("open", ["clos"]), opposite("red", ["blue"])
    (('clos', True), ('blue', False))
    """
    for pair in PAIRS:
        if word in pair:
            rivals = pair[1:] if word == pair[0] else pair[:1]
            hit = next((other for other in rivals if other in found), None)
            if hit:
                return hit, True
    for group in GROUPS:
        if word in group:
            hit = next((other for other in found if other in group and other != word), None)
            if hit:
                return hit, False
    return None, False
