"""Write the corrupted copy of a data set (ChEF's robustness data) in ChEF's layout.

    python tools/corrupt.py --recipe_cfg MMBench/ppl --out data/ChEF/MMBench_C

The same command goes on where it was stopped. Recipes read the folder with `img_crp`, `text_crp`
and `data_c_path`, or, of any scenario, with `method_cfg: {corrupted-data: {path: FOLDER}}`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from guard import need_chef

need_chef()

from chef.common.printing import say  # noqa: E402
from chef.config import load_model, load_recipe  # noqa: E402
from chef.errors import ChefError  # noqa: E402
from chef.method.sequences import ImageSequence, TextSequence  # noqa: E402
from chef.method.written import layout_of, write_corrupted  # noqa: E402


def corrupt(given: argparse.Namespace) -> int:
    """Write the data and return the exit code; raises `chef.errors.ChefError`."""
    from tqdm import tqdm

    scenario = load_recipe(given.recipe_cfg, given.overrides).scenario.build()
    model = None
    if given.model_cfg:
        built = load_model(given.model_cfg).model.build()

        def model() -> object:
            return built

    keys = {"seed": given.seed, "rewriting model": given.model_cfg or "none"}
    errors = [*write_corrupted(
        scenario,
        given.out,
        ImageSequence("chef-image-corruptions", seed=given.seed),
        TextSequence("chef-text-corruptions", model, seed=given.seed),
        made_with={"id": scenario.name, "data": scenario.fingerprint(), **keys},
        limit=given.limit,
        shown=lambda places: iter(tqdm(places, unit="sample", disable=None)),
    )]  # fmt: skip
    for error in errors:
        say(f"left out: {error}", stream=sys.stderr)
    say(f"wrote {given.out / layout_of(scenario.name).questions}")
    return 1 if errors else 0


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and write the data."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--recipe_cfg", required=True, help="a recipe of the clean data set")
    parser.add_argument("--out", type=Path, required=True, help="the folder that is written")
    parser.add_argument(
        "--seed", type=int, default=2024, help="of all that is drawn (ChEF's: 2024)"
    )
    parser.add_argument("--model_cfg", help="a model file: the model that rewrites sentences")
    parser.add_argument("--limit", type=int, help="only so many samples, from the first")
    parser.add_argument("overrides", nargs="*", help="key=value of the recipe")
    try:
        return corrupt(parser.parse_args(arguments))
    except ChefError as error:
        say(f"error: {error}", stream=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
