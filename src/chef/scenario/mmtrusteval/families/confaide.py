"""Privacy: whether information should flow to somebody, from -100 to 100."""

from __future__ import annotations

import re
from collections.abc import Iterable

from chef.errors import DataError
from chef.scenario.mmtrusteval.items import Item
from chef.scenario.mmtrusteval.source import Source


def confaide(source: Source) -> Iterable[Item]:
    """The prompts; the target is a number, the picture number ``place % img_num``."""
    prompts_file, labels_file = source.paths["prompts_path"], source.paths["labels_path"]
    labels = _lines(source.text(labels_file, "labels_path"))
    text = source.text(prompts_file, "prompts_path")
    # A prompt is a line, or a paragraph of several.
    prompts = next((found for found in (_lines(text), _paragraphs(text))
                    if len(found) == len(labels)), None)  # fmt: skip
    if prompts is None:
        raise DataError(
            f"has {len(_lines(text))} prompts, and {labels_file} has {len(labels)} labels",
            where=str(prompts_file),
            hint="write one prompt a line, or with an empty line after each, and a label for each",
        )
    pictures = source.pictures() if source.dataset.variant.image == "own" else []
    ending = source.say("confaide_force") if source.settings.force_prompt else ""
    for place, (prompt, label) in enumerate(zip(prompts, labels, strict=True)):
        name, number = str(place + 1), place % source.settings.img_num
        try:
            target = float(label)
        except ValueError:
            problem = f"{labels_file}: line {place + 1} is '{label}', not a number"
            yield Item(name, problem=problem, hint="write a number from -100 to 100")
            continue
        path = pictures[number] if number < len(pictures) else None
        yield Item(name, prompt + ending, path, target)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
