"""Where one thing is in relation to another, in other words than an option has."""

from __future__ import annotations

import random

from chef.reading.options import extract_option

#: What options say, and what answers say that mean it.
PLACES = {
    "under": ("under", "underneath", "beneath"),
    "on": ("on", "on top of"),
    "next to": ("next to", "beside", "adjacent to", "alongside"),
    "behind": ("behind", "in back of", "at the back of"),
    "in front of": ("in front of",),
    "inside": ("inside", "within", "inside of"),
    "above": ("above", "over"),
    "below": ("below",),
    "near": ("near", "close to"),
    "to the left of": ("to the left of", "left of"),
    "to the right of": ("to the right of", "right of"),
}
#: Of these an answer may mean both.
ALIKE = ({"under", "below"}, {"on", "above"}, {"next to", "near"})
FRAMES = (
    "The {one} is {place} the {two}.",
    "The {one} is lying {place} the {two}, and it looks tired.",
    "It is {place} the {two}.",
    "The {one} is located {place} the {two} in the picture.",
    "In the image, the {one} is {place} the {two}.",
)
OPTIONS = ("{place} the {two}", "The {one} is {place} the {two}")


def test_no_other_place_is_read_and_nearly_all_are() -> None:
    rng = random.Random(1)
    wrong, unread, count = [], [], 0
    for _ in range(1500):
        places = rng.sample(list(PLACES), 4)
        if any(pair <= set(places) for pair in ALIKE):
            continue
        one, two = rng.choice([("dog", "bench"), ("mug", "laptop"), ("cat", "red car")])
        form = rng.choice(OPTIONS)
        texts = [form.format(one=one, two=two, place=place) for place in places]
        right = rng.randrange(4)
        place = rng.choice(PLACES[places[right]])
        answer = rng.choice(FRAMES).format(one=one, two=two, place=place)
        question = f"Where is the {one} in relation to the {two}?"
        reading = extract_option(answer, texts, question=question).value
        count += 1
        if reading is None:
            unread.append((answer, texts))
        elif reading != right:
            wrong.append((answer, texts, reading))
    assert wrong == []
    assert len(unread) < count / 40, unread
