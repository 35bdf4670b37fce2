"""Ten models of one family: the embedded one, and the same made worse in nine ways.

    python benchmarks/family.py FOLDER

writes a checkpoint for each to FOLDER/NAME; a model is `hf:FOLDER/NAME`. Noise on all weights
(normal, in standard deviations of each tensor), layers left out, images at half and at a quarter of
the resolution, weights rounded. ``--ask`` asks each all of `Shapes/ppl`. ``--study`` takes each as
the new one and the other nine as earlier runs, and replays its answers: how many samples
`--precision 2` asks with and without them, in random orders; how far the interval of 200 samples
reaches, and how often that of `--items 200` has the score; and whether the widths that `--plan`
promises come out. docs/background/results.md ("A family of ten") has what came out.
"""

from __future__ import annotations

import argparse
import bisect
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from chef.metric.mean_scores import scores_of
from chef.models.tiny import FOLDER
from chef.report.load import load_run
from chef.report.runs import list_runs
from chef.report.sizes import spread_of_scores
from chef.session.drawing import looks
from chef.stats.confidence_sequence import Draws, Population, mean_interval, sampled_interval
from chef.stats.figures import share
from chef.stats.guide import drawn_order, first, guides_of, items_of, weights_of
from chef.stats.power import samples_for_interval

Weights = dict[str, torch.Tensor]
FILE = "model.safetensors"
#: What ends a block, without which it passes on what it got.
_ENDS = ("o_proj", "out_proj", "down_proj", "fc2")


def noise(share: float) -> Callable[[Weights], None]:
    def change(weights: Weights) -> None:
        rng = torch.Generator().manual_seed(0)
        for name in sorted(weights):
            tensor = weights[name]
            if tensor.ndim > 1:
                tensor += share * tensor.std() * torch.randn(tensor.shape, generator=rng)

    return change


def without_layer(part: str, place: int) -> Callable[[Weights], None]:
    """The layer ``place`` of the ``language`` or the ``vision`` model does nothing."""

    def change(weights: Weights) -> None:
        for name, tensor in weights.items():
            if part in name and f"layers.{place}." in name and any(end in name for end in _ENDS):
                tensor.zero_()

    return change


def resolution(factor: int) -> Callable[[Weights], None]:
    """As if each square of so many pixels had one color, their mean."""

    def change(weights: Weights) -> None:
        for name, tensor in weights.items():
            if "patch_embedding.weight" in name:
                pooled = torch.nn.functional.avg_pool2d(tensor, factor)
                tensor.copy_(torch.nn.functional.interpolate(pooled, scale_factor=factor))

    return change


def rounded(levels: int) -> Callable[[Weights], None]:
    def change(weights: Weights) -> None:
        for tensor in weights.values():
            if tensor.ndim > 1:
                step = 2 * tensor.abs().max() / levels
                tensor.copy_((tensor / step).round() * step)

    return change


FAMILY: dict[str, Callable[[Weights], None]] = {
    "as_it_is": lambda _: None,
    "noise10": noise(0.10),
    "noise20": noise(0.20),
    "noise30": noise(0.30),
    "noise40": noise(0.40),
    "half_resolution": resolution(2),
    "quarter_resolution": resolution(4),
    "without_language_layer": without_layer("language_model", 1),
    "without_vision_layer": without_layer("vision_tower", 1),
    "rounded": rounded(24),
}


def make(folder: Path) -> None:
    for name, change in FAMILY.items():
        place = folder / name
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(FOLDER, place)
        weights = {key: item.float() for key, item in load_file(place / FILE).items()}
        change(weights)
        halves = {key: item.half() for key, item in weights.items()}
        save_file(halves, place / FILE, metadata={"format": "pt"})


