"""Hand-worked cases of boxes and detection (sections 9.2 and 9.5)."""

from __future__ import annotations

from upstream_rules.cases import Case, lemmas
from upstream_rules.detection import MultiTurn, PplTurns, SingleTurn

UPPER = (0.0, 0.0, 0.5, 0.5)
LOWER = (0.5, 0.5, 1.0, 1.0)
WHOLE = (0.0, 0.0, 1.0, 1.0)
TINY = (0.101, 0.101, 0.104, 0.104)
DOG = [("dog", UPPER)]
BOTH = [("dog", UPPER), ("cat", LOWER)]
UPPER_TEXT = "[0.0, 0.0, 0.5, 0.5]"
LOWER_TEXT = "[0.5, 0.5, 1.0, 1.0]"
STEP = 1 / 32


def pooled(precision: float | None, recall: float | None) -> dict[str, float | None]:
    """The two pooled figures."""
    return {"mAP@0.5": precision, "mAR@0.5": recall}


def scored(
    classes: float | None, boxes: float | None, recall: float | None
) -> dict[str, float | None]:
    """The four figures by option scoring."""
    return {"classification_acc": classes, "grounding_acc": boxes, **pooled(boxes, recall)}


def lamm(*figures: float) -> dict[str, float]:
    """The eight figures of LAMM_Detection."""
    names = [
        f"{kind}{way}@{threshold}"
        for threshold in ("0.50", "0.25")
        for way in ("", "_wocat")
        for kind in ("recall", "prec")
    ]
    return dict(zip(names, figures, strict=True))


