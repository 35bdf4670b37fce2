"""Measure the effect of in-context examples on the embedded model.

It makes the tables of docs/background/results.md:

    python benchmarks/shots.py                              # everything; about half an hour
    python benchmarks/shots.py --tasks letters --inferencers PPL --retrievers topk_img

Every inferencer runs on the same samples with zero to three examples from every retriever. Each run
has an ordinary run folder in ``--save_dir``; finished runs are not repeated, so the tables can be
created in parts.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chef.config import load_model, load_recipe
from chef.evaluator import Evaluator, RunOptions
from chef.models import Model
from chef.run.folder import RunFolder
from chef.session.runners import LocalRunner
from chef.stats.estimate import Estimate

ROOT = Path(__file__).parents[1]
RECIPES = ROOT / "configs" / "recipes"
MODEL = load_model(ROOT / "configs" / "models" / "tiny.yaml", ["device=cpu", "dtype=float32"])
KINDS = ("random", "fixed", "topk_text", "topk_img")
#: The scenario of each task, its keys, and the retrievers to compare.
TASKS = {
    "mcq": ("Shapes", ["task=mcq"], KINDS),
    "yesno": ("Shapes", ["task=yesno"], KINDS),
    "digits": ("Digits", [], ("random", "fixed", "topk_img")),
    "letters": ("Digits", ["labels=letters"], ("random", "fixed", "topk_img")),
}
#: Maps each inferencer to the name of its recipe, which both scenarios have.
INFERENCERS = {
    "Direct": "direct",
    "PPL": "ppl",
    "CoT, Direct": "direct_CoT",
    "CoT, PPL": "ppl_CoT",
}
MOST_SHOTS = 3


@dataclass(frozen=True, slots=True)
class Cell:
    """One run of the table."""

    task: str
    inferencer: str
    retriever: str = "none"
    shots: int = 0

    @property
    def name(self) -> str:
        """The name of the run folder."""
        return f"{self.task}-{INFERENCERS[self.inferencer]}-{self.shots}-{self.retriever}"

    def evaluator(self, samples: int) -> Evaluator:
        scenario, keys, _ = TASKS[self.task]
        overrides = [f"scenario_cfg.{key}" for key in keys]
        if self.shots:
            section = "eval_cfg.instruction_cfg.incontext_cfg"
            overrides.append(f"{section}.retriever_type={self.retriever}")
            overrides.append(f"{section}.ice_num={self.shots}")
        path = RECIPES / scenario / f"{INFERENCERS[self.inferencer]}.yaml"
        return Evaluator(load_recipe(path, overrides), RunOptions(sample_len=samples))


def run_cell(
    cell: Cell, model: Model, save_dir: Path, samples: int
) -> tuple[str, ExampleShares | None]:
    """Run one cell; return its score with interval in percent, and the shares of its examples."""
    evaluator = cell.evaluator(samples)
    with RunFolder(save_dir / cell.name, evaluator.config(MODEL)) as store:
        report = evaluator.evaluate(model, store, LocalRunner(model))
        shares = example_shares(evaluator, store) if cell.shots else None
    return percent(report.metrics[report.primary]), shares


@dataclass(frozen=True, slots=True)
class ExampleShares:
    """Shares of questions whose answer is that of the first example, and of any example."""

    first: float
    some: float


def example_shares(evaluator: Evaluator, store: RunFolder) -> ExampleShares:
    """Return how often copying the answer of the first example, or of any example, is correct."""
    scenario = evaluator.scenario
    pool = scenario.pool() or scenario
    answers = {pool.sample_id(index): pool[index].answer for index in range(len(pool))}
    asked = list(store.finished.values())
    shown = [[answers[name] for name in prediction.trace["ices"]] for prediction in asked]
    references = [prediction.sample["gt_answers"] for prediction in asked]
    pairs = list(zip(references, shown, strict=True))
    first = sum(reference == examples[0] for reference, examples in pairs) / len(pairs)
    some = sum(reference in examples for reference, examples in pairs) / len(pairs)
    return ExampleShares(first, some)


def percent(item: Estimate) -> str:
    if item.value is None or item.low is None or item.high is None:
        return "-"
    scale = 1 if item.unit == "%" else 100
    value, low, high = (scale * number for number in (item.value, item.low, item.high))
    return f"{value:.1f} ({low:.1f} to {high:.1f})"


def rows(task: str, retrievers: list[str]) -> Iterator[tuple[str, int]]:
    """Yield the retriever and the number of examples of each row."""
    yield "none", 0
    for kind in TASKS[task][2]:
        if kind in retrievers:
            yield from ((kind, shots) for shots in range(1, MOST_SHOTS + 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--inferencers", nargs="+", choices=INFERENCERS, default=list(INFERENCERS))
    parser.add_argument("--retrievers", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument(
        "--samples", type=int, default=300, help="samples of each run (default 300)"
    )
    parser.add_argument("--save_dir", type=Path, default=Path("results/shots"), metavar="DIR")
    options = parser.parse_args()
    model = MODEL.model.build()
    for task in options.tasks:
        header = "the first one's answer | an example's answer"
        print(f"\n| {task} | {' | '.join(options.inferencers)} | {header} |")
        print("|---" * (len(options.inferencers) + 3) + "|")
        for kind, shots in rows(task, options.retrievers):
            cells = [Cell(task, name, kind, shots) for name in options.inferencers]
            found = [run_cell(cell, model, options.save_dir, options.samples) for cell in cells]
            label = f"{shots} {kind}" if shots else "no example"
            known = found[0][1]
            shares = f"{100 * known.first:.1f} | {100 * known.some:.1f}" if known else " | "
            print(f"| {label} | {' | '.join(text for text, _ in found)} | {shares} |")


if __name__ == "__main__":
    main()
