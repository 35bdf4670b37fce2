"""Measure how many answers of the corpus are read as careful people read them.

    python benchmarks/reading.py                    # a table by kind and one by style
    python benchmarks/reading.py --kind option --show wrong unread
    python benchmarks/reading.py --speed            # microseconds an answer, by kind and length

The corpus is ``tests/reading/corpus`` (its README states the format and the conventions). An
answer about options is read once for each rotation of its options, so that no letter is favoured by
the choice of examples. Intervals are Wilson's, at 95 %, over answers.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from tabulate import tabulate

from chef.common.boxes import Box, iou
from chef.common.options import letters
from chef.metric.detection.detection import Detection
from chef.metric.detection.matching import same_class
from chef.reading.final import final_text
from chef.reading.free_answers import compare
from chef.reading.mentions import same_text
from chef.reading.numbers import as_number, extract_number
from chef.reading.options import extract_option
from chef.reading.verdicts import extract_verdict
from chef.stats.scales import wilson

CORPUS = Path(__file__).parents[1] / "tests" / "reading" / "corpus"
_MARK = re.compile("‹(.*?)›", re.DOTALL)


@dataclass(frozen=True)
class Case:
    """One answer of the corpus; ``rotation`` says by how many places its options were moved."""

    id: str
    kind: str
    style: str
    question: str
    answer: str
    right: Any
    options: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    scale: Any = 1
    size: tuple[int, int] | None = None
    fixed: bool = False
    why: str = ""
    rotation: int = 0

    @property
    def marks(self) -> list[str]:
        """The letters in the answer that stand for options."""
        return _MARK.findall(self.answer)

    @property
    def text(self) -> str:
        """The answer as a model writes it, without marks."""
        return self.answer.replace("‹", "").replace("›", "")


def corpus(folder: Path = CORPUS) -> list[Case]:
    """All cases, in the order of the files."""
    lines = (
        line for path in sorted(folder.glob("*.jsonl")) for line in path.open(encoding="utf-8")
    )
    return [_case(json.loads(line)) for line in lines]


def permuted(case: Case, places: Sequence[int]) -> Case:
    """The case with option ``i`` moved to ``places[i]``, and the letters of its answer with it."""
    names = case.labels
    move = {names[old]: names[new] for old, new in enumerate(places)}
    options = dict(zip(places, case.options, strict=True))
    return replace(
        case,
        options=tuple(options[place] for place in range(len(places))),
        answer=_MARK.sub(lambda match: _moved(match[1], move), case.answer),
        right=move.get(case.right, case.right),
    )


def rotations(case: Case) -> Iterator[Case]:
    """The case with its options at each place in turn; only itself where that has no meaning."""
    count = len(case.options)
    if case.kind != "option" or case.fixed or not case.labels:
        yield case
        return
    for shift in range(count):
        moved = permuted(case, [(old + shift) % count for old in range(count)])
        yield replace(moved, rotation=shift)


def reading(case: Case) -> Any:
    """What chef reads in the answer, in the form of ``right``."""
    return _READERS[case.kind](case)


def verdict(case: Case, read: Any) -> str:
    """``right``, ``unread`` (there is an answer, and none was read) or ``wrong``."""
    if case.kind == "boxes":
        right = _same_boxes(read, [Box(item["label"], item["box"]) for item in case.right])
        return "right" if right else "wrong" if read else "unread"
    if case.kind == "open":
        wanted = [] if case.right is None else [str(case.right)]
        number = as_number(read or "")
        same = bool(same_text(read or "", wanted)) or (
            number is not None and number in map(as_number, wanted)
        )
        return "right" if same or (case.right is None and not read) else "wrong"
    if read == case.right:
        return "right"
    return "unread" if read is None else "wrong"


def _case(line: dict[str, Any]) -> Case:
    options = tuple(line.pop("options", ()))
    labels = tuple(line.pop("labels", letters(len(options))))
    lists = {key: tuple(line.pop(key)) for key in ("classes", "size") if line.get(key)}
    known = {key: value for key, value in line.items() if key in Case.__dataclass_fields__}
    return Case(**known, **lists, options=options, labels=labels)


def _moved(letter: str, move: dict[str, str]) -> str:
    by_case = {**{key.lower(): value.lower() for key, value in move.items()}, **move}
    return f"‹{by_case.get(letter, letter)}›"


def _option(case: Case) -> str | None:
    index = extract_option(case.text, case.options, case.labels, case.question).value
    return None if index is None else (case.labels or case.options)[index]


def _boxes(case: Case) -> list[Box]:
    record = {
        "id": case.id, "question": case.question, "answer": case.text,
        "image_size": list(case.size or ()) or None,
        "gt_answers": [{"label": name, "bbox": [0, 0, 1, 1]} for name in case.classes],
    }  # fmt: skip
    boxes = Detection(box_scale=case.scale).predicted_boxes(record)
    # What the data set has no class for is neither right nor wrong.
    return [box for box in boxes if any(same_class(box.label, name) for name in case.classes)]


def _same_boxes(read: Sequence[Box], right: Sequence[Box]) -> bool:
    left = list(right)
    for box in read:
        same = [
            other for other in left
            if iou(box.bbox, other.bbox) > 0.9 and same_class(box.label, other.label)
        ]  # fmt: skip
        if not same:
            return False
        left.remove(same[0])
    return not left


_READERS: dict[str, Callable[[Case], Any]] = {
    "option": _option,
    "yesno": lambda case: extract_verdict(case.text, case.question).value,
    "number": lambda case: extract_number(case.text, case.question).value,
    "boxes": _boxes,
    "open": lambda case: final_text(case.text, case.question),
    "free": lambda case: compare(case.text, ["red"], case.question).right,
}


#: What a model thinks about a street; each text takes other ones of these, in another order.
_THOUGHTS = """
I look at the picture from left to right and note what stands in the street.
There is a red bus at the corner, and a man in a blue jacket waits beside it.
Behind the bus I can see two tall buildings with many windows.
A woman crosses the road with a white dog on a short leash.
The sky is mostly cloudy, so the light is soft and there are hardly any shadows.
On the pavement there are 3 chairs and a small round table made of wood.
The shop in the middle has a green sign, but its letters are too small for me.
One of the people carries an umbrella, which suggests that it may rain soon.
Next to the lamp post there is a bicycle that is not locked to anything.
The animal near the bench has pointed ears and long whiskers like a cat.
However, its tail is short, and the head is rounder than I expected.
It does not look like a fish or a bird, because it has fur and four legs.
The numbers on the door read 27, and a clock above it shows half past four.
If the picture had been taken at night, the lamps would be on.
I also compare the sizes: the van is about twice as long as the car.
In the background a train passes over the bridge, perhaps 40 metres away.
The trees have no leaves, which means that it is late autumn or winter.
Another group of 5 children is playing with a ball near the fence.
The man on the bench reads a newspaper and holds a cup in his left hand.
Let me check the other side of the street, where the windows are open.
""".strip().splitlines()
_TEXTS = ("a cat", "a dog", "a bird", "a fish")
_OBJECTS = "cups plates forks knives lamps books pens boxes"
#: What is timed: the kind of reader, how many words precede, and how the answer ends.
_TIMED = {
    "option, a letter": ("option", 0, "B"),
    "option, a sentence": ("option", 0, "The answer is B."),
    "option, stated after 100 words": ("option", 100, "The answer is (B) a dog."),
    "option, stated after 400 words": ("option", 400, "The answer is (B) a dog."),
    "option, boxed after 400 words": ("option", 400, r"\boxed{B}"),
    "option, only mentioned in 100 words": ("option", 100, "It is probably the dog on the leash."),
    "option, only mentioned in 400 words": ("option", 400, "It is probably the dog on the leash."),
    "yes or no, a word": ("yesno", 0, "Yes"),
    "yes or no, stated after 400 words": ("yesno", 400, "So yes, there is a dog."),
    "yes or no, claimed in 100 words": ("yesno", 100, "I see a dog in the picture."),
    "yes or no, claimed in 400 words": ("yesno", 400, "I see a dog in the picture."),
    "number, digits": ("number", 0, "7"),
    "number, stated after 400 words": ("number", 400, "The answer is 7."),
    "number, claimed in 400 words": ("number", 400, "I count 7 people in the picture."),
    "number, a total of a list": ("number", -47, "That makes 128 altogether."),
    "free answer after 100 words": ("open", 100, "The bus is red."),
    "free answer, right after 400 words": ("free", 400, "The bus is red."),
    "free answer, wrong after 400 words": ("free", 400, "The bus is blue."),
    "free answer, stated after 400 words": ("free", 400, "The answer is red."),
}
_QUESTIONS = {
    "option": "Which animal is on the leash?",
    "yesno": "Is there a dog in the image?",
    "number": "How many people are in the picture?",
    "open": "What color is the bus?",
    "free": "What color is the bus?",
}


def timed_text(words: int, end: str, turn: int) -> str:
    """An answer of so many words that ends with ``end``; another one for each ``turn``.

    Fewer than none are so many lines that count things ("- 3 cups").
    """
    if words < 0:
        names = _OBJECTS.split()
        lines = (
            f"- {1 + (place * 7 + turn) % 9} {names[(place + turn) % len(names)]}"
            for place in range(-words)
        )
        return "\n".join([*lines, end])
    chosen: list[str] = []
    while sum(len(line.split()) for line in chosen) < words:
        place = (turn * 7 + len(chosen) * (1 + 2 * (turn % 4))) % len(_THOUGHTS)
        chosen.append(_THOUGHTS[place])
    # Nothing that was read before is read again, so no cache makes a text look cheap.
    return " ".join([*chosen, f"({turn})", end] if words else [end])


def speeds(repeats: int) -> Iterator[tuple[str, float, float]]:
    """For each kind of answer its name, and the median and the 90 % quantile of microseconds."""
    for name, (kind, words, end) in _TIMED.items():
        options = _TEXTS if kind == "option" else ()
        labels = tuple(letters(len(options)))
        times = []
        for turn in range(repeats + 20):
            text = timed_text(words, end, turn)
            case = Case(name, kind, "", _QUESTIONS[kind], text, None, options, labels)
            begin = time.thread_time()
            reading(case)
            times.append(1e6 * (time.thread_time() - begin))
        times = sorted(islice(times, 20, None))  # the first ones compile what they need
        yield name, median(times), times[int(0.9 * len(times))]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kind", nargs="*", help="only these kinds of answers")
    parser.add_argument("--show", nargs="*", default=[], help="print these: wrong, unread")
    parser.add_argument("--part", type=int, help="0 or 1: only every second answer")
    parser.add_argument("--speed", action="store_true", help="time readings instead")
    parser.add_argument("--repeats", type=int, default=200, help="texts of each kind to time")
    args = parser.parse_args()
    if args.speed:
        header = ["answer", "median, us", "90 %"]
        print(tabulate(speeds(args.repeats), header, floatfmt=".0f"))
        return
    groups: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for number, case in enumerate(corpus()):
        if args.kind and case.kind not in args.kind:
            continue
        if args.part is not None and number % 2 != args.part:
            continue
        shown = False
        for moved in rotations(case):
            read = reading(moved)
            found = verdict(moved, read)
            null = moved.right is None or moved.right == []
            for table, key in (
                ("kind", case.kind), ("style", f"{case.kind}, {case.style}"),
                *([("place", str(moved.right))] if case.kind == "option" else []),
            ):  # fmt: skip
                groups[table][key].append(f"{found}, none" if null else found)
            if found in args.show and not shown:
                shown = True
                print(f"{found}: {moved.id} {moved.question}\n   {moved.options} {moved.labels}")
                print(f"   {moved.text!r}\n   read {read!r}, right {moved.right!r} {moved.why}\n")
    for table, rows in groups.items():
        print(tabulate([_row(key, rows[key]) for key in sorted(rows)], _header(table)), "\n")


def _header(table: str) -> list[str]:
    return [table, "read", "right %", "95 %", "wrong %", "unread % of those with an answer"]


def _row(key: str, found: list[str]) -> list[Any]:
    count = Counter(item.partition(",")[0] for item in found)
    answered = sum("none" not in item for item in found)
    bounds = wilson(count["right"] / len(found), len(found))
    return [
        key,
        len(found),
        f"{100 * count['right'] / len(found):.1f}",
        f"{100 * bounds[0]:.1f}-{100 * bounds[1]:.1f}",
        f"{100 * count['wrong'] / len(found):.1f}",
        f"{100 * count['unread'] / answered:.1f}" if answered else "",
    ]


if __name__ == "__main__":
    main()
