"""A table of one's own as it would be asked: its columns, and its first question."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent

from chef.common.printing import say
from chef.config import load_recipe
from chef.errors import ChefError
from chef.evaluator import Evaluator
from chef.inferencer.base import render
from chef.run.plan import RunOptions
from chef.session.checking import check_columns
from chef.types import Sample


def show_table(path: str, overrides: Sequence[str] = ()) -> int:
    """Print which columns became what, and the first sample as a model would be asked it.

    Args:
        path: of the table, or of a folder of tables.
        overrides: keys of the recipe: ``scenario_cfg.columns.images=file``.

    Returns:
        0; 2 if `chef eval` would refuse it, which the last lines say.

    Raises:
        ChefError: it cannot be read, or no question can be made of it.
    """
    evaluator = Evaluator(load_recipe(path, overrides), RunOptions())
    preview = evaluator.preview()
    use = evaluator.scenario.column_use()
    if use is not None:
        say("columns:")
        width = max(map(len, (*use.roles, "not used")))
        rows = {**use.roles, **({"not used": use.unused} if use.unused else {})}
        say("\n".join(f"  {role:<{width}}  {', '.join(names)}" for role, names in rows.items()))
    sample = preview.sample
    say(f"first sample ('{sample.id}'):")
    say(indent("\n".join(_facts(sample)), "  "))
    say("asked as:")
    say(indent(render(preview.request.conversation), "  "))
    try:
        check_columns(evaluator, ())
    except ChefError as error:
        say(f"chef eval would refuse it: {error.what}\n  -> {error.hint}")
        return 2
    return 0


def _facts(sample: Sample) -> list[str]:
    """The parts of a sample, a line each."""
    lines = [indent(f"question: {sample.question}", "  ").strip()]
    options = sample.fields.get("choices") or sample.options or ()  # the texts, else the labels
    lines += [f"option {number}: {text}" for number, text in enumerate(options, 1)]
    lines.append(f"answer: {sample.answer!r}")
    for number, image in enumerate(sample.images, 1):
        columns, rows = image.size
        lines.append(f"image {number}: {image.name}, {columns} x {rows} pixels")
    return lines if sample.images else [*lines, "no image"]