def study(folder: Path, seeds: int) -> None:
    """What the other nine say about each: samples asked, how often the interval has the score."""
    runs = {line.model: line.path for line in list_runs(folder / "results").runs}
    scores = {name: scores_of(load_run(path).report.samples) for name, path in runs.items()}
    names = sorted(set.intersection(*({*one} for one in scores.values())))
    units, of = [[name] for name in names], Population(len(names), len(names), 1)
    every, ones = looks([1] * len(names)), [1] * len(names)
    print(
        "| model | score | correlation | asked | with nine | saved | ± of 200 | --items 200 | has |"
    )
    for model in FAMILY:
        expected = items_of([scores[other] for other in FAMILY if other != model]).expected
        weights = weights_of(units, expected)
        own = np.array([scores[model][name] for name in names])
        said = np.array([expected.scores[name] for name in names])
        asked, reach, has = ([], []), ([], []), 0
        for seed in range(seeds):
            order = drawn_order(weights, seed)
            guide = guides_of(
                [units[i] for i in order], expected.scores, [weights[i] for i in order]
            )
            even = np.random.default_rng(seed).permutation(len(names))
            for kind, (places, known) in enumerate(((even, None), (order, guide))):

                def draws(n: int, values: Any = own[places], by: Any = known) -> Draws:
                    guided = None if by is None else first(by, n)
                    return Draws(values[:n].tolist(), ones[:n], ones[:n], guided)

                def is_reached(n: int, of_draws: Any = draws) -> bool:
                    return mean_interval(of_draws(n), of, [0.02]).reach <= 0.02

                asked[kind].append(every[bisect.bisect_left(every, True, key=is_reached)])
                found = sampled_interval(draws(200), of)
                reach[kind].append(50 * (found.high - found.low))
                has += kind and found.low <= own.mean() <= found.high
        usual, fewer = (float(np.mean(one)) for one in asked)
        print(
            f"| {model} | {own.mean():.1%} | {np.corrcoef(own, said)[0, 1]:.2f} | {usual:,.0f} | "
            f"{fewer:,.0f} | {1 - fewer / usual:.0%} | {np.mean(reach[0]):.1f} | "
            f"{np.mean(reach[1]):.1f} | {has / seeds:.0%} |",
            flush=True,
        )


def promised(folder: Path, points: float, draws: int) -> None:
    """Of each: how many samples `--plan` wants, and the widths that come out with so many.

    By the runs of the other nine, and by a pilot of 50 samples of its own.
    """
    every = list_runs(folder / "results").runs
    rng = np.random.default_rng(0)
    print("| model | by nine others | ± | by a pilot of 50, median | ±, median (5 % to 95 %) |")
    for model in FAMILY:
        others = spread_of_scores([line for line in every if line.model != model]).deviation
        own = next(line for line in every if line.model == model)
        values = np.array([*scores_of(load_run(own.path).report.samples).values()])
        wanted = samples_for_interval(others, points)
        reached = np.median([_reach(rng, values, wanted) for _ in range(draws)])
        pilots, widths = [], []
        for _ in range(draws):
            pilot = share(rng.choice(values, 50, replace=False).tolist(), None, "%")
            if pilot.stderr:
                pilots.append(samples_for_interval(pilot.stderr * 50**0.5, points))
                widths.append(_reach(rng, values, pilots[-1]))
        low, middle, high = np.quantile(widths, [0.05, 0.5, 0.95])
        print(
            f"| {model} | {wanted:,} | {reached:.1f} | {np.median(pilots):,.0f} | "
            f"{middle:.1f} ({low:.1f} to {high:.1f}) |"
        )


def _reach(rng: np.random.Generator, values: np.ndarray, number: int) -> float:
    """How far the interval of a number of samples reaches to each side, in points."""
    found = share(rng.choice(values, number).tolist(), None, "%")
    return ((found.high or 0.0) - (found.low or 0.0)) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ask", action="store_true", help="ask each model, too")
    parser.add_argument("--size", type=int, default=2000, help="samples of Shapes")
    parser.add_argument("--study", action="store_true", help="replay the answers that are there")
    parser.add_argument("--seeds", type=int, default=20, help="random orders of the study")
    given = parser.parse_args()
    if given.study:
        study(given.folder, given.seeds)
        promised(given.folder, 2.0, 200)
        return
    make(given.folder)
    for name in FAMILY if given.ask else ():
        subprocess.run(
            ["chef", "eval", f"hf:{given.folder / name}", "Shapes/ppl",
             f"scenario_cfg.size={given.size}", "--save-dir", str(given.folder / "results")],
            check=True,
        )  # fmt: skip


if __name__ == "__main__":
    main()
