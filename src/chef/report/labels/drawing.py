"""Which answers people are shown, and in which order: ``labels.json`` of a run folder.

The file is written once for each question, before the first label, so that all people are shown
the same answers, and the score knows from how many each was drawn, whatever becomes of the run
later: an answer that is asked again is another one, and its labels no longer count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from chef.common.seeding import sample_rng
from chef.common.writing import write_json
from chef.errors import ConfigError
from chef.guard.folder import alone_in
from chef.judge.stored import answer_digest
from chef.report.compare.side import Side
from chef.run.reading import read_json, readable
from chef.stats.rectified import dealt

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
