"""The families of data sets: multiple choice, yes/no, free answers, captions, several turns."""

from __future__ import annotations

from typing import Any, ClassVar

from chef.common.circular import has_rotations
from chef.common.front_modules import SYSTEMS
from chef.common.options import list_literal
from chef.errors import SampleError
from chef.scenario.hooks.vlmevalkit.base import ImageBaseDataset
from chef.scenario.hooks.vlmevalkit.files import dump, index_text, load, pandas_module
from chef.scenario.hooks.vlmevalkit.helpers import get_intermediate_file_path

#: The split of rows that name none.
NO_SPLIT = "none"


def report_acc(df: Any) -> Any:
    """The means (0 to 1) of the column ``hit``: overall, and of each l2-category and category.

    A row for each ``split``, with the columns ``split``, ``Overall`` and the groups, sorted; of a
    category that is named like an l2-category the column is that of the category.
    """
    pandas = pandas_module()
    splits = df["split"].fillna(NO_SPLIT) if "split" in df else [NO_SPLIT] * len(df)
    rows = []
    for split, part in df.groupby(pandas.Series(list(splits), index=df.index), sort=True):
        row = {"split": split, "Overall": float(part["hit"].mean())}
        for column in ("l2-category", "category"):
            if column in part:
                means = part.groupby(column, sort=True)["hit"].mean()
                row |= {str(name): float(mean) for name, mean in means.items()}
        rows.append(row)
    return pandas.DataFrame(rows)


#: Where an image stands in the questions of a data set with several turns.
PLACE = "<ImageHere>"


class ImageMCQDataset(ImageBaseDataset):
    """Multiple choice: options in the columns ``A`` to ``Z``, ``answer`` is a label or a text."""

    TYPE: ClassVar[str] = "MCQ"

    @classmethod
    def scores_alone(cls, eval_file: str) -> Any:
        """As of `report_acc`, rotations as one; written to ``_result`` and ``_acc.csv``, too."""
        names = SYSTEMS["vlmeval"].get
        table = pandas_module().DataFrame(load(eval_file))
        is_circular = has_rotations(set(table["index"].map(index_text)))
        score = names("mcq_circular_eval" if is_circular else "mcq_vanilla_eval")
        scored = score(None, table, table)
        dump(scored, get_intermediate_file_path(eval_file, "_result"))
        accuracy = report_acc(scored)
        dump(accuracy, get_intermediate_file_path(eval_file, "_acc", "csv"))
        return accuracy


class ImageYORNDataset(ImageBaseDataset):
    """Questions that are answered by yes or no."""

    TYPE: ClassVar[str] = "Y/N"


class ImageVQADataset(ImageBaseDataset):
    """Free answers, asked to be short; ``answer`` is a text or a list literal of texts."""

    TYPE: ClassVar[str] = "VQA"

    @property
    def layout(self) -> str:
        """As its kind."""
        return self.kind


class ImageCaptionDataset(ImageBaseDataset):
    """Captions; ``answer`` is a text or a list literal of references."""

    TYPE: ClassVar[str] = "Caption"


class TextBaseDataset(ImageBaseDataset):
    """Questions without images."""

    MODALITY: ClassVar[str] = "TEXT"
    TYPE: ClassVar[str] = ""

    def __init__(self, dataset: str = "", skip_noimg: bool = False) -> None:
        super().__init__(dataset, skip_noimg=skip_noimg)


class TextMCQDataset(TextBaseDataset):
    """Multiple choice without images."""

    TYPE: ClassVar[str] = "MCQ"


class MTDataset(ImageBaseDataset):
    """Conversations: ``question`` and ``answer`` are list literals with an item for each turn.

    An image stands at each ``<ImageHere>``; those that no question names come first.
    """

    TYPE: ClassVar[str] = "MT"

    def build_prompt(self, line: Any) -> list[dict[str, Any]]:
        """The chat: a user's turn for each question, an assistant's for each reference answer."""
        row = self._row(line)
        questions, answers = _turns(row, "question"), _turns(row, "answer")
        if len(answers) not in {len(questions), len(questions) - 1}:
            raise SampleError(f"there are {len(questions)} questions and {len(answers)} answers")
        paths = self.dump_image(row)
        named = sum(question.count(PLACE) for question in questions)
        if named > len(paths):
            raise SampleError(f"the questions name {named} images, and the row has {len(paths)}")
        first, rest = paths[: len(paths) - named], iter(paths[len(paths) - named :])
        chat: list[dict[str, Any]] = []
        for number, question in enumerate(questions):
            content: list[dict[str, Any]] = [
                {"type": "image", "value": path} for path in (first if number == 0 else [])
            ]
            for place, text in enumerate(question.split(PLACE)):
                if place:
                    content.append({"type": "image", "value": next(rest)})
                if text.strip():
                    content.append({"type": "text", "value": text})
            chat.append({"role": "user", "content": content})
            if number < len(answers):
                said = [{"type": "text", "value": answers[number]}]
                chat.append({"role": "assistant", "content": said})
        return chat


def _turns(row: Any, column: str) -> list[str]:
    cell = row.get(column)
    found = cell if isinstance(cell, list) else list_literal(str(cell))
    if not found:
        raise SampleError(
            f"the column '{column}' has no list: {str(cell)[:60]!r}",
            hint="write a JSON list with an item for each turn",
        )
    return [str(item) for item in found]
