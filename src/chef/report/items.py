"""What earlier runs say about each item of a benchmark: which tell models apart, and which none."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from chef.common.logs import logger
from chef.common.text import typed
from chef.document.sections import Section, Table, Words
from chef.errors import ChefError, ConfigError
from chef.frozen import Frozen
from chef.metric.mean_scores import scores_of
from chef.report.load import load_run
from chef.report.runs import RunLine, list_runs
from chef.run.configuration import run_place
from chef.stats.guide import Items, items_of

_log = logger(__name__)
#: How many items carry the order of models, and how many of them a table shows.
CARRYING, _ROWS = 50, 10
#: How many ids a line names.
_NAMED = 20


def lines_below(folders: Sequence[Path]) -> list[RunLine]:
    """The runs in folders and below them, each once."""
    lines = [line for folder in folders for line in list_runs(run_place(folder)).runs]
    return list({line.path.resolve(): line for line in lines}.values())


def items_of_runs(runs: Iterable[Path], ids: Collection[str] | None = None) -> Items | None:
    """What runs say about their samples (None: all); those without scores are told as a warning."""
    wanted = None if ids is None else {*ids}
    scores = []
    for path in runs:
        try:
            every = scores_of(load_run(path).report.samples)
        except ChefError as error:
            _log.warning("%s says nothing about samples: %s", path, error.what)
            continue
        known = {name: one for name, one in every.items() if wanted is None or name in wanted}
        if known:
            scores.append(known)
    return items_of(scores) if scores else None


class ItemReport(Frozen):
    """The items of a benchmark, and the folders of its runs, the highest score first."""

    name: str
    runs: Sequence[Path]
    items: Items

    @property
    def all_right(self) -> list[str]:
        """The ids of the items that every run has right, of two or more."""
        return self._where(1.0)

    @property
    def none_right(self) -> list[str]:
        """The ids of the items that no run of several has right: their reference may be wrong."""
        return self._where(0.0)

    @property
    def carrying(self) -> list[str]:
        """The ids of the items with most information about the order of the runs."""
        order = (-self.items.information).argsort(kind="stable")[:CARRYING]
        return [self.items.names[place] for place in order]

    @property
    def asked_once(self) -> list[str]:
        """The ids of the items that one run alone has a score of, which cannot tell runs apart."""
        counts = zip(self.items.names, self.items.counts, strict=True)
        return [name for name, count in counts if count < 2]

    def _where(self, share: float) -> list[str]:
        once = {*self.asked_once}
        shares = zip(self.items.names, self.items.shares, strict=True)
        return [name for name, one in shares if one == share and name not in once]

    def sections(self) -> list[Section]:
        """The two kinds of items that tell nothing, and those that tell most."""
        run = typed(self.runs[0])
        none, all_, once = self.none_right, self.all_right, self.asked_once
        total = len(self.items.names)
        words = [
            f"{len(all_):,} of {total:,} items are right in every run, and tell nothing of which "
            f"is better{_named(all_, 3)}",
            f"{len(none):,} are right in none{_named(none)}",
        ]
        if none:
            ids = " ".join(shlex.quote(name) for name in none[:_NAMED])
            words += [
                "Often their reference is wrong: look at them with their images, "
                f"`chef show {run} --page --open`, or here: `chef show {run} --sample {ids}`"
            ]
        if once:
            words += [f"{len(once):,} were asked of one run alone, and tell nothing yet"]
        if len(none) + len(all_) + len(once) == total:
            words += ["So no item tells these runs apart: ask other models, too"]
            return [Words(self._title(), words)]
        return [Words(self._title(), words), self._table()]

    def _title(self) -> str:
        how = "the model of two parameters" if self.items.is_fitted else "the share of right runs"
        return f"{self.name}: its items by {self.items.runs} runs ({how})"

    def _table(self) -> Table:
        items, names = self.items, self.carrying
        places = {name: place for place, name in enumerate(items.names)}
        rows = [
            (name, f"{100 * items.shares[place]:.0f}%", f"{items.difficulties[place]:.1f}",
             f"{items.slopes[place]:.1f}", f"{items.information[place]:.2f}")
            for name in names[:_ROWS]
            for place in [places[name]]
        ]  # fmt: skip
        part = float(sum(items.information[places[name]] for name in names))
        share = part / max(1e-12, float(items.information.sum()))
        note = (
            f"{len(names)} items of {len(items.names):,} carry {share:.0%} of the information about"
            f" the order of these models: {', '.join(names)}\n"
            "`chef eval MODEL WHAT --items N` asks such items, and estimates the score of all"
        )
        headers = ("item", "right", "difficulty", "discrimination", "information")
        return Table("Items that carry the order of the models", headers, rows, note)


def _named(ids: Sequence[str], most: int = _NAMED) -> str:
    if not ids:
        return ""
    more = f", and {len(ids) - most:,} more" if len(ids) > most else ""
    return f": {', '.join(ids[:most])}{more}"


def item_report(name: str, folders: Sequence[Path]) -> ItemReport:
    """What runs below folders say about the items of a benchmark, a recipe, or ``scenario/recipe``.

    Letters are in any case. ConfigError if fewer than two runs have scored samples of it.
    """
    wanted = name.casefold()
    lines = lines_below(folders)
    asked = [
        line
        for line in lines
        if wanted in {line.scenario.casefold(), line.label.casefold(), line.recipe.casefold()}
    ]
    asked = [line for line in asked if line.estimate is not None and line.state == "finished"]
    if len(asked) < 2:
        there = ", ".join(sorted({line.label for line in lines})) or "no run"
        raise ConfigError(
            f"{len(asked)} finished runs of '{name}' are there, and items need two or more",
            where=", ".join(map(str, folders)),
            hint=f"ask two models all samples of it, or name a folder with runs: there are {there}",
        )
    asked.sort(key=lambda line: -(line.estimate.value or 0.0 if line.estimate else 0.0))
    runs = [line.path for line in asked]
    items = items_of_runs(runs)
    assert items is not None
    return ItemReport(name, runs, items)
