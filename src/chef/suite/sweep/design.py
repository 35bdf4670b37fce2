"""Which combinations a sweep asks, and which factors and interactions its runs tell apart."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from chef.errors import ConfigError
from chef.frozen import Frozen
from chef.stats.arrays import Array, NDArray, np

#: Between the factors of an interaction.
TIMES = " × "


class Term(Frozen):
    """A main effect, or the interaction of two factors.

    Attributes:
        columns: ``(runs, freedom)``: sum-to-zero contrasts of the values of each run.
        cells: ``(cells, freedom)``: the contrasts of every combination of the values of its
            factors, each once.
        levels: of each factor, its values in the order of the cells.
    """

    factors: tuple[str, ...]
    columns: Array
    cells: Array
    levels: tuple[tuple[str, ...], ...]

    @property
    def name(self) -> str:
        """As it is shown."""
        return TIMES.join(self.factors)

    @property
    def values(self) -> tuple[str, ...]:
        """The values of its first factor: those of the cells of a main effect."""
        return self.levels[0]

    @property
    def freedom(self) -> int:
        """Degrees of freedom."""
        return int(self.columns.shape[1])


class Design(Frozen):
    """What a linear model of the runs consists of.

    Attributes:
        terms: main effects and interactions of two factors that can be told apart.
        confounded: main effects that cannot; they stand in the model and are not reported.
        is_full: whether each combination of the values is there exactly once.
        notes: what cannot be told.
    """

    terms: Sequence[Term]
    confounded: Sequence[Term]
    runs: int
    is_full: bool
    notes: Sequence[str] = ()

    @property
    def model(self) -> list[Term]:
        """All terms: each is adjusted for all others (type III)."""
        return [*self.confounded, *self.terms]

    @property
    def cells(self) -> int:
        """How many combinations the full grid has."""
        return math.prod(len(term.values) for term in self.model if len(term.factors) == 1)


def design(factors: Mapping[str, Sequence[str]], values: Sequence[Mapping[str, str]]) -> Design:
    """Find out what runs of these values can tell; values of factors that no run has are ignored.

    A term is kept when its columns add their full rank to those of all others of its order and
    below; so the order of the factors does not matter, and of two terms that cannot be told apart
    neither is kept.
    """
    notes: list[str] = []
    levels = {
        name: [value for value in known if any(run[name] == value for run in values)]
        for name, known in factors.items()
    }
    if single := [name for name, known in levels.items() if len(known) < 2]:
        notes.append(f"Only one value was run of {_listed(single)}: its share cannot be told.")
    levels = {name: known for name, known in levels.items() if len(known) > 1}
    cells = {tuple(run[name] for name in levels) for run in values}
    is_full = len(cells) == len(values) and cells == set(itertools.product(*levels.values()))
    mains = [_term((name,), levels, values) for name in levels]
    kept, confounded = _apart(mains, [])
    if confounded:
        notes.append(
            f"The runs do not tell {_listed([term.name for term in confounded])} apart: where one "
            "changes, so do the others. Their shares are not given; run more combinations."
        )
    pairs = [
        _term((first, second), levels, values)
        for first, second in itertools.combinations([term.name for term in kept], 2)
    ]
    interactions, lost = _apart(pairs, mains)
    if lost:
        notes.append(
            f"{len(values)} runs are not enough to tell these interactions apart: "
            f"{_listed([term.name for term in lost])}."
        )
    return Design([*kept, *interactions], confounded, len(values), is_full, notes)


def matrix_of(terms: Sequence[Term], runs: int) -> Array:
    """The columns of a model with its intercept: ``(runs, 1 + freedom of the terms)``."""
    return np.hstack([np.ones((runs, 1)), *[term.columns for term in terms]])


def _apart(terms: Sequence[Term], others: Sequence[Term]) -> tuple[list[Term], list[Term]]:
    """Terms that add their full rank to all others, and the rest."""
    if not terms:
        return [], []
    runs = len(terms[0].columns)

    def rank(chosen: Sequence[Term]) -> int:
        return int(np.linalg.matrix_rank(matrix_of([*others, *chosen], runs)))

    full = rank(terms)
    kept: tuple[list[Term], list[Term]] = [], []
    for term in terms:
        gain = full - rank([item for item in terms if item is not term])
        kept[gain < term.freedom].append(term)
    return kept


def _term(
    names: tuple[str, ...], levels: Mapping[str, Sequence[str]], values: Sequence[Mapping[str, str]]
) -> Term:
    codes = {
        name: np.vstack([np.eye(len(levels[name]) - 1), -np.ones(len(levels[name]) - 1)])
        for name in names
    }

    def coded(rows: Sequence[Sequence[str]]) -> Array:
        product = np.ones((len(rows), 1))
        for place, name in enumerate(names):
            code = codes[name][[levels[name].index(row[place]) for row in rows]]
            product = (product[:, :, None] * code[:, None, :]).reshape(len(rows), -1)
        return product

    every = list(itertools.product(*[levels[name] for name in names]))
    columns = coded([[run[name] for name in names] for run in values])
    return Term(names, columns, coded(every), tuple(tuple(levels[name]) for name in names))


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


#: More combinations than this are not even counted out.
MOST = 200_000
#: How often a draw is tried again for a better balance.
_TRIES = 20


def combinations(
    factors: Mapping[str, Sequence[str]],
    exclude: Sequence[Mapping[str, Sequence[str]]] = (),
    sample: int | None = None,
    seed: int = 0,
) -> list[dict[str, str]]:
    """Combinations of values: one value of every factor each.

    Args:
        factors: the values of each factor, by its name.
        exclude: combinations that are left out: those whose values are all among these.
        sample: how many to draw; None for all. Every value occurs about equally often: of a grid
            without exclusions, at most one time more than another of its factor wherever such a
            draw is found.
        seed: of the draw.

    Returns:
        The combinations in the order of the grid, in which the last factor changes fastest.

    Raises:
        ConfigError: there are too many, or none is left.

    >>> combinations({"wording": ["0", "1"], "examples": ["0", "2"]}, [{"examples": ["2"]}])
    [{'wording': '0', 'examples': '0'}, {'wording': '1', 'examples': '0'}]
    """
    total = math.prod(map(len, factors.values()))
    if total > MOST:
        raise ConfigError(
            f"the grid has {total:,} combinations, and at most {MOST:,} can be drawn from",
            where="vary",
            hint="give fewer values, or fewer factors",
        )
    rows = [dict(zip(factors, row, strict=True)) for row in product(*factors.values())]
    allowed = [row for row in rows if not any(_is_part(part, row) for part in exclude)]
    if not allowed:
        raise ConfigError(
            "every combination is excluded", where="exclude", hint="exclude fewer of them"
        )
    if sample is None or sample >= len(allowed):
        return allowed
    return [allowed[place] for place in sorted(_drawn(allowed, factors, sample, seed))]


def _is_part(part: Mapping[str, Sequence[str]], row: Mapping[str, str]) -> bool:
    return all(row[name] in labels for name, labels in part.items())


def _drawn(
    allowed: Sequence[Mapping[str, str]],
    factors: Mapping[str, Sequence[str]],
    sample: int,
    seed: int,
) -> list[int]:
    """The positions of the drawn combinations: the best balance of several seeded draws."""
    places = {
        name: {label: at for at, label in enumerate(labels)} for name, labels in factors.items()
    }
    levels = np.array([[places[name][row[name]] for name in factors] for row in allowed])
    stream = np.random.default_rng(seed)
    sizes = [len(labels) for labels in factors.values()]
    best: list[int] = []
    least = math.inf
    for _ in range(_TRIES):
        drawn, counts = _draw(levels, sizes, sample, stream)
        excess = sum(max(0, int(count.max() - count.min()) - 1) for count in counts)
        if excess < least:
            best, least = drawn, excess
        if not least:
            break
    return best


def _draw(
    levels: NDArray[np.int64], sizes: Sequence[int], sample: int, stream: np.random.Generator
) -> tuple[list[int], list[NDArray[Any]]]:
    """Draw one combination after another, each of the values that were drawn least so far."""
    order = stream.permutation(len(levels))
    counts = [np.zeros(size) for size in sizes]
    is_taken = np.zeros(len(levels), dtype=bool)
    drawn = []
    for _ in range(sample):
        above = [count - count.min() for count in counts]
        cost = sum(excess[levels[order, at]] ** 2 for at, excess in enumerate(above))
        place = int(order[np.argmin(np.where(is_taken[order], np.inf, cost))])
        is_taken[place] = True
        drawn.append(place)
        for at, count in enumerate(counts):
            count[levels[place, at]] += 1
    return drawn, counts
