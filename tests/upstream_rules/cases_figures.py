"""Hand-worked cases of figures and groups (sections 9.3, 9.4, 9.6 and 9.7)."""

from __future__ import annotations

from upstream_rules.cases import Case
from upstream_rules.figures import Binned
from upstream_rules.groups import MMERow, Row

PETS = ("cat", "dog", "bird", "fish")
SEVEN = ("s", "t", "u", "v", "w", "x", "y")
MAPPED = ("1", "2")
DUNNO = "I don't know."


def bench(vanilla: float, circular: float, option: float, content: float) -> dict[str, float]:
    """The four figures of MMBench."""
    return {
        "vanilla_acc": vanilla,
        "circular_acc": circular,
        "option_match": option,
        "content_match": content,
    }


def acc(right: float, read: float) -> dict[str, float]:
    """The two figures of VQA."""
    return {"ACC": right, "match_ratio": read}


def wino(text: float, image: float, group: float) -> dict[str, float]:
    """The three figures of Winoground."""
    return {"Text": text, "Image": image, "Group": group}


def poll(
    accuracy: float, precision: float | None, recall: float | None, f1: float | None, yes: float
) -> dict[str, float | None]:
    """The five figures of POPE."""
    return {
        "Accuracy": accuracy,
        "Precision": precision,
        "Recall": recall,
        "F1 score": f1,
        "Yes ratio": yes,
    }


def question(image: str, answer: str, task: str = "color") -> MMERow:
    """A question of MME whose right answer is Yes."""
    return MMERow(task, image, answer, "Yes")


