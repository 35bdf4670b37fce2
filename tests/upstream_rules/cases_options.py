"""Hand-worked cases of options and examples (sections 6.6 and 8.2 to 8.5)."""

from __future__ import annotations

from string import ascii_lowercase

from upstream_rules.cases import Case, Scripted
from upstream_rules.options import Hierarchy

NAMES = {
    "r": ["thing"],
    "a": ["animal"],
    "p": ["plant"],
    "c": ["cat"],
    "d": ["dog", "hound"],
    "b": ["bird"],
}
CHILDREN = {"r": ["a", "p"], "a": ["c", "d", "b"]}
FATHERS = {"a": ["r"], "p": ["r"], "c": ["a"], "d": ["a"], "b": ["a"]}
TREE = Hierarchy(NAMES, CHILDREN, FATHERS)
# A later concept takes the name "cat".
OTHER_CAT = Hierarchy({**NAMES, "z": ["tiger", "cat"]}, CHILDREN, FATHERS)
# A dog is both an animal and a pet.
PETS = Hierarchy(
    {**NAMES, "t": ["pet"], "f": ["fish"]},
    {"r": ["a", "t"], "a": ["c", "d"], "t": ["f", "d"]},
    {"a": ["r"], "t": ["r"], "c": ["a"], "d": ["a", "t"], "f": ["t"]},
)
TOP = ["animal", "plant"]
LOW = ["dog", "cat", "bird"]
HOUND = ["hound", "cat", "dog", "bird"]

FIRST = (0.0, 0.0, 0.4, 0.4)
SECOND = (0.6, 0.6, 1.0, 1.0)
MOVED = (0.2, 0.2, 0.6, 0.6)
SAME = (1.0, 0.0, 0.0)
MOVE = (1.0, 0.2, 0.2)
ONE = [("dog", [FIRST])]
TWO = [("dog", [FIRST]), ("cat", [SECOND])]
PAIR = [("dog", [FIRST, SECOND])]
CORNER = (0.7, 0.7, 0.9, 0.9)

