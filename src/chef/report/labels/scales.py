"""What people are asked about the answers of a run, which of them, and what they said.

``labels.json`` is written once for each question, before the first label, so that all people are
shown the same answers, and the score knows from how many each was drawn, whatever becomes of the
run later: an answer that is asked again is another one, and its labels no longer count.

The file of a person, ``labels_NAME.jsonl``, is a journal: a line is appended for each reply and
made to survive a power failure before the next answer is shown; nothing is overwritten. The last
line about an answer counts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from chef.common.seeding import sample_rng
from chef.common.writing import json_line, write_json
from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.guard.folder import alone_in, names_in
from chef.judge.stored import answer_digest
from chef.report.compare.side import Side
from chef.run.journal import Lines, load_lines
from chef.run.reading import read_json, readable
from chef.stats.rectified import dealt


class LabelChoice(Frozen):
    """A reply that a person can give: a key, what it means, and the score that it is."""

    key: str
    text: str
    value: float


class LabelScale(Frozen):
    """A question to people about an answer.

    ``unit`` is that of the replies' mean; ``compares`` says whether two answers are shown, of
    which the first is the model's.
    """

    name: str
    question: str
    choices: Sequence[LabelChoice]
    unit: str = "0-1"
    compares: bool = False

    @property
    def least(self) -> float:
        """The lowest score."""
        return min(choice.value for choice in self.choices)

    @property
    def most(self) -> float:
        """The highest score."""
        return max(choice.value for choice in self.choices)

    def swapped(self) -> tuple[LabelChoice, ...]:
        """The replies where the model's answer is shown second."""
        other = {1.0: 0.0, 0.0: 1.0}
        return tuple(
            LabelChoice(item.key, item.text, other.get(item.value, item.value))
            for item in self.choices
        )


RIGHT = LabelScale(
    "right",
    "Is this answer right?",
    (LabelChoice("r", "right", 1.0), LabelChoice("w", "wrong", 0.0)),
)
GRADE = LabelScale(
    "grade",
    "How much of the reference does this answer get right?",
    (LabelChoice("0", "nothing", 0.0), LabelChoice("1", "a quarter", 0.25),
     LabelChoice("2", "half", 0.5), LabelChoice("3", "three quarters", 0.75),
     LabelChoice("4", "all of it", 1.0)),
)  # fmt: skip
RATING = LabelScale(
    "rating",
    "How good is this answer, from 1 to 10?",
    tuple(LabelChoice(str(value % 10), str(value), float(value)) for value in range(1, 11)),
    unit="points",
)
PREFERENCE = LabelScale(
    "preference",
    "Which answer is better?",
    (LabelChoice("1", "the first", 1.0), LabelChoice("2", "the second", 0.0),
     LabelChoice("0", "both alike", 0.5)),
    compares=True,
)  # fmt: skip
SCALES = {scale.name: scale for scale in (RIGHT, GRADE, RATING, PREFERENCE)}


def scale_of(side: Side) -> LabelScale:
    """What people are asked about the answers of a run: what its judge is, else by its scores.

    Scores of 0 and 1, by a rule or a judge, say whether an answer is right; ConfigError where
    scores say nothing that people are asked about.
    """
    figure = side.report.metrics[side.report.primary]
    if figure.higher_is_better is not True:
        raise _unasked(side, "is not better when it is higher")
    metric = side.metric
    if metric is not None and metric.needs_judge:
        for scale in (GRADE, RATING, PREFERENCE):
            if scale.name in metric.judge_kinds:
                return scale
    values = set(side.scores.values())
    if not values or min(values) < 0 or max(values) > 1:
        raise _unasked(side, "scores answers on another scale than 0 to 1")
    return RIGHT if values <= {0.0, 1.0} else GRADE


def _unasked(side: Side, why: str) -> ConfigError:
    return ConfigError(
        f"people cannot be asked what {side.report.primary} scores: it {why}",
        where=str(side.place),
        hint="--metric NAME scores by another metric, such as Accuracy; or write a sheet with "
        "--draw 100 --labels FILE, and numbers on the scale of the scores into it",
    )


_FILE = re.compile(r"labels_(\w[\w.-]{0,39})\.jsonl")


class Label(msgspec.Struct, frozen=True):
    """The reply of a person to a question about a sample; no label: the person could not tell."""

    question: str
    id: str
    label: float | None


class Labels(Lines[Label]):
    """One person's replies in a run folder, open for appending; ConfigError for an odd name."""

    def __init__(self, run: Path, person: str) -> None:
        super().__init__(file_of(run, person), _read, _key)

    def add(self, label: Label) -> None:
        """Append a reply, which survives a power failure once this returns; or RunError."""
        self.append(json_line(label))
        self.sync()

    def replies(self, question: str) -> dict[str, float | None]:
        """The replies to a question that the file has now, by sample id."""
        return _of(self.path, question)


def file_of(run: Path, person: str) -> Path:
    """The file of a person, whose name counts in any case; ConfigError if it cannot be one."""
    name = f"labels_{unicodedata.normalize('NFC', person).casefold()}.jsonl"
    if not _FILE.fullmatch(name):
        raise ConfigError(
            f"{person!r} cannot be the name of a person",
            where="--by",
            hint="letters, digits, '-', '_' and '.', at most 40, such as --by anna",
        )
    return run / name


