"""Circular evaluation, worked out by hand after section 7 of the reference.

`GROUPS`: rows of one question as (index, g_index or None, reference answer, answer of the model),
with the hit of the group by VLMEvalKit's rules without a judge (None: the group has no row of its
own index, and is not scored) and by chef's (None: the group is incomplete, so it is counted and not
scored). Every question has the same two to four options; `ROTATED`: questions with all their
rotations.
"""

GROUPS: dict[str, tuple[list[tuple[int, int | None, str, str]], int, bool | None, bool | None]] = {
    # name: (rows, number of options, upstream, corrected)
    "all right": (
        [
            (7, None, "A", "A"),
            (1000007, None, "D", "D"),
            (2000007, None, "C", "C"),
            (3000007, None, "B", "B"),
        ],
        4,
        True,
        True,
    ),
    "first wrong": (
        [
            (7, None, "A", "B"),
            (1000007, None, "D", "D"),
            (2000007, None, "C", "C"),
            (3000007, None, "B", "B"),
        ],
        4,
        False,
        False,
    ),
    "last wrong": (
        [
            (7, None, "A", "A"),
            (1000007, None, "D", "D"),
            (2000007, None, "C", "C"),
            (3000007, None, "B", "A"),
        ],
        4,
        False,
        False,
    ),
    "one not read": (
        [
            (7, None, "A", "A"),
            (1000007, None, "D", "fish"),
            (2000007, None, "C", "C"),
            (3000007, None, "B", "B"),
        ],
        4,
        False,
        False,
    ),
    "refused with Z": ([(7, None, "A", "Z"), (1000007, None, "B", "B")], 2, False, False),
    "two options": ([(7, None, "A", "A"), (1000007, None, "B", "B")], 2, True, True),
    "order of rows": ([(1000007, None, "B", "B"), (7, None, "A", "A")], 2, True, True),
    "rotations missing": ([(7, None, "A", "A"), (1000007, None, "D", "D")], 4, True, None),
    "rotations missing, wrong": ([(7, None, "A", "A"), (1000007, None, "D", "C")], 4, False, None),
    "main row missing": (
        [(1000007, None, "D", "D"), (2000007, None, "C", "C"), (3000007, None, "B", "B")],
        4,
        None,
        None,
    ),
    "column g_index": ([(1, 1, "A", "A"), (2, 1, "B", "B")], 2, True, True),
    "column g_index, wrong": ([(1, 1, "A", "A"), (2, 1, "B", "A")], 2, False, False),
    "g_index before the index": ([(5, 5, "A", "A"), (17, 5, "B", "B")], 2, True, True),
    "ten millions": (
        [(3, 3, "B", "B"), (10000003, 3, "A", "A"), (20000003, 3, "C", "C")],
        3,
        True,
        True,
    ),
    "by text": ([(7, None, "A", "cat"), (1000007, None, "B", "cat")], 2, True, True),
    "by text, the same letter twice": (
        [(7, None, "A", "A"), (1000007, None, "B", "A")],
        2,
        False,
        False,
    ),
}

# A question (index, options, answer), and the rows that it becomes: (index, options, answer).
Row = tuple[int, dict[str, str], str]
ROTATED: dict[str, tuple[Row, int, list[Row]]] = {
    # name: (question, the largest index of the table, rows)
    "four": (
        (5, {"A": "w", "B": "x", "C": "y", "D": "zz"}, "A"),
        5,
        [
            (5, {"A": "w", "B": "x", "C": "y", "D": "zz"}, "A"),
            (1000005, {"A": "x", "B": "y", "C": "zz", "D": "w"}, "D"),
            (2000005, {"A": "y", "B": "zz", "C": "w", "D": "x"}, "C"),
            (3000005, {"A": "zz", "B": "w", "C": "x", "D": "y"}, "B"),
        ],
    ),
    "four, answer C": (
        (5, {"A": "w", "B": "x", "C": "y", "D": "zz"}, "C"),
        5,
        [
            (5, {"A": "w", "B": "x", "C": "y", "D": "zz"}, "C"),
            (1000005, {"A": "x", "B": "y", "C": "zz", "D": "w"}, "B"),
            (2000005, {"A": "y", "B": "zz", "C": "w", "D": "x"}, "A"),
            (3000005, {"A": "zz", "B": "w", "C": "x", "D": "y"}, "D"),
        ],
    ),
    "two": (
        (0, {"A": "Yes", "B": "No"}, "B"),
        9,
        [
            (0, {"A": "Yes", "B": "No"}, "B"),
            (1000000, {"A": "No", "B": "Yes"}, "A"),
        ],
    ),
    "three": (
        (1, {"A": "p", "B": "q", "C": "r"}, "B"),
        9,
        [
            (1, {"A": "p", "B": "q", "C": "r"}, "B"),
            (1000001, {"A": "q", "B": "r", "C": "p"}, "A"),
            (2000001, {"A": "r", "B": "p", "C": "q"}, "C"),
        ],
    ),
    "five": (
        (2, {"A": "p", "B": "q", "C": "r", "D": "s", "E": "t"}, "E"),
        9,
        [
            (2, {"A": "p", "B": "q", "C": "r", "D": "s", "E": "t"}, "E"),
            (1000002, {"A": "q", "B": "r", "C": "s", "D": "t", "E": "p"}, "D"),
            (2000002, {"A": "r", "B": "s", "C": "t", "D": "p", "E": "q"}, "C"),
            (3000002, {"A": "s", "B": "t", "C": "p", "D": "q", "E": "r"}, "B"),
            (4000002, {"A": "t", "B": "p", "C": "q", "D": "r", "E": "s"}, "A"),
        ],
    ),
    "largest index below a million": (
        (5, {"A": "p", "B": "q"}, "A"),
        999999,
        [
            (5, {"A": "p", "B": "q"}, "A"),
            (1000005, {"A": "q", "B": "p"}, "B"),
        ],
    ),
    "largest index a million": (
        (5, {"A": "p", "B": "q"}, "A"),
        1000000,
        [
            (5, {"A": "p", "B": "q"}, "A"),
            (10000005, {"A": "q", "B": "p"}, "B"),
        ],
    ),
    "largest index above a million": (
        (1000001, {"A": "p", "B": "q"}, "A"),
        1000001,
        [
            (1000001, {"A": "p", "B": "q"}, "A"),
            (11000001, {"A": "q", "B": "p"}, "B"),
        ],
    ),
    "largest index ten millions": (
        (5, {"A": "p", "B": "q"}, "A"),
        10000000,
        [
            (5, {"A": "p", "B": "q"}, "A"),
            (100000005, {"A": "q", "B": "p"}, "B"),
        ],
    ),
    "one label in a text": (
        (5, {"A": "only A", "B": "q"}, "A"),
        5,
        [
            (5, {"A": "only A", "B": "q"}, "A"),
            (1000005, {"A": "q", "B": "only A"}, "B"),
        ],
    ),
    "a text that is a label": ((5, {"A": "B", "B": "q"}, "A"), 5, [(5, {"A": "B", "B": "q"}, "A")]),
    "a text with two labels": (
        (5, {"A": "p", "B": "q", "C": "A and B"}, "A"),
        5,
        [(5, {"A": "p", "B": "q", "C": "A and B"}, "A")],
    ),
    "no options": ((5, {}, "A"), 5, [(5, {}, "A")]),
    "an answer that is no option": (
        (5, {"A": "p", "B": "q"}, "C"),
        5,
        [(5, {"A": "p", "B": "q"}, "C")],
    ),
}
