"""MMBench: multiple choice, with each question repeated for every rotation of its options.

Source: Liu et al. 2023, "MMBench: Is Your Multi-modal Model an All-around Player?".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import msgspec

from chef.common.circular import group_sizes, question_index
from chef.errors import SampleError
from chef.guard.files import user_path
from chef.image import Image
from chef.scenario.base import Scenario, read_section
from chef.scenario.parts.robustness import (
    CorruptedQuestions,
    closed,
    corrupted_root,
    read_option_map,
)
from chef.scenario.questions.family import find_choice
from chef.scenario.records import values
from chef.scenario.tsv.table import TsvTable, row_images
from chef.types import Sample


class Choices(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Keys of ``ppl_cfg``."""

    content_only: bool = False


class MMBench(Scenario):
    """The rows of ``mmbench_{split}_20230712.tsv``; an index of a million or more is a rotation.

    Images come from ``images/mmbench_image_{index}.png`` if that file exists, else from the TSV.
    A row without an answer (as in the test split) is asked but not scored.

    Args:
        base_data_path: the folder of the TSV.
        split: a part of the name of the TSV.
        ppl_cfg: give options to score; True, or a mapping with the key ``content_only`` (score the
            texts instead of the letters). False, null, or a mapping without keys: no options.
        hint: put the row's hint before its question.
        sys_prompt: the line before the options.
        option_map: other words for the letters, such as ``{type: natural, ids: 0}``.
        img_crp: show the corrupted images.
        text_crp: ask the corrupted questions.
        data_c_path: the root of the corrupted data.
        generative: leave the options out of the question, and score their texts.

    Raises:
        DataError: ``img_crp`` is set and the folder ``data_c_path`` does not exist.
    """

    name = "MMBench"
    wording = "VQA"
    metric = "MMBenchVQA"
    protocols: ClassVar[Mapping[str, str]] = {
        "Calibration": "MMBench_Calibration",
        "Instruct_Follow": "Instruct_Follow",
    }
    random_accuracy = 0.2757
    corrupted_questions: ClassVar[type[CorruptedQuestions]] = CorruptedQuestions

    def __init__(
        self,
        base_data_path: str,
        *,
        split: str = "dev",
        ppl_cfg: dict[str, Any] | bool | None = None,
        hint: bool = True,
        sys_prompt: str = "There are several options:",
        option_map: dict[str, Any] | str | None = None,
        img_crp: bool = False,
        text_crp: bool = False,
        data_c_path: str = "../data/ChEF/MMBench_C",
        generative: bool = False,
    ) -> None:
        self._root = user_path(base_data_path)
        self._file = self._root / f"mmbench_{split}_20230712.tsv"
        given = {} if ppl_cfg is True else ppl_cfg or None
        self._ppl = read_section(Choices, given)
        self._hint, self._sys_prompt, self._generative = hint, sys_prompt, generative
        self._map = read_option_map(option_map)
        self._data_c = corrupted_root(data_c_path, with_images=img_crp)
        self._img_crp, self._text_crp = img_crp, text_crp
        self._corrupted = self.corrupted_questions(self._data_c / "MMBench_C.json")

    @cached_property
    def _index(self) -> TsvTable:
        return TsvTable(self._file)

    @cached_property
    def _sizes(self) -> Counter[str]:
        """The number of rows of each question."""
        ids = [self.sample_id(index) for index in range(len(self))]
        rows = zip(ids, self._index.rows, strict=True)
        return group_sizes((name, question_index(name), row.options) for name, row in rows)

    def __len__(self) -> int:
        return len(self._index.rows)

    def sample_id(self, index: int) -> str:
        return self._index.survey.id(index)

    def group(self, index: int) -> str | None:
        """The question that the row is a rotation of."""
        name = self.sample_id(index)
        return question_index(name)

    def fingerprint(self) -> str:
        needed = self._text_crp or (self._img_crp and self._corrupted.file.is_file())
        return self._index.digest() + (self._corrupted.digest() if needed else "")

    def __getitem__(self, index: int) -> Sample:
        try:
            return self._sample(index)
        except SampleError as error:
            where = error.where or self._index.where(index)
            raise SampleError(error.what, where=where, hint=error.hint) from None

    def _sample(self, place: int) -> Sample:
        name, cells = self.sample_id(place), self._index.read(place)
        choices = {label: cells[label] for label in self._index.labels if cells[label] != ""}
        if len(choices) < 2:
            raise SampleError(f"{len(choices)} options", hint="give at least two")
        labels, texts = list(choices), list(choices.values())
        answer = cells.get("answer", "").strip()
        correct = find_choice(answer, choices) if answer else None
        question = self._question(cells, choices)
        if self._text_crp:
            record = self._corrupted.question(name, place, texts)
            texts = values.texts(record, "gt_choices", blank=True)
            if correct is not None:
                correct = values.choice(record, "gt_choice", len(texts))
            question = self._reworded(values.text(record, "query"), labels)
        if self._map is not None:
            question = self._mapped(question, self._map.request(len(texts)))
        options = self._options(labels, texts)
        group = question_index(name)
        fields: dict[str, Any] = {
            "choices": texts,
            "gt_choices": texts,
            "circular_group": group,
            "circular_size": self._sizes[group],
            "category": cells.get("category", ""),
            "l2-category": cells.get("l2-category", ""),
        }
        if correct is not None:
            fields["gt_choice"] = correct
        if self._map is not None:
            fields["options"] = list(options)  # the words that a generated answer should use
        elif not self._generative:
            fields["labels"] = labels
        return Sample(
            id=name,
            images=self._images(name, place, cells),
            question=question,
            options=tuple(options) if self._ppl is not None else (),
            answer=None if correct is None else self._answer(correct, options, texts),
            fields=fields,
        )

    def _options(self, labels: Sequence[str], texts: Sequence[str]) -> Sequence[str]:
        if self._map is not None:
            return self._map.options(len(texts))
        by_text = self._generative or (self._ppl is not None and self._ppl.content_only)
        return texts if by_text else [f"({label}" for label in labels]

    def _answer(self, correct: int, options: Sequence[str], texts: Sequence[str]) -> str:
        """The reference answer, as an in-context example shows it."""
        uses_options = self._ppl is not None or self._map is not None
        return closed(options[correct]) if uses_options else texts[correct]

    def _question(self, cells: Mapping[str, str], choices: Mapping[str, str]) -> str:
        hint = self._shown(cells.get("hint", "")) if self._hint else ""
        # Some copies were saved with "nan" for the empty cell.
        parts = [hint] if hint and hint.lower() != "nan" else []
        parts.append(self._shown(cells["question"]))
        if self._generative:
            return " ".join(parts)
        listed = "".join(f"\n({label}) {text}" for label, text in choices.items())
        return " ".join([*parts, f"{self._sys_prompt}{listed}"])

    def _shown(self, cell: str) -> str:
        """The text of a cell as a part of the question."""
        return cell.strip()

    def _mapped(self, question: str, request: str) -> str:
        """The question, then the words to say for its letters."""
        return f"{question.rstrip()}\n{request}"

    def _reworded(self, query: str, labels: Sequence[str]) -> str:
        """A corrupted question, whose options are on one line, with a line for each option."""
        listed = ""
        for label in reversed(labels):
            before, mark, text = query.rpartition(f" ({label})")
            if mark:
                query, listed = before, f"\n({label}){text}{listed}"
        if self._generative:
            return query.removesuffix(self._sys_prompt).strip()
        return query + listed

    def _images(self, name: str, place: int, cells: Mapping[str, str]) -> tuple[Image, ...]:
        if self._img_crp:
            # Corrupted images have the numbers of the corrupted questions.
            if self._corrupted.file.is_file():
                place = self._corrupted.position(name, place)
            return (Image(self._data_c / "images" / f"{place}.png"),)
        exported = self._root / "images" / f"mmbench_image_{name}.png"
        if exported.is_file():
            return (Image(exported),)
        return row_images(self._index, self._root, cells, (place,))
