"""Multiple choice by ChEF's own rules, which read the texts of scored options too."""

from __future__ import annotations

import random
from typing import Any

from chef.common.circular import PLACE
from chef.metric.records import (
    answer_text,
    names,
    required_choices,
    required_references,
    scored_choice,
    scored_entry,
)
from chef.metric.upstream.stored import stored_text, with_thought
from chef.metric.vqa import calibration, choice, mmbench, mmmu, vqa
from chef.metric.vqa.mmbench import all_right, questions, share_of_questions
from chef.reading.rules.chef_options import (
    LETTERS,
    cascade,
    lamm_option,
    mapped_option,
    mmmu_option,
)
from chef.reading.rules.chef_texts import chef_open_answer

Record = dict[str, Any]


class VQA(vqa.VQA):
    """Scored options and texts, with their chain of thought, are all read by `cascade`."""

    policy = "ChEF cascade"
    _letters = LETTERS

    def score_sample(self, record: Record) -> Record:
        """``parsed`` is the index of the option; ``match`` is ``option`` or ``content``."""
        right, choices = required_choices(record), tuple(names(record, "choices"))
        text, content_only = stored_text(record), self.content_only
        found = cascade(text, choices, known=self._letters, content_only=content_only)
        match = None if found.value is None else found.rule
        return {**scored_entry(found, right=found.value in right), "match": match}


class VQACalibration(calibration.VQACalibration, VQA):
    """Calibration of answers that are read as in `VQA`.

    Answers of one confidence are cut into bins as the data has them.
    """

    splits_ties = True


class MMBenchVQA(VQA, mmbench.MMBenchVQA):
    """Answers are read as in `VQA`, with the letters A to D, and questions need not be complete.

    In ``vanilla_acc`` the first scored row of a question replaces a missing main row. In
    ``circular_acc`` a question without its main row counts as correct, and other missing rows are
    ignored. In ``option_match`` and ``content_match`` the rows of a question without its main row
    count as unread. There is no ``incomplete_groups``.
    """

    _letters = "ABCD"

    def metric_func(self, answers: list[Record]) -> Record:
        values = super().metric_func(answers)
        del values["incomplete_groups"]
        groups = questions(answers)
        firsts = [rows[0] for rows in groups.values()]
        right = [float(rows[0]["id"] != name or all_right(rows)) for name, rows in groups.items()]
        return {
            **values,
            "vanilla_acc": share_of_questions([row["metric_result"] for row in firsts], firsts),
            "circular_acc": share_of_questions(right, firsts),
        }

    def counted_rows(self, answers: list[Record]) -> list[Record]:
        """The rows of the questions whose main rows were scored."""
        groups = questions(answers)
        return [row for name, rows in groups.items() if rows[0]["id"] == name for row in rows]

    def first_rows(self, answers: list[Record]) -> list[Record]:
        """The first scored row of each question, whatever its rotation."""
        return [rows[0] for rows in questions(answers).values()]


class MMBenchCalibration(calibration.MMBenchCalibration, MMBenchVQA):
    """Calibration of answers that are read and counted as in `MMBenchVQA`.

    ``ECE`` is over the first scored row of each question; ``prednum`` counts the rows that
    ``option_match`` counts. Answers of one confidence are cut into bins as the data has them.
    """

    splits_ties = True


class LammVQA(vqa.LammVQA):
    """An answer is correct if it states the correct letter and no other (`lamm_option`).

    The chain of thought is read too, also before a scored option.
    """

    policy = "LAMM"

    def score_sample(self, record: Record) -> Record:
        """``parsed`` is the index of the option."""
        right = required_choices(record)
        found = lamm_option(with_thought(record), names(record, "choices"), min(right))
        return scored_entry(found, right=found.value in right)


class InstructFollow(mmbench.InstructFollow):
    """Answers are searched for the options themselves (`mapped_option`), never for their texts.

    The row that counts for a question is the first one scored, whatever its rotation. In a file of
    answers it is the first in the file, in a run that with the lowest index, as in MMBench's files.
    """

    policy = "ChEF mapped options"

    def score_sample(self, record: Record) -> Record:
        """``parsed`` is the index of the option."""
        right = required_choices(record)
        options = names(record, "options")
        found = mapped_option(stored_text(record), options)
        accepted = {options[index].lower() for index in right if index < len(options)}
        hit = found.value is not None and options[found.value].lower() in accepted
        return scored_entry(found, right=hit)

    def first_rows(self, answers: list[Record]) -> list[Record]:
        groups = questions(answers).values()
        return [min(rows, key=lambda row: row.get(PLACE, 0)) for rows in groups]


class MMMUMetric(mmmu.MMMUMetric):
    """Letters are read by `mmmu_option`, open answers by `chef_open_answer`.

    If `mmmu_option` finds nothing, it draws an option at random, seeded by the sample's id. Texts
    are read together with their chain of thought. Scored options are taken by their indices.
    """

    policy = "ChEF MMMU"

    def score_sample(self, record: Record) -> Record:
        """``parsed`` is the index of the option, or the matching reference, else the answer."""
        if record.get("question_type") == "open":
            accepted = required_references(record)
            return mmmu.score_open(chef_open_answer(stored_text(record), accepted))
        if scored_choice(record) is not None:
            return choice.score_choice(record)
        right = required_choices(record)
        rng = random.Random(f"42 {record.get('id')}")
        found = mmmu_option(stored_text(record), names(record, "choices"), rng)
        return scored_entry(found, right=found.value in right)


class Ch3EfMetric(vqa.Ch3EfMetric):
    """The text of the first option is correct; if an abstention is offered, that of the second too.

    So an abstention that is not the second option is wrong.
    """

    def score_sample(self, record: Record) -> Record:
        """``parsed`` is the index of the option."""
        found = super().score_sample(record)
        options = names(record, "options")
        accepted = options[: 2 if vqa.ABSTAIN in options else 1]
        return {**found, "metric_result": float(answer_text(record) in accepted)}
