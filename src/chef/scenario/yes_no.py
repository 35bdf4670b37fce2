"""Yes/no questions: POPE about objects that are there or not, MME in fourteen subtasks.

Sources: Li et al. 2023, "Evaluating Object Hallucination in Large Vision-Language Models"; Fu et
al. 2023, "MME", two questions an image.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from chef.common.digest import content_digest
from chef.common.options import YES_NO, yes_no_fields, yes_or_no
from chef.errors import DataError, SampleError
from chef.guard.files import read_text, user_path
from chef.image import Image
from chef.scenario.base import Scenario
from chef.scenario.records import values
from chef.scenario.records.files import Record
from chef.scenario.records.listed import Listed, Origin, schema_of
from chef.types import Sample

if TYPE_CHECKING:
    from chef.scenario.records.listed import CellImages


class _Pope(Listed):
    """Yes/no questions on photographs of COCO; half of the answers are no.

    Args:
        base_data_path: the folder of the lists and of ``val2014``.
        source: ``hub`` reads a data set such as ``lmms-lab/POPE``, the name in ``base_data_path``.
    """

    wording = "POPE"
    metric = "POPE_Metric"
    protocols: ClassVar[Mapping[str, str]] = {"Hallucination": "POPE_Metric"}
    random_accuracy = 0.5

    def __init__(
        self,
        base_data_path: str,
        *,
        source: Origin = "files",
    ) -> None:
        meta = f"{self.name.replace('POPE_COCO', 'coco_pope')}.json"
        super().__init__(base_data_path, meta, source=source)

    def sample_id(self, index: int) -> str:
        return str(self.records[index].get("question_id", index))

    def sample(self, index: int, record: Record) -> Sample:
        reference = yes_or_no(values.text(record, "label"))
        if reference is None:
            raise values.bad_value("label", record["label"], "yes or no")
        image = record["image"]
        path = {"image_path": f"val2014/{image}"} if isinstance(image, str) else {}
        return Sample(
            id=self.sample_id(index),
            images=self.images(image, self.root / "val2014"),
            question=values.text(record, "text"),
            options=YES_NO,
            answer=record["label"],
            fields={**yes_no_fields(reference), **path},
        )


class PopeRandom(_Pope):
    """The absent objects are drawn at random."""

    name = "POPE_COCO_random"


class PopePopular(_Pope):
    """The absent objects are frequent ones."""

    name = "POPE_COCO_popular"


class PopeAdversarial(_Pope):
    """The absent objects often occur together with the present ones."""

    name = "POPE_COCO_adversarial"


SUBTASKS = (
    "commonsense_reasoning", "text_translation", "OCR", "code_reasoning", "numerical_calculation",
    "color", "posters", "count", "celebrity", "scene", "position", "existence", "landmark",
    "artwork",
)  # fmt: skip
_IMAGES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})
#: The sentence at the end of a question that asks for yes or no.
_FORM = re.compile(r"\s*[^.?!]*\byes or no\b[^.?!]*[.?!]?\s*\Z", re.IGNORECASE)


class QuestionLine(NamedTuple):
    """One line of a question file; ``number`` starts at 1."""

    subtask: str
    file: Path
    number: int
    text: str
    image: Path | CellImages | None

    @property
    def name(self) -> str:
        """The id of the sample, such as ``color/000123-1``."""
        return f"{self.subtask}/{self.file.stem}-{self.number}"


class MME(Scenario):
    """Yes/no questions on images; each subtask is a folder, each image has a file of questions.

    A line of a text file is a question, a tab and its answer. The text files are in
    ``questions_answers_YN`` and the images in ``images``, or both are in the folder of the subtask.
    Subtasks have a fixed order; files are sorted by name.

    Args:
        base_data_path: the folder of the subtasks.
        source: ``hub`` reads a data set such as ``lmms-lab/MME``, the name in ``base_data_path``.
        ppl_cfg: give Yes and No as options. False, null or an empty mapping: no options.
        generative: leave out the sentence that asks for yes or no.
    """

    name = "MME"
    wording = "VQA"
    metric = "MMEVQA"
    random_accuracy = 0.5
    groupings: ClassVar[Mapping[str, str]] = {"category": "task_type"}

    def __init__(
        self,
        base_data_path: str,
        *,
        ppl_cfg: dict[str, Any] | bool | None = True,
        generative: bool = False,
        source: Origin = "files",
    ) -> None:
        self._root = user_path(base_data_path)
        self._hub_name = base_data_path if source == "hub" else None
        self._ppl, self._generative = bool(ppl_cfg), generative

    @cached_property
    def _lines(self) -> list[QuestionLine]:
        """The lines of all question files; DataError where there are none."""
        if self._hub_name is not None:
            return _read_hub(self._hub_name)
        lines = [line for subtask in SUBTASKS for line in _read(self._root, subtask)]
        if not lines:
            raise DataError(
                "contains no subtask of MME",
                where=str(self._root),
                hint="set scenario_cfg.base_data_path to the folder with color, count, ...",
            )
        return lines

    def __len__(self) -> int:
        return len(self._lines)

    def sample_id(self, index: int) -> str:
        return self._lines[index].name

    def group(self, index: int) -> str | None:
        """The image that the question is about."""
        line = self._lines[index]
        return f"{line.subtask}/{line.file.stem}"

    def fingerprint(self) -> str:
        """A digest of the questions and answers; images are not read."""
        lines = [(line.name, line.text) for line in self._lines]
        return content_digest(repr(lines))

    def __getitem__(self, index: int) -> Sample:
        line = self._lines[index]
        where = f"{line.file}: line {line.number}"
        question, tab, answer = line.text.rpartition("\t")
        reference = yes_or_no(answer)
        if not tab or reference is None or not question.strip():
            raise SampleError(
                "not a question, a tab, and Yes or No", where=where, hint="correct the line"
            )
        if line.image is None:
            raise SampleError("no image of that name", where=where, hint="download it again")
        question = question.strip()
        if isinstance(line.image, Path):
            images: tuple[Image, ...] = (Image(line.image),)
            shown = line.image.relative_to(self._root)
        else:
            images, shown = line.image.images(), line.file
        return Sample(
            id=line.name,
            images=images,
            question=(_FORM.sub("", question) or question) if self._generative else question,
            options=YES_NO if self._ppl else (),
            answer=reference,
            fields={
                **yes_no_fields(reference),
                "task_type": line.subtask,
                "image_path": str(shown),
            },
        )


def _read_hub(path: str) -> list[QuestionLine]:
    """The rows of a data set of the hub, with the order and the ids that the files would have."""
    from chef.scenario.records.listed import read_hub

    numbers: Counter[str] = Counter()
    lines = []
    for record in read_hub(path, schema_of("MME")).records:
        name = str(record["question_id"])
        numbers[name] += 1
        text = f"{record['question']}\t{record['answer']}"
        lines.append(
            QuestionLine(record["category"], Path(name), numbers[name], text, record["image"])
        )
    unknown = {line.subtask for line in lines} - {*SUBTASKS}
    if unknown:
        raise DataError(f"has the unknown category '{min(unknown)}'", where=path)
    return sorted(lines, key=lambda line: (SUBTASKS.index(line.subtask), line.file.stem))


def _read(root: Path, subtask: str) -> list[QuestionLine]:
    """The questions of a subtask; an empty list if its folder does not exist."""
    folder = root / subtask
    nested = folder / "questions_answers_YN"
    texts, images = (nested, folder / "images") if nested.is_dir() else (folder, folder)
    if not folder.is_dir():
        return []
    files = sorted(texts.glob("*.txt"))
    pictures = {
        file.stem: file for file in sorted(images.glob("*")) if file.suffix.lower() in _IMAGES
    }
    lines = []
    for file in files:
        try:
            content = read_text(file, "utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"cannot be read: {error}", where=str(file)) from None
        lines += [
            QuestionLine(subtask, file, number, text, pictures.get(file.stem))
            for number, text in enumerate(content.splitlines(), 1)
            if text.strip()
        ]
    return lines