CASES = {
    "vqa": [
        Case(([Row(1, "B", PETS, 1)],), acc(100, 100)),
        Case(([Row(1, "?", PETS, 0)],), acc(0, 0)),
        Case(
            (
                [
                    Row(1, "B", PETS, 1),
                    Row(2, "A", PETS, 1),
                    Row(3, "who can say", PETS, 0),
                    Row(4, "bird", PETS, 2),
                ],
            ),
            acc(50, 75),
        ),
        Case(([Row(1, "B", PETS, 1), Row(2, "dog", PETS, 1)], True), acc(50, 50)),
        Case(([Row(1, "G", SEVEN, 6)],), acc(100, 100)),
        Case(([Row(n, "A", PETS, n) for n in range(3)],), acc(100 / 3, 100)),
        Case(([Row(1, "E", PETS, 0)],), acc(0, 100), "a letter beyond the choices is read"),
    ],
    "mmbench": [
        Case(
            ([Row(1, "A", PETS, 0), Row(1000001, "B", PETS, 1)],),
            bench(100, 100, 100, 0),
        ),
        Case(([Row(1, "A", PETS, 0), Row(1000001, "B", PETS, 0)],), bench(100, 0, 100, 0)),
        Case(([Row(1000005, "A", PETS, 1)],), bench(0, 100, 0, 0), "no main row: no members"),
        Case(
            ([Row(1000005, "A", PETS, 0), Row(2000005, "A", PETS, 1)],),
            bench(100, 100, 0, 0),
            "one group, entered by its lowest row",
        ),
        Case(
            ([Row(1, "A", PETS, 0), Row(2, "B", PETS, 0), Row(1000001, "dog", PETS, 1)],),
            bench(50, 50, 200 / 3, 100 / 3),
        ),
        Case(
            ([Row(1, "??", PETS, 0), Row(1000001, "A", PETS, 0)],),
            bench(0, 0, 50, 0),
            "what was not read is no match of content",
        ),
        Case(
            ([Row(1000001, "A", PETS, 1), Row(1, "A", PETS, 0)],),
            bench(100, 0, 100, 0),
            "rows are sorted",
        ),
        Case(([Row(1, "dog", PETS, 1)], True), bench(100, 100, 0, 100)),
    ],
    "mmbench_calibration": [
        Case(
            ([Row(1, "A", PETS, 0, 0.9), Row(1000001, "B", PETS, 0, 0.8)],),
            (bench(100, 0, 100, 0), [1, 1, 0, 0], Binned(0.1, [1], [0.9])),
            "the error is over main rows",
        ),
        Case(
            ([Row(1000005, "A", PETS, 0, 0.6)],),
            (bench(100, 100, 0, 0), [0, 0, 0, 0], Binned(0.4, [1], [0.6])),
        ),
        Case(
            ([Row(1, "??", PETS, 0, 0.5)],),
            (bench(0, 0, 0, 0), [0, 0, 0, 0], Binned(0.5, [0], [0.5])),
        ),
        Case(
            ([Row(1, "E", PETS, 0, 0.5)],),
            (bench(0, 0, 0, 0), [0, 0, 0, 0], Binned(0.5, [0], [0.5])),
            "E is no letter of MMBench",
        ),
        Case(
            ([Row(1, "dog", PETS, 1, 1.0)],),
            (bench(100, 100, 0, 100), [0, 1, 0, 0], Binned(0, [1], [1])),
        ),
        Case(
            ([Row(2, "A", PETS, 0, 0.3), Row(1, "B", PETS, 0, 0.7)],),
            (bench(50, 50, 100, 0), [1, 1, 0, 0], Binned(0.7, [1, 0], [0.3, 0.7])),
        ),
    ],
    "scienceqa_calibration": [
        Case(([Row(1, "A", PETS, 0, 0.8)],), (acc(100, 100), Binned(0.2, [1], [0.8]))),
        Case(([Row(1, "B", PETS, 0, 0.8)],), (acc(0, 100), Binned(0.8, [0], [0.8]))),
        Case(([Row(1, "??", PETS, 0, 0.5)],), (acc(0, 0), Binned(0.5, [0], [0.5]))),
        Case(
            ([Row(1, "A", PETS, 0, 0.6), Row(2, "A", PETS, 1, 0.9)],),
            (acc(50, 100), Binned(0.65, [1, 0], [0.6, 0.9])),
        ),
        Case(([Row(1, "B", PETS, 1, 1.0)], True), (acc(0, 0), Binned(1.0, [0], [1.0]))),
        Case(
            ([Row(n, "A", PETS, 0, 1.0) for n in range(11)],),
            (acc(100, 100), Binned(0, [1] * 10, [1] * 10)),
        ),
    ],
    "instruct_follow": [
        Case(([Row(1, "2", MAPPED, 1)],), 100),
        Case(([Row(1, "A", ("A", "B"), 0)],), 0, "the bare text A"),
        Case(
            ([Row(1000001, "1", MAPPED, 1), Row(1, "2", MAPPED, 1)],),
            0,
            "the first in the file counts, though it is a rotation",
        ),
        Case(([Row(1, "2", MAPPED, 1), Row(2, "2", MAPPED, 0)],), 50),
        Case(([Row(1, "yes", ("Yes", "yes"), 0)],), 100, "case is ignored in the comparison"),
        Case(([Row(1, "", MAPPED, 0)],), 0),
    ],
    "mme": [
        Case(
            ([question("a", "Yes"), question("a", "yes.")],),
            {"color": 100, "color_plus": 100, "overall": 100, "overall_plus": 100},
        ),
        Case(
            ([question("a", "Yes"), question("a", "No")],),
            {"color": 50, "color_plus": 0, "overall": 50, "overall_plus": 0},
        ),
        Case(
            ([question("a", "Yes")],),
            {"color": 100, "color_plus": 0, "overall": 100, "overall_plus": 0},
            "a lone right question is no pair",
        ),
        Case(
            ([question("a", "Yes"), question("a", "No"), question("a", "Yes")],),
            {"color": 200 / 3, "color_plus": 100, "overall": 200 / 3, "overall_plus": 100},
            "two of three count as a pair",
        ),
        Case(
            ([question("a", "Yes")] * 3,),
            {"color": 100, "color_plus": 0, "overall": 100, "overall_plus": 0},
        ),
        Case(
            (
                [
                    question("a", "Yes"),
                    question("b", "Yes", "count"),
                    question("a", "Yes"),
                    question("b", "yes and no", "count"),
                ],
            ),
            {
                "color": 100,
                "color_plus": 100,
                "count": 50,
                "count_plus": 0,
                "overall": 75,
                "overall_plus": 50,
            },
        ),
    ],
    "counting": [
        Case((["3"], [3]), {"MAE": 0, "ACC": 100}),
        Case((["100"], [5]), {"MAE": 5, "ACC": 0}, "capped by the gold number"),
        Case((["none"], [4]), {"MAE": 4, "ACC": 0}),
        Case((["No 5"], [5]), {"MAE": 5, "ACC": 0}),
        Case((["7", "three"], [5, 3]), {"MAE": 1, "ACC": 50}),
        Case((["3."], [3]), {"MAE": 3, "ACC": 0}),
        Case((["2"], [0]), {"MAE": 0, "ACC": 0}),
    ],
    "winoground": [
        Case(([((2, 1, 1, 2), 0)],), wino(1, 1, 1)),
        Case(([((1, 2, 2, 1), 1)],), wino(1, 1, 1)),
        Case(([((1, 2, 2, 1), 2)],), wino(1, 1, 1)),
        Case(([((3, 4, 1, 5), 0)],), wino(1, 0, 0), "3 > 1 and 5 > 4, but 3 < 4"),
        Case(([((3, 1, 4, 5), 0)],), wino(0, 1, 0)),
        Case(([((1, 5, 3, 4), 1)],), wino(1, 0, 0), "captions back: 3, 4, 1, 5"),
        Case(([((4, 3, 5, 1), 2)],), wino(1, 0, 0), "images back: 3, 4, 1, 5"),
        Case(([((1, 1, 1, 1), 0)],), wino(0, 0, 0), "a tie is no win"),
        Case(([((2, 1, 1, 2), 0), ((3, 4, 1, 5), 0)],), wino(1, 0.5, 0.5)),
    ],
    "ch3ef_right": [
        Case(("a", ("a", "b")), True),
        Case(("b", ("a", "b")), False),
        Case((DUNNO, ("a", DUNNO, "b")), True),
        Case(("b", ("a", DUNNO, "b")), False),
        Case(("b", ("a", "b", DUNNO)), True, "the first two, whatever the second is"),
        Case((DUNNO, ("a", "b", DUNNO)), False),
        Case(("I don't know", ("a", "I don't know", "b")), False),
    ],
    "ece": [
        Case(([0.9], [True]), Binned(0.1, [1], [0.9])),
        Case(([0.2, 0.8], [False, True]), Binned(0.2, [0, 1], [0.2, 0.8])),
        Case(([0.8, 0.2], [True, False]), Binned(0.2, [0, 1], [0.2, 0.8])),
        Case(
            ([n / 10 for n in range(11)], [True] * 11),
            Binned(0.5, [1] * 10, [0.05, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]),
            "the first bin has two: (2 * 0.95 + 3.6) / 11",
        ),
        Case(
            ([0.5] * 20, [True] * 10 + [False] * 10),
            Binned(0.5, [1] * 5 + [0] * 5, [0.5] * 10),
        ),
        Case(
            ([n / 100 for n in range(12)], [False] * 12),
            Binned(
                0.055,
                [0.0] * 10,
                [0.005, 0.025, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.11],
            ),
            "two bins of two, then eight of one",
        ),
    ],
    "pope": [
        Case((["Yes", "No"], ["yes", "no"]), poll(1, 1, 1, 1, 0.5)),
        Case((["Yes", "Yes"], ["yes", "no"]), poll(0.5, 0.5, 1, 2 / 3, 1)),
        Case((["No", "No"], ["yes", "no"]), poll(0.5, None, 0, 0, 0), "nothing said yes"),
        Case((["Yes"], ["No"]), poll(1, 1, 1, 1, 1), "No is not the exact label no"),
        Case((["Yes"], ["no"]), poll(0, 0, None, 0, 1)),
        Case((["No"], ["no"]), poll(1, None, None, None, 0), "no yes anywhere"),
        Case((["Yes", "No", "No", "Yes"], ["yes", "yes", "no", "no"]), poll(*[0.5] * 5)),
        Case((["Yes", "No"], ["no", "yes"]), poll(0, 0, 0, 0, 0.5)),
    ],
}
