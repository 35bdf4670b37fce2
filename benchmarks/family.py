"""Ten models of one family: the embedded one, and the same made worse in nine ways.

    python benchmarks/family.py FOLDER

writes a checkpoint for each to FOLDER/NAME; a model is `hf:FOLDER/NAME`. Noise on all weights
(normal, in standard deviations of each tensor), layers left out, images at half and at a quarter of
the resolution, weights rounded. ``--ask`` asks each `Shapes/ppl`, and what follows in
docs/background/results.md ("A family of ten") is shown by the commands that stand there.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from chef.models.tiny import FOLDER

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ask", action="store_true", help="ask each model, too")
    parser.add_argument("--size", type=int, default=2000, help="samples of Shapes")
    given = parser.parse_args()
    make(given.folder)
    for name in FAMILY if given.ask else ():
        subprocess.run(
            ["chef", "eval", f"hf:{given.folder / name}", "Shapes/ppl",
             f"scenario_cfg.size={given.size}", "--save-dir", str(given.folder / "results")],
            check=True,
        )  # fmt: skip


if __name__ == "__main__":
    main()
