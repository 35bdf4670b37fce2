"""The output of ``--dry-run``."""

from __future__ import annotations

from chef.config import ModelSpec
from chef.evaluator import Evaluator, Preview
from chef.inferencer.base import render
from chef.types import Score


def show_preview(evaluator: Evaluator, model: ModelSpec, preview: Preview) -> None:
    """Print the effective configuration and the first request as it is sent to the model."""
    from omegaconf import OmegaConf

    print(f"# {evaluator.recipe.document.path}: the effective configuration")
    print(OmegaConf.to_yaml(OmegaConf.create(evaluator.config(model))))
    total, metric = len(evaluator.ids), type(evaluator.metric).__name__
    print(f"# {total} samples of {evaluator.scenario.name}, scored by {metric}")
    print(f"# {evaluator.batches}")
    print(f"# first query (sample '{preview.sample.id}'):")
    print(render(preview.request.conversation))
    if isinstance(preview.request, Score):
        print("# candidates, each scored after the text before the bar:")
        for candidate in preview.request.candidates:
            print(f"  {preview.request.answer_prefix}|{candidate}")
    print(f"# reference answer: {preview.sample.answer!r}\n")
