"""A whole data set with ChEF's corruptions as files in ChEF's layout, and such files read back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from chef.common.options import letters
from chef.common.writing import write_image, write_json
from chef.errors import DataError, SampleError
from chef.frozen import Frozen
from chef.guard.files import user_path
from chef.image import Image
from chef.method.base import Method
from chef.method.sequences import ImageSequence, TextSequence
from chef.method.wording.base import parts_of
from chef.scenario.base import Scenario
from chef.scenario.circular import reordered
from chef.scenario.parts.robustness import CorruptedQuestions
from chef.types import Sample

#: What the folder was made with, and what was done to each sample.
MADE, IMAGES, TEXTS = (
    "corruptions.json",
    "Image_Corruptions_info.json",
    "Text_Corruptions_info.json",
)
_HINT = "give a folder that can be written"


class CorruptedLayout(Frozen):
    """The file with a corrupted data set's questions, and what parts question and options."""

    questions: str
    heading: str


_LAYOUTS = {
    "MMBench": CorruptedLayout("MMBench_C.json", "\nThere are several options:"),
    "ScienceQA": CorruptedLayout("VQA_ScienceQA_C.json", "\nContext: N/A\nOptions:"),
}


def layout_of(name: str) -> CorruptedLayout:
    """The layout of a data set by its name; those that ChEF has not are laid out as MMBench is."""
    return _LAYOUTS.get(name, CorruptedLayout(f"{name}_C.json", "\nOptions:"))


def write_corrupted(
    scenario: Scenario,
    folder: Path,
    images: ImageSequence,
    texts: TextSequence,
    *,
    made_with: Mapping[str, Any],
    limit: int | None = None,
    shown: Callable[[range], Iterator[int]] = iter,
) -> Iterator[SampleError]:
    """Write the corrupted copy of a data set, or go on with it; yields samples that cannot be made.

    Images are ``images/{row}.png`` (of ScienceQA their own paths); the questions are a list of
    ``id, query, gt_choices, gt_choice``, and the whole ``question`` as chef asks it. A folder that
    is there must have been ``made_with`` the same settings (`DataError`).
    """
    _claim(folder, made_with)
    count = len(scenario) if limit is None else min(limit, len(scenario))
    questions: list[dict[str, Any]] = []
    image_steps: list[dict[str, Any]] = []
    text_steps: list[dict[str, Any]] = []
    for index in shown(range(count)):
        try:
            sample = scenario[index]
            changed, steps = sample, []
            if sample.question:
                changed, text = texts.run(sample, texts.stream(sample))
                steps = [step._asdict() for step in text]
            record = _record(sample, changed, layout_of(scenario.name))
            record["images"] = _names(scenario, sample, len(questions))
            seen = [
                {"id": sample.id, "crp_seq": _write_image(sample, place, images, folder / name)}
                for place, name in enumerate(record["images"])
            ]
        except SampleError as error:
            yield error
            continue
        questions.append(record)
        text_steps.append({"id": sample.id, "crps": steps})
        image_steps += seen
    write_json(folder / layout_of(scenario.name).questions, questions)
    write_json(folder / IMAGES, image_steps)
    write_json(folder / TEXTS, text_steps)


def _claim(folder: Path, made_with: Mapping[str, Any]) -> None:
    """Note what the folder is made with, before the first file is written."""
    from chef.scenario.records.files import read_records

    note = folder / MADE
    if note.is_file() and read_records(note) != [dict(made_with)]:
        raise DataError(
            "the folder holds data that was corrupted with other settings",
            where=str(note),
            hint="give another folder, or delete this one",
        )
    folder.mkdir(parents=True, exist_ok=True)
    write_json(note, [dict(made_with)])


def _names(scenario: Scenario, sample: Sample, row: int) -> list[str]:
    """The names of the images of a sample, in the folder."""
    root = getattr(scenario, "root", None)
    if scenario.name == "ScienceQA" and isinstance(root, Path):
        return [Path(str(image.source)).relative_to(root).as_posix() for image in sample.images]
    return [f"images/{row}{f'_{place}' * (place > 0)}.png" for place in range(len(sample.images))]


def _write_image(
    sample: Sample, place: int, images: ImageSequence, path: Path
) -> list[dict[str, object]]:
    """Write an image; what was done to it. One that is there is made again only in memory."""
    import numpy as np
    from PIL import Image as Pillow

    pixels = np.asarray(sample.images[place].view())
    changed, steps = images.run(pixels, images.stream(sample, place))
    if not path.is_file():
        write_image(path, Pillow.fromarray(changed), _HINT)
    return [step.to_json() for step in steps]


def _record(sample: Sample, changed: Sample, layout: CorruptedLayout) -> dict[str, Any]:
    choices = [str(choice) for choice in changed.fields.get("choices") or changed.options]
    labels = sample.fields.get("labels") or letters(len(choices))
    listed = "".join(f" ({a}) {text}" for a, text in zip(labels, choices, strict=True))
    asked = parts_of(changed).asked
    return {
        "id": sample.id,
        "query": f"{asked}{layout.heading}{listed}" if choices else asked,
        "gt_choices": choices,
        "gt_choice": changed.fields.get("gt_choice"),
        "question": changed.question,
    }


class CorruptedData(Method):
    """The images and questions that ``tools/corrupt.py`` has written, by the id of the sample.

    Args:
        path: the folder.
        images: whether the corrupted images are shown.
        text: whether the corrupted questions are asked.
    """

    paths: ClassVar[Sequence[str]] = ("path",)

    def __init__(
        self, method_id: str, *, path: str, images: bool = True, text: bool = True
    ) -> None:
        super().__init__(method_id)
        self.folder = user_path(path)
        self.images, self.text = images, text

    @cached_property
    def _questions(self) -> CorruptedQuestions:
        files = sorted(self.folder.glob("*_C.json"))
        if len(files) != 1:
            raise DataError(
                "there is no file of corrupted questions (NAME_C.json)"
                if not files
                else f"there are {len(files)} files of corrupted questions",
                where=str(self.folder),
                hint="write it with python tools/corrupt.py",
            )
        return CorruptedQuestions(files[0])

    def fingerprint(self) -> str:
        return self._questions.digest()

    def transform(self, sample: Sample) -> Sample:
        record = self._questions.of_id(sample.id)
        if self.text and record["question"] != sample.question:
            sample = replace(_ordered(sample, record["gt_choices"]), question=record["question"])
        if self.images:
            images = tuple(Image(self.folder / name) for name in record["images"])
            sample = replace(sample, images=images)
        return sample


def _ordered(sample: Sample, choices: Sequence[str]) -> Sample:
    """The sample with its options in the order of the file."""
    own = [str(choice) for choice in sample.fields.get("choices") or sample.options]
    if own == [*choices]:
        return sample
    order = [own.index(choice) for choice in choices] if sorted(own) == sorted(choices) else []
    moved = reordered(sample, order) if order else None
    if moved is None:
        raise SampleError(
            "the corrupted question has other options than the clean one",
            where=f"sample '{sample.id}'",
            hint="write the corrupted data again for this data set",
        )
    return moved