CASES = {
    "parse_bbox": [
        Case(("[0.1, 0.2, 0.3, 0.4]",), [(0.1, 0.2, 0.3, 0.4)]),
        Case(
            ("(0.1,0.2,0.3,0.4) [0.5,0.6,0.7,0.8]",),
            [(0.5, 0.6, 0.7, 0.8), (0.1, 0.2, 0.3, 0.4)],
            "square brackets of the whole text go first",
        ),
        Case(("0.1 0.2 0.3 0.4",), [(0.1, 0.2, 0.3, 0.4)]),
        Case(("[0.3,0.4,0.1,0.2]",), [(0.1, 0.2, 0.3, 0.4)], "flipped"),
        Case(("[0.3,0.2,0.1,0.4]",), [], "reversed on one axis"),
        Case(("(0.1,0.2),(0.3,0.4)",), [(0.1, 0.2, 0.3, 0.4)]),
        Case(("[dog] 0.1 0.2 0.3 0.4",), [(0.1, 0.2, 0.3, 0.4)]),
        Case(("[1] 0.1 0.2 0.3 0.4",), [], "a number in a bracket: the rest is not read"),
        Case(("[-0.1, 0.2, 0.3, 0.4]",), [(-0.1, 0.2, 0.3, 0.4)], "a sign is part of it"),
        Case(("[.5, 0.6, 0.7, 0.8]",), [(0.5, 0.6, 0.7, 0.8)], "as float() reads it"),
        Case(("[0.1,0.2,0.3]",), []),
        Case(("",), []),
    ],
    "parse_kosmos_bbox": [
        Case(
            ("<object><patch_index_0000><patch_index_1023></object>",),
            [(0, 0, 31 * STEP, 31 * STEP)],
        ),
        Case(
            ("a <object><patch_index_0033><patch_index_0066></object>",),
            [(STEP, STEP, 2 * STEP, 2 * STEP)],
        ),
        Case(
            ("<object><patch_index_0000><patch_index_1056></object>",),
            [(0, 0, 0, 33 * STEP)],
            "not clamped",
        ),
        Case(
            ("<object><patch_index_0066><patch_index_0033></object>",),
            [(2 * STEP, 2 * STEP, STEP, STEP)],
        ),
        Case(
            ("<object><patch_index_0000><patch_index_0001></object>" * 2,),
            [(0, 0, STEP, 0)] * 2,
        ),
        Case(("<patch_index_0000><patch_index_0001>",), [], "outside an object"),
        Case(("<object><patch_index_0000></object>",), []),
        Case(("",), []),
    ],
    "parse_keypoints": [
        Case(("(0.1, 0.2)",), [(0.1, 0.2)]),
        Case(("(0.1,0.2) [0.5,0.6]",), [(0.5, 0.6), (0.1, 0.2)]),
        Case(("0.1 0.2 0.3",), [(0.1, 0.2)]),
        Case(("(0.9, 0.1)",), [(0.9, 0.1)]),
        Case(("at 3, 4",), [(3, 4)]),
        Case(("",), []),
    ],
    "check_inside_bbox": [
        Case(((0.2, 0.2), UPPER), True),
        Case(((0.5, 0.2), UPPER), False, "on the border"),
        Case(((0.2, 0.0), UPPER), False),
        Case(((0.6, 0.2), UPPER), False),
        Case(((0.2, 0.6), UPPER), False),
        Case(((0.75, 0.75), LOWER), True),
    ],
    "cal_iou": [
        Case((UPPER, UPPER), 1),
        Case((WHOLE, (0, 0, 0.5, 1)), 0.5),
        Case((UPPER, LOWER), 0, "they touch"),
        Case(((0, 0, 2, 2), (1, 1, 3, 3)), 1 / 7),
        Case((WHOLE, (2, 2, 3, 3)), 0),
        Case((WHOLE, UPPER), 0.25),
    ],
    "detection_single_turn": [
        Case(([SingleTurn(DOG, f"a dog at {UPPER_TEXT}")], lemmas), pooled(100, 100)),
        Case(([SingleTurn(DOG, f"a cat at {UPPER_TEXT}")], lemmas), pooled(0, 0)),
        Case(
            ([SingleTurn(DOG * 2, f"a dog at {UPPER_TEXT}")], lemmas),
            pooled(200, 100),
            "one box serves two objects",
        ),
        Case(([SingleTurn(DOG, "a dog")], lemmas), pooled(None, 0)),
        Case(([SingleTurn(DOG, f"a dog {UPPER_TEXT} {LOWER_TEXT}")], lemmas), pooled(50, 100)),
        Case(
            ([SingleTurn([("dog", WHOLE)], "a dog [0, 0, 0.5, 1]")], lemmas),
            pooled(0, 0),
            "an IoU of 0.5 is not more",
        ),
        Case(
            (
                [
                    SingleTurn(DOG, f"a dog {UPPER_TEXT}"),
                    SingleTurn(DOG, f"a dog {LOWER_TEXT} {LOWER_TEXT} {LOWER_TEXT}"),
                ],
                lemmas,
            ),
            pooled(25, 50),
        ),
    ],
    "detection_multi_turn": [
        Case(
            (
                [MultiTurn(BOTH, "a dog and a cat", [("dog", UPPER_TEXT), ("cat", LOWER_TEXT)])],
                lemmas,
            ),
            pooled(100, 50),
            "the first class alone",
        ),
        Case(
            ([MultiTurn(BOTH, "a cat", [("dog", UPPER_TEXT), ("cat", LOWER_TEXT)])], lemmas),
            pooled(100, 50),
        ),
        Case(([MultiTurn(BOTH, "a bird", [("dog", UPPER_TEXT)])], lemmas), pooled(None, 0)),
        Case(
            ([MultiTurn(DOG, "a dog", [("dog", UPPER_TEXT * 2)])], lemmas),
            pooled(100, 200),
            "predicted boxes are counted",
        ),
        Case(
            ([MultiTurn(BOTH, "dog cat", [("dog", "here"), ("cat", LOWER_TEXT)])], lemmas),
            pooled(None, 0),
        ),
        Case(
            ([MultiTurn(DOG, "a dog", [("dog", UPPER_TEXT + LOWER_TEXT)])], lemmas),
            pooled(50, 100),
        ),
    ],
    "detection_ppl": [
        Case(
            ([PplTurns(DOG, [("dog", "a dog")], [("dog", UPPER_TEXT)])], lemmas),
            scored(100, 100, 100),
        ),
        Case(
            ([PplTurns(DOG, [("dog", "a cat")], [("dog", UPPER_TEXT)])], lemmas),
            scored(0, None, 0),
        ),
        Case(
            ([PplTurns(DOG, [("dog", "a dog")], [("dog", LOWER_TEXT)])], lemmas),
            scored(100, 0, 0),
        ),
        Case(
            (
                [
                    PplTurns(
                        [("diningtable", UPPER)],
                        [("diningtable", "a diningtable")],
                        [("diningtable", UPPER_TEXT)],
                    )
                ],
                lemmas,
            ),
            scored(0, None, 0),
            "no synset of its own name",
        ),
        Case(
            (
                [
                    PplTurns(
                        BOTH,
                        [("dog", "a dog"), ("cat", "a dog")],
                        [("dog", UPPER_TEXT), ("cat", LOWER_TEXT)],
                    )
                ],
                lemmas,
            ),
            scored(50, 100, 50),
        ),
        Case(
            (
                [
                    PplTurns(
                        [("dog", UPPER), ("dog", LOWER)],
                        [("dog", "a dog")],
                        [("dog", UPPER_TEXT), ("dog", UPPER_TEXT)],
                    )
                ],
                lemmas,
            ),
            scored(100, 100, 100),
            "any box of the class will do",
        ),
        Case(
            (
                [PplTurns([("dog", TINY)], [("dog", "a dog")], [("dog", "[0.1, 0.1, 0.1, 0.1]")])],
                lemmas,
            ),
            scored(100, 0, 0),
            "its own text, rounded, misses",
        ),
    ],
    "lamm_category": [
        Case(("The dog object is here",), "dog"),
        Case(("The red car object",), "red car"),
        Case(("It can be classified as a cat",), "cat"),
        Case(("classified as an apple.",), "apple"),
        Case(("It has the category of bird",), "bird"),
        Case(("A dog",), None),
    ],
    "lamm_predictions": [
        Case(
            (f"The dog object is at {UPPER_TEXT}. The cat object at {LOWER_TEXT}.",),
            [("dog", UPPER), ("cat", LOWER)],
        ),
        Case(("The dog object [0.1,0.2,0.3,0.4]",), [], "a space belongs after each comma"),
        Case((f"The dog object {UPPER_TEXT} {LOWER_TEXT}",), [("dog", UPPER)]),
        Case((f"Here {UPPER_TEXT}",), [(None, UPPER)]),
        Case(
            (f"The dog object {UPPER_TEXT}.\nThe cat object {LOWER_TEXT}",),
            [("dog", UPPER)],
            "no space after the full stop: one sentence",
        ),
        Case(("",), []),
    ],
    "maximum_matching": [
        Case(([[0], [0]],), 1),
        Case(([[0, 1], [0]],), 2),
        Case(([[0], [0, 1], [1, 2]],), 3),
        Case(([[0, 1], [0, 1], [0, 1]],), 2),
        Case(([[], []],), 0),
        Case(([],), 0),
    ],
    "lamm_detection": [
        Case(([SingleTurn(DOG, f"The dog object {UPPER_TEXT}")],), lamm(*[100] * 8)),
        Case(
            ([SingleTurn(DOG, f"The cat object {UPPER_TEXT}")],),
            lamm(0, 0, 100, 100, 0, 0, 100, 100),
        ),
        Case(([SingleTurn(DOG, "nothing")],), lamm(*[0] * 8)),
        Case(
            ([SingleTurn(DOG * 2, f"The dog object {UPPER_TEXT}")],),
            lamm(*[50, 100] * 4),
            "one to one",
        ),
        Case(
            ([SingleTurn([("dog", WHOLE)], "The dog object [0, 0, 0.5, 0.6]")],),
            lamm(0, 0, 0, 0, 100, 100, 100, 100),
        ),
        Case(
            ([SingleTurn([("dog", WHOLE)], "The dog object [0, 0, 0.5, 1]")],),
            lamm(*[100] * 8),
            "0.5 is enough here",
        ),
    ],
    "inside_bbox": [
        Case(([SingleTurn(DOG, "a dog at (0.2, 0.2)")], lemmas), 100),
        Case(([SingleTurn(DOG, "a dog at (0.5, 0.2)")], lemmas), 0),
        Case(([SingleTurn(DOG, "it is at (0.2, 0.2)")], lemmas), 0),
        Case(([SingleTurn(BOTH, "a dog at (0.2, 0.2)")], lemmas), 50),
        Case(([SingleTurn(DOG, "a dog at (0.9, 0.9) (0.1, 0.1)")], lemmas), 100),
        Case(([SingleTurn(DOG, "a dog")], lemmas), 0),
    ],
}
