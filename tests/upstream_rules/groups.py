"""Figures over questions with options, alone or in groups (sections 9.3, 9.7 and 15)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from upstream_rules.figures import Binned, ece
from upstream_rules.verdicts import LETTERS, fetch_answer, followed_option, mme_reading

MILLION = 1_000_000


class Row(NamedTuple):
    """One question with options: `prob` is read by the calibration figures only."""

    id: int
    answer: str
    choices: Sequence[str]
    gt_choice: int
    prob: float = 0.0


class MMERow(NamedTuple):
    """One yes/no question of MME."""

    task: str
    image: str
    answer: str
    gt: str


def percent(part: float, whole: int) -> float:
    """A share of a hundred."""
    return part / whole * 100


def vqa(rows: Sequence[Row], content_only: bool = False) -> dict[str, float]:
    """9.3, VQA: letters A to G; an eighth option raises."""
    letters = [fetch_answer(row.answer, row.choices, content_only)[0] for row in rows]
    right = sum(letter == LETTERS[row.gt_choice] for letter, row in zip(letters, rows, strict=True))
    # Open: "parsed" means that a letter was read, not that content_match is 1.
    read = sum(letter is not None for letter in letters)
    return {"ACC": percent(right, len(rows)), "match_ratio": percent(read, len(rows))}


def mmbench_read(row: Row, content_only: bool) -> tuple[str | None, int, int]:
    """9.3, MMBenchVQA: "Letters 'ABCD' only"; a fifth option can be met by its content."""
    return fetch_answer(row.answer, row.choices, content_only, "ABCD")


def mmbench_right(row: Row, content_only: bool) -> bool:
    """9.3, MMBenchVQA: gold letters are A to D only; a fifth option as gold raises (D41)."""
    return mmbench_read(row, content_only)[0] == "ABCD"[row.gt_choice]


def entered(rows: Sequence[Row]) -> list[tuple[Row, list[Row]]]:
    """9.3: per question its first row and its members, rows being sorted by number.

    Members are the rows whose number mod a million is the number of the first row: none, if the
    main row is missing (D41).
    """
    questions: dict[int, list[Row]] = {}
    for row in sorted(rows, key=lambda row: int(row.id)):
        questions.setdefault(row.id % MILLION, []).append(row)
    # No other question has the number of a first row that is a rotation.
    return [
        (members[0], members if members[0].id == main else [])
        for main, members in questions.items()
    ]


def mmbench(rows: Sequence[Row], content_only: bool = False) -> dict[str, float]:
    """9.3 and 15, MMBenchVQA."""
    groups = entered(rows)
    # Open: the first row of a group without members still counts for vanilla by its own answer.
    vanilla = sum(mmbench_right(first, content_only) for first, _ in groups)
    circular = sum(all(mmbench_right(row, content_only) for row in rest) for _, rest in groups)
    options = contents = 0
    # Open: no member is skipped after a wrong one.
    for _, members in groups:
        for row in members:
            letter, option, content = mmbench_read(row, content_only)
            if letter is not None:
                options += option
                contents += content
    return {
        "vanilla_acc": percent(vanilla, len(groups)),
        "circular_acc": percent(circular, len(groups)),
        "option_match": percent(options, len(rows)),
        "content_match": percent(contents, len(rows)),
    }


def mmbench_calibration(
    rows: Sequence[Row], content_only: bool = False
) -> tuple[dict[str, float], list[int], Binned]:
    """9.7 and 15: the MMBench figures, how often A to D were read, and the bins."""
    prednum = [0, 0, 0, 0]
    for _, members in entered(rows):
        for row in members:
            letter = mmbench_read(row, content_only)[0]
            # Open: a letter beyond D is not counted.
            if letter is not None and letter in "ABCD":
                prednum["ABCD".index(letter)] += 1
    # Open: "the first row met" is the first of the sorted rows, as for vanilla.
    firsts = [first for first, _ in entered(rows)]
    correct = [mmbench_right(row, content_only) for row in firsts]
    return mmbench(rows, content_only), prednum, ece([row.prob for row in firsts], correct)


def scienceqa_calibration(
    rows: Sequence[Row], content_only: bool = False
) -> tuple[dict[str, float], Binned]:
    """9.1 and 9.7: the VQA figures and the bins over all rows."""
    correct = [
        fetch_answer(row.answer, row.choices, content_only)[0] == LETTERS[row.gt_choice]
        for row in rows
    ]
    return vqa(rows, content_only), ece([row.prob for row in rows], correct)


def instruct_follow(rows: Sequence[Row]) -> float:
    """9.7 and 15: one row per question, the first in file order whatever its rotation.

    `choices` are the mapped option strings.
    """
    seen: set[int] = set()
    right = 0
    for row in rows:
        main = row.id % MILLION
        if main in seen:
            continue
        seen.add(main)
        option = followed_option(row.answer, row.choices)
        if option is not None and option.lower() == row.choices[row.gt_choice].lower():
            right += 1
    return percent(right, len(seen))


def mme(rows: Sequence[MMERow]) -> dict[str, float]:
    """9.3 and 15, MMEVQA: a pair is right iff exactly two answers to its image are."""
    figures: dict[str, float] = {}
    right_of_image: dict[tuple[str, str], int] = {}
    right_of_task: dict[str, list[bool]] = {}
    for row in rows:
        right = mme_reading(row.answer) == row.gt.lower()
        right_of_task.setdefault(row.task, []).append(right)
        # Open: an image that two subtasks share is counted in each of them.
        key = (row.task, row.image)
        right_of_image[key] = right_of_image.get(key, 0) + right
    for task, verdicts in right_of_task.items():
        pairs = [count == 2 for (owner, _), count in right_of_image.items() if owner == task]
        figures[task] = percent(sum(verdicts), len(verdicts))
        figures[f"{task}_plus"] = percent(sum(pairs), len(pairs))
    every = [right for verdicts in right_of_task.values() for right in verdicts]
    figures["overall"] = percent(sum(every), len(every))
    all_pairs = [count == 2 for count in right_of_image.values()]
    figures["overall_plus"] = percent(sum(all_pairs), len(all_pairs))
    return figures
