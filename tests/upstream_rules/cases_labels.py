"""Hand-worked cases of names, words, MMMU and captions (sections 9.4 and 9.6)."""

from __future__ import annotations

from upstream_rules.cases import Case, Scripted, base_form, lemmas
from upstream_rules.mmmu import MMMURow

CHAIN = ("animal", "mammal", "dog", "poodle")
COLOURS = ("red", "green", "blue", "pink")
# The scripted stream takes the last letter, D.
RANDOM = Scripted()


def subject(acc: float, right: int, count: int) -> dict[str, float]:
    """The figures of one subject of MMMU."""
    return {"acc": acc, "correct_nums": right, "sample_nums": count}


def overall(acc: float, count: int) -> dict[str, float]:
    """The figures over all subjects."""
    return {"acc": acc, "sample_nums": count}


CASES = {
    "coarse_grained": [
        Case((["A dog."], ["dog"], lemmas), {"ACC": 100, "SYN_ACC": 100}),
        Case((["an automobile"], ["car"], lemmas), {"ACC": 0, "SYN_ACC": 100}),
        Case((["Dog-like"], ["dog"], lemmas), {"ACC": 100, "SYN_ACC": 100}),
        Case(
            (["dog-like - yes"], ["dog"], lemmas),
            {"ACC": 0, "SYN_ACC": 0},
            "doglike: a hyphen touches a space elsewhere",
        ),
        Case((["ship"], ["boat"], lemmas), {"ACC": 0, "SYN_ACC": 100}),
        Case((["cat", "bird"], ["cat", "dog"], lemmas), {"ACC": 50, "SYN_ACC": 50}),
        Case((["dogs"], ["dog"], lemmas, base_form), {"ACC": 0, "SYN_ACC": 100}),
    ],
    "fine_depth_multi_turn": [
        Case((["animal", "mammal", "cat", "poodle"], CHAIN), 2),
        Case((list(CHAIN), CHAIN), 4),
        Case((["plant", "mammal", "dog", "poodle"], CHAIN), 0),
        Case((["an animal", "mammals", "hotdog", "poodles"], CHAIN), 4, "substrings"),
        Case((["Animal", "mammal", "dog", "poodle"], CHAIN), 0),
        Case(([], CHAIN), 0),
    ],
    "fine_depth_single_turn": [
        Case(("a poodle", CHAIN), 4),
        Case(("an animal, a mammal", CHAIN), 2),
        Case(("animal and poodle", CHAIN), 4, "gaps do not matter"),
        Case(("hotdog", CHAIN), 3),
        Case(("Dog", CHAIN), 0),
        Case(("", CHAIN), 0),
    ],
    "fine_grained": [
        Case((["poodle"], [CHAIN]), 100),
        Case(([["animal", "x", "dog", "poodle"]], [CHAIN]), 25),
        Case((["dog", "x"], [CHAIN, CHAIN]), 37.5),
        Case(([["animal", "mammal"]], [CHAIN[:2]]), 100),
        Case((["mammal", ["animal"]], [CHAIN, CHAIN]), 37.5),
        Case(([""], [CHAIN]), 0),
    ],
    "lamm_classification_right": [
        Case(("dog", "It is a Dog.", lemmas), True),
        Case(("car", "An automobile!", lemmas), True),
        Case(("dog", "dogs", lemmas), False),
        Case(("dog", "dogs", lemmas, base_form), True),
        Case(("diningtable", "the diningtable", lemmas), True, "the label itself counts"),
        Case(("Dog", "a Dog", lemmas), False, "the answer alone is lower-cased"),
        Case(("cat", "a category", lemmas), False),
        Case(("no", "no beard", lemmas, base_form, ("no",)), False, "a stop word"),
    ],
    "smile_reading": [
        Case(("No, she is not smiling",), "-1"),
        Case(("She smiles.",), "1"),
        Case(("She is not.",), "-1"),
        Case(("nobody",), "1"),
        Case(("NO",), "-1"),
        Case(("She isn't smiling",), "1", "its tokens are is and n't"),
        Case(("",), "1"),
    ],
    "ucmerced_right": [
        Case(("beach", "This is a beach."), True),
        Case(("beach", "Beach"), False),
        Case(("river", "a driver"), True),
        Case(("golf course", "golfcourse"), False),
        Case(("harbor", "harbors and boats"), True),
        Case(("beach", ""), False),
    ],
    "svt_share": [
        Case((["hello", "world"], 'The words are "HELLO world"'), 1),
        Case((["hello", "world"], "hello"), 0.5),
        Case((["HELLO"], "HELLO"), 1, "both sides are lower-cased"),
        Case((["hello"], "hello, world"), 0),
        Case((["hello"], "it's hello, don't you hello me, it's"), 1, "s hello, don. t you ..."),
        Case((["hello"], 'a "b" hello'), 0, "outside the quotes"),
        Case((["a"], ""), 0),
    ],
    "mmmu_choice": [
        Case(("B", COLOURS, RANDOM), "B"),
        Case(("(A) then (C)", COLOURS, RANDOM), "C"),
        Case(("B or D", COLOURS, RANDOM), "D"),
        Case(("The answer is (B) not A", COLOURS, RANDOM), "B", "brackets go first"),
        Case(("I would say that it is green here", COLOURS, RANDOM), "B"),
        Case(("not red but the green one here", COLOURS, RANDOM), "B", "the last"),
        Case(("it is green", COLOURS, RANDOM), "D", "too short for contents: by chance"),
        Case(("A red thing that we have here", COLOURS, RANDOM), "A"),
        Case(("B.,", COLOURS, RANDOM), "B"),
        Case(("'C'", COLOURS, RANDOM), "C"),
        Case(("", COLOURS, RANDOM), "D"),
    ],
    "mmmu_open_predictions": [
        Case(("The answer is 5",), [5.0]),
        Case(("x = 3.456",), [3.46]),
        Case(("Dog.",), ["dog"]),
        Case(("A",), [" a", "a "]),
        Case(("It is 5\nso 7",), [5.0, 7.0], "one tail per line"),
        Case(("a = b\nis c",), [" c", "c "], "= counts in the last line alone"),
        Case(("this",), ["this"], "is, as a substring, leaves nothing"),
        Case(("-2 cm",), ["-2 cm", -2.0]),
    ],
    "mmmu_open_right": [
        Case(("The answer is 5", "5"), True),
        Case(("3.456", "3.46"), True),
        Case(("a red dog", "dog"), True),
        Case(("dog", "red dog"), False),
        Case(("1,000", "1000"), True),
        Case(("answer: b", "B"), True, "the tail has the b after a space"),
        Case(("b", "B"), True),
        Case(("6", "5"), False),
        Case(("5", "['5']"), False, "the text of a list"),
        Case(("cat", ["dog", "cat"]), True),
    ],
    "mmmu_figures": [
        Case(
            ([MMMURow("Art", "B", COLOURS, "B")], RANDOM),
            {"Art": subject(100, 1, 1), "Overall": overall(100, 1)},
        ),
        Case(
            ([MMMURow("Art", "A", COLOURS, "B")], RANDOM),
            {"Art": subject(0, 0, 1), "Overall": overall(0, 1)},
        ),
        Case(
            ([MMMURow("Math", "5", (), "5")], RANDOM),
            {"Math": subject(100, 1, 1), "Overall": overall(100, 1)},
        ),
        Case(
            ([MMMURow("Art", "B", COLOURS, "B")] + [MMMURow("Math", "5", (), "6")] * 3, RANDOM),
            {"Art": subject(100, 1, 1), "Math": subject(0, 0, 3), "Overall": overall(25, 4)},
        ),
        Case(
            ([MMMURow("Art", "??", COLOURS, "D")], RANDOM),
            {"Art": subject(100, 1, 1), "Overall": overall(100, 1)},
        ),
        Case(
            ([MMMURow("Art", "(A)", COLOURS, "A"), MMMURow("Art", "B", COLOURS, "A")], RANDOM),
            {"Art": subject(50, 1, 2), "Overall": overall(50, 2)},
        ),
    ],
    "caption_candidates": [
        Case(("A dog. A cat",), ["A dog. A cat", "A dog. A cat", "A dog", " A cat"]),
        Case(('Say "x"',), ['Say "x"', "x", "x"]),
        Case(("a",), ["a", "a", "a"]),
        Case(("It's Tom's",), ["It's Tom's", "s Tom", "s Tom"]),
        Case(('q "a" b "c."',), ['q "a" b "c."', "a.  b . c.", "a", "  b ", " c", ""]),
        Case(("",), ["", "", ""]),
    ],
    "caption_bleu4": [
        Case(("a b c d", ["a b c d."]), 1),
        Case(('He says "a b c d"', ["a b c d"]), 1),
        Case(("x. a b c d", ["a b c d"]), 1),
        Case(("a b c d", ["x", "a b c d"]), 1),
        Case(("a b c d e", ["a b c d f"]), 0.2**0.25, "4/5 * 3/4 * 2/3 * 1/2"),
        Case(("A b c d", ["a b c d"]), 0, "case is kept; no smoothing"),
        Case(("", ["a"]), 0),
    ],
    "rouge_l": [
        Case(("a b", "a b"), 1),
        Case(("a b", "a c"), 0.5),
        Case(("a a", "a"), 1, "sets of words"),
        Case(("a. b", "a b"), 1, "union over sentences"),
        Case(("b a", "a b"), 0.5),
        Case(("x", "a"), 0),
        Case(("", "a"), 0),
    ],
    "caption_rouge": [
        Case(("a b", ["a b."]), 1),
        Case(('Say "a b"', ["a b"]), 1),
        Case(("x. a b", ["a b"]), 1),
        Case(("a b", ["c", "a b"]), 1),
        Case(("a c", ["a b"]), 0.5),
        Case(("", ["a"]), 0),
    ],
    "caption_acc": [
        Case(("a", ["a", "b"]), True),
        Case(("b", ["a", "b"]), True),
        Case(("c", ["a", "b"]), False),
        Case(("A", ["a"]), False),
        Case(("a.", ["a"]), False),
        Case(("", ["a"]), False),
    ],
    "caption_top_acc": [
        Case(([5, 4, 1, 2],), 1),
        Case(([1, 2, 5, 4],), 0),
        Case(([5, 1, 4, 2],), 0.5),
        Case(([9, 8, 1, 2, 7, 6, 5, 3, 2, 4],), 0.6, "best: 0, 1, 4, 5, 6"),
        Case(([-1.0, -5.0, -4.0, -2.0],), 0.5),
        Case(([2, 1],), 1),
    ],
}
