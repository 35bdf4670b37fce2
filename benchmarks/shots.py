"""What worked examples do to the scores of the embedded model: the tables of docs/results.md.

    python benchmarks/shots.py                              # everything; about half an hour
    python benchmarks/shots.py --tasks letters --inferencers PPL --retrievers topk_img

Zero to three examples from every retriever, before every way to ask, on the same samples. Each run
is an ordinary run folder below ``--save_dir``: what is there already is not asked again, so the
tables can be made in parts.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from chef.config import load_model, load_recipe
from chef.evaluator import Evaluator, RunOptions
from chef.metric.estimate import Estimate
from chef.models import Model
from chef.run.folder import RunFolder
from chef.workers.in_process import LocalRunner

ROOT = Path(__file__).parents[1]
RECIPES = ROOT / "configs" / "recipes"
MODEL = load_model(ROOT / "configs" / "models" / "tiny.yaml", ["device=cpu", "dtype=float32"])
KINDS = ("random", "fixed", "topk_text", "topk_img")
#: Scenario, the keys that make the task, and the retrievers that make sense there.
TASKS = {
    "mcq": ("Shapes", ["task=mcq"], KINDS),
    "yesno": ("Shapes", ["task=yesno"], KINDS),
    "digits": ("Digits", [], ("random", "fixed", "topk_img")),
    "letters": ("Digits", ["labels=letters"], ("random", "fixed", "topk_img")),
}
#: A way to ask -> the recipe that asks so, of either scenario.
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
        """The name of its run folder."""
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


def cook(cell: Cell, model: Model, save_dir: Path, samples: int) -> tuple[str, Told | None]:
    """The score of a run with its interval, in percent, and what its examples tell."""
    evaluator = cell.evaluator(samples)
    with RunFolder(save_dir / cell.name, evaluator.config(MODEL)) as store:
        report = evaluator.evaluate(model, store, LocalRunner(model))
        told = told_by_examples(evaluator, store) if cell.shots else None
    return percent(report.metrics[report.primary]), told


@dataclass(frozen=True, slots=True)
class Told:
    """Shares of questions with the answer of their first example, and of any of them."""

    first: float
    some: float


def told_by_examples(evaluator: Evaluator, store: RunFolder) -> Told:
    """What copying the first example's answer would score, and how often there is one to copy."""
    scenario = evaluator.scenario
    pool = scenario.pool() or scenario
    answers = {pool.sample_id(index): pool[index].answer for index in range(len(pool))}
    asked = list(store.finished.values())
    shown = [[answers[name] for name in prediction.trace["ices"]] for prediction in asked]
    truths = [prediction.sample["gt_answers"] for prediction in asked]
    pairs = list(zip(truths, shown, strict=True))
    first = sum(truth == said[0] for truth, said in pairs) / len(pairs)
    return Told(first, sum(truth in said for truth, said in pairs) / len(pairs))


def percent(item: Estimate) -> str:
    if item.value is None or item.low is None or item.high is None:
        return "-"
    scale = 1 if item.unit == "%" else 100
    value, low, high = (scale * figure for figure in (item.value, item.low, item.high))
    return f"{value:.1f} ({low:.1f} to {high:.1f})"


def rows(task: str, retrievers: list[str]) -> Iterator[tuple[str, int]]:
    """Retriever and number of examples."""
    yield "none", 0
    for kind in TASKS[task][2]:
        if kind in retrievers:
            yield from ((kind, shots) for shots in range(1, MOST_SHOTS + 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--inferencers", nargs="+", choices=INFERENCERS, default=list(INFERENCERS))
    parser.add_argument("--retrievers", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--samples", type=int, default=300, help="of each run (default 300)")
    parser.add_argument("--save_dir", type=Path, default=Path("results/shots"), metavar="DIR")
    options = parser.parse_args()
    model = MODEL.model.build()
    for task in options.tasks:
        told = "the first one's answer | an example's answer"
        print(f"\n| {task} | {' | '.join(options.inferencers)} | {told} |")
        print("|---" * (len(options.inferencers) + 3) + "|")
        for kind, shots in rows(task, options.retrievers):
            cells = [Cell(task, name, kind, shots) for name in options.inferencers]
            found = [cook(cell, model, options.save_dir, options.samples) for cell in cells]
            label = f"{shots} {kind}" if shots else "no example"
            known = found[0][1]
            shares = f"{100 * known.first:.1f} | {100 * known.some:.1f}" if known else " | "
            print(f"| {label} | {' | '.join(text for text, _ in found)} | {shares} |")


if __name__ == "__main__":
    main()