CASES = {
    "omnibenchmark_sets": [
        Case(([("animal", "dog")], TREE), {**dict.fromkeys(TOP, TOP), **dict.fromkeys(LOW, LOW)}),
        Case(
            ([("animal", "dog"), ("animal", "cat")], TREE),
            {**dict.fromkeys(TOP, TOP), **dict.fromkeys(LOW, LOW)},
            "cat is in a set already",
        ),
        Case(
            ([("animal", "dog")], OTHER_CAT),
            {**dict.fromkeys(TOP, TOP), "dog": ["dog", "bird"], "bird": ["dog", "bird"]},
            "the cat among the children is not the owner of its name",
        ),
        Case(
            ([("animal", "dog"), ("pet", "fish")], PETS),
            {
                "animal": ["animal", "pet"],
                "pet": ["animal", "pet"],
                "cat": ["dog", "cat"],
                "dog": ["fish", "dog"],
                "fish": ["fish", "dog"],
            },
            "the second set takes the dog from the first",
        ),
        Case(
            ([("dog",)], PETS),
            {"dog": ["dog", "cat"], "cat": ["dog", "cat"]},
            "at level 0 the first father counts",
        ),
        Case(
            ([("plant",)], TREE),
            {"plant": ["plant", "animal"], "animal": ["plant", "animal"]},
            "the founder stands first",
        ),
        Case(
            ([("animal", "hound")], TREE),
            {
                **dict.fromkeys(TOP, TOP),
                **dict.fromkeys(HOUND, HOUND),
            },
            "a label by a later alias does not remove the first one",
        ),
    ],
    "omnibenchmark_options": [
        Case(
            ([("animal", "dog")], TREE, 2, Scripted()),
            [[["animal", "plant"], ["dog", "cat", "bird"]]],
        ),
        Case(([("animal", "dog")], TREE, 1, Scripted()), [[["animal", "plant"], ["dog", "bird"]]]),
        Case(([("animal", "dog")], TREE, 0, Scripted()), [[["animal"], ["dog"]]]),
        Case(
            ([("animal", "dog"), ("animal", "cat")], TREE, 2, Scripted()),
            [
                [["animal", "plant"], ["dog", "cat", "bird"]],
                [["animal", "plant"], ["cat", "dog", "bird"]],
            ],
            "dog and bird are reversed, cat added, all reversed",
        ),
        Case(([("plant",)], TREE, 3, Scripted()), [[["plant", "animal"]]]),
        Case(
            ([("animal", "dog"), ("pet", "fish")], PETS, 3, Scripted()),
            [[["animal", "pet"], ["dog", "fish"]], [["pet", "animal"], ["fish", "dog"]]],
            "sets are complete before options are drawn",
        ),
    ],
    "fsc147_options": [
        Case((9, 2), [7, 8, 9, 6, 5]),
        Case((10, 2), [13, 14, 10, 11, 12]),
        Case((19, 2), [17, 18, 19, 16, 15]),
        Case((25, 2), [23, 24, 25, 26, 27]),
        Case((1, 2), [0, 1, 2, 3]),
        Case((0, 2), [0, 1, 2]),
        Case((11, 2), [14, 10, 11, 12, 13]),
        Case((8, 2), [6, 7, 8, 9, 5]),
        Case((99, 2), [97, 98, 99, 96, 95]),
        Case((10, 1), [12, 10, 11]),
    ],
    "flickr_random": [
        Case((["a", "b", "c", "d"], ["a", "b"], 1, Scripted()), ["d", "b"]),
        Case((["a", "b", "c", "d"], ["a", "b"], 2, Scripted()), ["d", "c", "b"]),
        Case((["a", "x", "a"], ["a"], 2, Scripted()), ["a", "x", "a"], "its double stays"),
        Case((["x", "a"], ["a"], 5, Scripted()), ["x", "a"], "no more than there are"),
        Case((["a", "b"], ["a", "b"], 1, Scripted()), ["b"]),
        Case((["c", "a", "d", "b"], ["a", "b"], 0, Scripted()), ["b"]),
    ],
    "flickr_top_similarity": [
        Case(
            (["a", "b", "c", "d", "a"], [0, 1], {1: [1, 0, 4, 2, 3]}, 2, Scripted()),
            ["a", "c", "b"],
            "the last own caption is drawn; a double of the other stays",
        ),
        Case((["a", "b", "c"], [0], {0: [0, 2, 1]}, 1, Scripted()), ["c", "a"]),
        Case((["a", "b", "c"], [0], {0: [0, 2, 1]}, 5, Scripted()), ["c", "b", "a"]),
        Case(
            (list(ascii_lowercase), [0], {0: list(range(26))}, 30, Scripted()),
            [*"bcdefghijklmnopqrst", "a"],
            "own captions are among the twenty",
        ),
        Case((["a", "b"], [0, 1], {1: [1, 0]}, 2, Scripted()), ["b"]),
        Case((["a", "b", "c"], [1], {1: [1, 0, 2]}, 0, Scripted()), ["b"]),
    ],
    "flickr_top_p": [
        Case((["a", "b", "c"], [0], [[1, 0.2, 0.5]]), ["a", "c", "b"]),
        Case(
            (["a", "b", "c", "d"], [0, 1], [[1, 0.9, 0.1, 0.3], [0.9, 1, 0.8, 0.2]]),
            ["a", "b", "c", "d"],
        ),
        Case(
            (["a", "b", "c", "d"], [0, 1], [[1, 0.9, 0.1, 0.3], [0.9, 1, 0.2, 0.8]]),
            ["a", "b", "d", "c"],
        ),
        Case((list("abcdefgh"), [0], [[8, 7, 6, 5, 4, 3, 2, 1]]), list("abcdef"), "five"),
        Case((["a", "b", "a"], [0], [[1, 0.5, 1]]), ["a", "a", "b"], "a double stays"),
        Case((["a"], [0], [[1]]), ["a"]),
    ],
    "voc_class_options": [
        Case((["dog"], ["dog", "cat", "aeroplane"], 1, Scripted()), [["a dog", "an aeroplane"]]),
        Case(
            (["dog"], ["dog", "cat", "aeroplane"], 2, Scripted()),
            [["a dog", "an aeroplane", "a cat"]],
        ),
        Case(
            (["dog", "cat"], ["dog", "cat", "bus", "car"], 1, Scripted()),
            [["a dog", "a car"], ["a cat", "a bus"]],
            "the list stays shuffled",
        ),
        Case((["dog"], ["dog"], 3, Scripted()), [["a dog"]]),
        Case(([], ["dog", "cat"], 1, Scripted()), []),
        Case((["cat"], ["bus", "cat", "car", "dog"], 2, Scripted()), [["a cat", "a dog", "a car"]]),
    ],
    "voc_models": [
        Case((ONE, "dog"), [FIRST, FIRST]),
        Case((TWO, "dog"), [FIRST, FIRST, SECOND]),
        Case((TWO, "cat"), [SECOND, FIRST, SECOND]),
        Case((PAIR, "dog"), [FIRST, SECOND, FIRST, SECOND]),
        Case(([("dog", [FIRST]), ("cat", [])], "dog"), [FIRST, FIRST]),
        Case(
            ([("cat", [MOVED, SECOND]), ("dog", [FIRST])], "dog"),
            [FIRST, MOVED, SECOND, FIRST],
        ),
    ],
    "voc_box_candidates": [
        Case((ONE, "dog", 1, Scripted(*MOVE, *SAME)), [MOVED], "the second try is the box itself"),
        Case(
            (ONE, "dog", 1, Scripted(*SAME, *SAME, 0.8, 0.8, 0.2, 0.2)),
            [CORNER],
            "none of the tries will do",
        ),
        Case(
            (ONE, "dog", 1, Scripted(1.0, -0.2, -0.2, *SAME)),
            [(0.0, 0.0, 0.2, 0.2)],
            "clipped after the shift",
        ),
        Case(
            (TWO, "dog", 1, Scripted(*SAME, *SAME, *SAME)),
            [SECOND],
            "a box of another class is no obstacle",
        ),
        Case(
            (ONE, "dog", 2, Scripted(*MOVE, *SAME, *SAME, *MOVE)),
            [MOVED, MOVED],
            "two tries for each of two models",
        ),
        Case(
            (ONE, "dog", 1, Scripted(*SAME, *SAME, 0.2, 0.2, 0.4, 0.4, 0.8, 0.8, 0.2, 0.2)),
            [CORNER],
            "the first free box is the right one",
        ),
        Case(
            (ONE, "dog", 1, Scripted(0.5, 0.0, 0.0, *SAME)),
            [(0.1, 0.1, 0.3, 0.3)],
            "one factor for both sides: a quarter of the box",
        ),
    ],
    "voc_box_options": [
        Case((ONE, "dog", 1, Scripted(*MOVE, *SAME)), [[FIRST, MOVED]]),
        Case((ONE, "dog", 0, Scripted()), [[FIRST]]),
        Case(
            (ONE, "dog", 1, Scripted(*MOVE, 1.0, -0.2, -0.2)),
            [[FIRST, (0.0, 0.0, 0.2, 0.2)]],
            "two candidates, reversed",
        ),
        Case(
            (PAIR, "dog", 1, Scripted(*MOVE, *SAME, 1.0, -0.2, -0.2, *SAME)),
            [[FIRST, (0.0, 0.0, 0.2, 0.2)], [SECOND, MOVED]],
            "reversed once more for the second box",
        ),
        Case((TWO, "cat", 1, Scripted(*SAME, *SAME, *SAME)), [[SECOND, FIRST]]),
        Case((ONE, "dog", 1, Scripted(*SAME, *SAME, 0.8, 0.8, 0.2, 0.2)), [[FIRST, CORNER]]),
    ],
    "box_text": [
        Case(((0.5, 0.25, 1, 0),), "[0.5, 0.25, 1.0, 0.0]"),
        Case(((0.1, 0.2, 0.3, 0.4),), "[0.1, 0.2, 0.3, 0.4]"),
        Case(((0.123, 0.456, 0.789, 0.999),), "[0.12, 0.46, 0.79, 1.0]"),
        Case(((0, 0, 1, 1),), "[0.0, 0.0, 1.0, 1.0]"),
        Case(((0.05, 0.001, 0.909, 0.99),), "[0.05, 0.0, 0.91, 0.99]"),
        Case(((0.204, 0.206, 0.3, 0.77),), "[0.2, 0.21, 0.3, 0.77]"),
    ],
    "shikra_text": [
        Case(("dog", (0.5, 0.25, 1, 0)), "dog[0.500,0.250,1.000,0.000]"),
        Case(("cat", (0.1, 0.2, 0.3, 0.4)), "cat[0.100,0.200,0.300,0.400]"),
        Case(("a", (0.1234, 0.4567, 0.7, 0.9999)), "a[0.123,0.457,0.700,1.000]"),
        Case(("car", (0, 0, 1, 1)), "car[0.000,0.000,1.000,1.000]"),
        Case(("tvmonitor", (0.001, 0, 0, 0)), "tvmonitor[0.001,0.000,0.000,0.000]"),
        Case(("", (0, 0, 0, 0.5)), "[0.000,0.000,0.000,0.500]"),
    ],
    "kosmos_text": [
        Case(((0, 0, 0.5, 0.5),), "<object><patch_index_0000><patch_index_0528></object>"),
        Case(((0, 0, 1, 1),), "<object><patch_index_0000><patch_index_1056></object>"),
        Case(((0.5, 0, 1, 0.5),), "<object><patch_index_0016><patch_index_0544></object>"),
        Case(((0, 0.5, 0.5, 1),), "<object><patch_index_0512><patch_index_1040></object>"),
        Case(((0.04, 0.04, 0.1, 0.1),), "<object><patch_index_0033><patch_index_0099></object>"),
        Case(((0, 0, 0.99, 0.99),), "<object><patch_index_0000><patch_index_1023></object>"),
    ],
    "random_examples": [
        Case((1, 1, 2, 7), [[0], [0]]),
        Case((1, 1, 1, 0), [[0]]),
        Case((5, 0, 2, 0), [[], []]),
        Case((5, 2, 0, 0), []),
        Case((1, 1, 3, 1), [[0], [0], [0]]),
        Case((3, 0, 1, 1), [[]]),
    ],
    "fixed_examples": [
        Case((5, 2, 2, 0, [3, 1]), [[3, 1], [3, 1]]),
        Case((5, 2, 1, 0, [3, 3]), [[3, 3]], "repeats are allowed"),
        Case((1, 1, 2, 7), [[0], [0]]),
        Case((5, 0, 2, 0), [[], []]),
        Case((5, 2, 0, 0, [1, 2]), []),
        Case((5, 1, 3, 0, [4]), [[4], [4], [4]]),
    ],
    "examples_of_batch": [
        Case(([[0], [1], [2], [3]], 0, 2), [[0], [1]]),
        Case(([[0], [1], [2], [3]], 1, 2), [[2], [3]]),
        Case(([[0], [1], [2]], 1, 1), [[1]], "the short last batch gets another item's"),
        Case(([[0], [1], [2], [3], [4]], 2, 1), [[2]]),
        Case(([[0, 9]], 0, 1), [[0, 9]]),
        Case(([[0]], 1, 1), []),
    ],
    "nearest_examples": [
        Case(([3, 1, 2], 3, 2), [1, 2]),
        Case(([3, 1, 2], 9, 2), [3, 1]),
        Case(([1, 3, 2], 3, 2), [1, 2]),
        Case(([1, 2, 3], 3, 1), [1], "own row beyond the search"),
        Case(([3], 3, 0), []),
        Case(([3, 1, 2, 4], 1, 3), [3, 2, 4]),
    ],
    "rendered_examples": [
        Case(([("q", "a")], "now", "It is {option}."), "q\nIt is a.now"),
        Case(([("q", "a"), ("r", "b")], "now", "{option}"), "q\na\nr\nbnow"),
        Case(([], "now", "{option}"), "now"),
        Case(([("q", ["x", "y"])], "?", "{option}"), "q\n['x', 'y']?", "a list as Python has it"),
        Case(([("", "a")], "z", "{option}"), "\naz"),
        Case(([("q", "")], "z", "{option}"), "q\nz"),
    ],
}
