"""ScienceQA: school questions with an image (Lu et al. 2022, "Learn to Explain", as in LAMM)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from chef.common.digest import file_digest
from chef.common.options import letters
from chef.errors import ConfigError
from chef.scenario.parts.robustness import (
    CorruptedQuestions,
    closed,
    corrupted_root,
    read_option_map,
)
from chef.scenario.records import values
from chef.scenario.records.files import Record
from chef.scenario.records.listed import SCIENCE_GROUPS, Listed, Origin
from chef.types import Sample

META = "meta_file/VQA_ScienceQA.json"


class ScienceQA(Listed):
    """Questions with two to five lettered options; their context is left out.

    Args:
        base_data_path: the root of LAMM's 2D benchmark.
        option_content: score ``(A) text`` instead of ``(A``.
        option_map: other words for the letters, such as ``{type: natural, ids: 0}``.
        img_crp: show the corrupted images.
        text_crp: ask the corrupted questions.
        data_c_path: the root of the corrupted data.
        generative: leave the options out of the question, and score their texts.
        source: ``hub`` reads a data set such as ``derek-thomas/ScienceQA``, the name in
            ``base_data_path``. Ids are then positions in its test split, and there is no corrupted
            data for them.

    Raises:
        ConfigError: corrupted data is asked for with a data set of the hub.
        DataError: ``img_crp`` is set and the folder ``data_c_path`` does not exist.
    """

    name = "ScienceQA"
    wording = "VQA"
    metric = "VQA"
    protocols: ClassVar[Mapping[str, str]] = {
        "Calibration": "ScienceQA_Calibration",
        "Instruct_Follow": "Instruct_Follow",
        "LAMM": "LAMM_VQA",
    }
    random_accuracy = 0.358
    groupings = SCIENCE_GROUPS
    corrupted_questions: ClassVar[type[CorruptedQuestions]] = CorruptedQuestions

    def __init__(
        self,
        base_data_path: str,
        *,
        option_content: bool = False,
        option_map: dict[str, Any] | str | None = None,
        img_crp: bool = False,
        text_crp: bool = False,
        data_c_path: str = "data/datasets/ChEF/ScienceQA_C",
        generative: bool = False,
        source: Origin = "files",
    ) -> None:
        super().__init__(base_data_path, META, source=source)
        if source == "hub" and (img_crp or text_crp):
            raise ConfigError(
                "corrupted data belongs to LAMM's selection of ScienceQA",
                where="scenario_cfg.source",
                hint="remove 'source', or remove img_crp and text_crp",
            )
        self._content, self._generative = option_content, generative
        self._map = read_option_map(option_map)
        corrupted = corrupted_root(data_c_path, with_images=img_crp)
        self._pictures = corrupted if img_crp else self.root
        file = corrupted / "VQA_ScienceQA_C.json"
        self._corrupted = self.corrupted_questions(file) if text_crp else None

    def sample(self, index: int, record: Record) -> Sample:
        name, image = self.sample_id(index), record.get("image")
        if self._corrupted is not None:
            clean = values.texts(record, "gt_choices", blank=True)
            record = self._corrupted.question(name, index, clean)
        choices = values.texts(record, "gt_choices", blank=True)
        correct = values.choice(record, "gt_choice", len(choices))
        options = self._options(choices)
        fields: dict[str, Any] = {"gt_choice": correct, "choices": choices, "gt_choices": choices}
        fields |= {name: record[name] for name in SCIENCE_GROUPS if record.get(name)}
        if self._map is not None or self._generative:
            answer = closed(options[correct])
        else:
            answer = f"({letters(26)[correct]})"
            fields["labels"] = letters(len(choices))
        return Sample(
            id=name,
            images=self.images(image, self._pictures),
            question=self._question(values.text(record, "query"), len(choices)),
            options=tuple(options),
            answer=answer,
            fields=fields,
        )

    def fingerprint(self) -> str:
        corrupted = (self._corrupted.file,) if self._corrupted else ()
        return file_digest(self.meta, *corrupted) if corrupted else super().fingerprint()

    def _options(self, choices: list[str]) -> list[str]:
        if self._map is not None:
            return self._map.options(len(choices))
        if self._generative:
            return choices
        names = letters(len(choices))
        if not self._content:
            return [f"({name}" for name in names]
        return [f"({name}) {text}" for name, text in zip(names, choices, strict=True)]

    def _question(self, query: str, count: int) -> str:
        text = self._worded(*split_query(query))
        return self._mapped(text, self._map.request(count)) if self._map else text

    def _mapped(self, text: str, request: str) -> str:
        """The question, then the words to say for its letters."""
        return f"{text}\n{request}"

    def _worded(self, asked: str, listed: str) -> str:
        text = f"Question: {asked.strip()}"
        return text if self._generative else f"{text}\nOptions:{listed.rstrip()}"


def split_query(query: str) -> tuple[str, str]:
    r"""The question and the list of options; the context between them is left out.

    >>> split_query("Which?\nContext: N/A\nOptions: (A) this (B) that")
    ('Which?\n', ' (A) this (B) that')
    """
    before, _, listed = query.partition("Options:")
    return before.partition("Context:")[0], listed