def label_files(run: Path) -> list[str]:
    """The names of the files of people in a run folder; none where it cannot be read."""
    try:
        return [name for name in names_in(run) if _FILE.fullmatch(name)]
    except OSError:
        return []


def replies_of(run: Path, question: str) -> dict[str, dict[str, float | None]]:
    """The replies to a question by person and sample id; ConfigError for a damaged file, a link."""
    found = {
        name.removeprefix("labels_").removesuffix(".jsonl"): _of(run / name, question)
        for name in label_files(run)
    }
    return {person: replies for person, replies in found.items() if replies}


def _of(file: Path, question: str) -> dict[str, float | None]:
    items: Mapping[object, Label] = load_lines(file, _read, _key)
    return {item.id: item.label for item in items.values() if item.question == question}


def _read(line: bytes) -> Label:
    """What a line means; msgspec.DecodeError if it is none, or its label no score of its kind."""
    item = _DECODER.decode(line)
    scale = SCALES.get(item.question)
    if scale is None:
        raise msgspec.ValidationError(f"no question is called {item.question!r}")
    if item.label is not None and not scale.least <= item.label <= scale.most:
        raise msgspec.ValidationError(f"{item.label} is no score of {item.question!r}")
    return item


def _key(item: Label) -> tuple[str, str]:
    return item.question, item.id


_DECODER = msgspec.json.Decoder(Label)


DRAWN = "labels.json"
#: The stratum of a draw from all answers alike.
ALL = "all"
#: Up to so many scores are a stratum each; of more, thirds are.
_VALUES, _PARTS = 4, 3
#: A stratum of fewer answers goes to the next one.
_SMALLEST = 10


class Draw(msgspec.Struct, frozen=True):
    """From what answers are drawn: by stratum, the digests of its answers by sample id.

    ``against`` is the folder of the run whose answers these are compared with; empty: references.
    """

    strata: dict[str, dict[str, str]]
    seed: int = 0
    against: str = ""

    def order(self) -> list[str]:
        """The sample ids in the order in which they are shown."""
        held = {
            name: list(reversed(shuffled(list(ids), self.seed)))
            for name, ids in self.strata.items()
        }
        sizes = {name: len(ids) for name, ids in held.items()}
        return [held[name].pop() for name in dealt(sizes)]

    def still(self, side: Side) -> dict[str, str]:
        """The stratum of each sample that is scored, with the answer that was there to be drawn."""
        return {
            name: stratum
            for stratum, ids in self.strata.items()
            for name, digest in ids.items()
            if name in side.scores and digest == answer_digest(side.predictions[name])
        }


def shuffled(ids: Sequence[str], seed: int) -> list[str]:
    """Sample ids in a random order, in which each has its place by the seed and itself alone."""
    return sorted(ids, key=lambda name: sample_rng(seed, "label", name).random())


def draws(run: Path) -> dict[str, Draw]:
    """The draws of a run folder, by the question that people are asked; ConfigError if damaged."""
    file = run / DRAWN
    content = read_json(file)
    with readable(file, "remove it if there are no labels yet; else give it back as it was"):
        return msgspec.convert(content, dict[str, Draw])


def drawn(side: Side, name: str, *, by_verdict: bool, against: str = "") -> Draw:
    """The draw for a question, which is made where there is none.

    ``by_verdict`` draws from each verdict of the scores, more from large ones and some from each.
    ConfigError if it was drawn in the other way before, or the file is damaged.
    """
    with alone_in(side.place):
        before = draws(side.place)
        known = before.get(name)
        if known is not None:
            _check(known, side, by_verdict=by_verdict)
            return known
        groups = strata_of(side.scores) if by_verdict else {ALL: sorted(side.scores)}
        strata = {
            group: {one: answer_digest(side.predictions[one]) for one in ids}
            for group, ids in groups.items()
        }
        made = Draw(strata, against=against)
        write_json(side.place / DRAWN, msgspec.to_builtins({**before, name: made}))
        return made


def _check(known: Draw, side: Side, *, by_verdict: bool) -> None:
    if by_verdict and list(known.strata) == [ALL]:
        raise ConfigError(
            "the answers of this run are drawn from all alike, and labels stand on that",
            where=str(side.place / DRAWN),
            hint="leave --stratified out; as long as there is no label, the file can be removed",
        )


def strata_of(scores: Mapping[str, float]) -> dict[str, list[str]]:
    """Sample ids by what their scores are: each of a few scores, else thirds of all.

    >>> strata = strata_of({f"q{n}": float(n % 4 > 0) for n in range(80)})
    >>> {name: len(ids) for name, ids in strata.items()}
    {'score 0': 20, 'score 1': 60}
    """
    values = sorted(set(scores.values()))
    if len(values) > _VALUES:
        ranked = sorted(scores.values())
        ends = [ranked[len(ranked) * part // _PARTS] for part in range(1, _PARTS)]
        values = sorted({ranked[0], *ends})
    groups: list[tuple[float, list[str]]] = [(value, []) for value in values]
    for name in sorted(scores):
        place = sum(value <= scores[name] for value in values) - 1
        groups[place][1].append(name)
    merged: list[tuple[float, list[str]]] = []
    for value, ids in groups:
        if merged and min(len(merged[-1][1]), len(ids)) < _SMALLEST:
            merged[-1][1].extend(ids)
        else:
            merged.append((value, ids))
    return {f"score {value:g}": sorted(ids) for value, ids in merged}
