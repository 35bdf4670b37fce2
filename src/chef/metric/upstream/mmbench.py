"""MMBench by ChEF's own rules."""

from __future__ import annotations

from typing import Any

from chef.metric.upstream.vqa import VQA
from chef.metric.vqa import mmbench, mmbench_calibration
from chef.metric.vqa.mmbench import all_right, questions, share_of_questions


class MMBenchVQA(VQA, mmbench.MMBenchVQA):
    """Answers are read as in `VQA`, with the letters A to D, and questions need not be complete.

    In ``vanilla_acc`` the first scored row of a question replaces a missing main row. In
    ``circular_acc`` a question without its main row counts as correct, and other missing rows are
    ignored. In ``option_match`` and ``content_match`` the rows of a question without its main row
    count as unread. There is no ``incomplete_groups``.
    """

    _letters = "ABCD"

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
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

    def counted_rows(self, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The rows of the questions whose main rows were scored."""
        groups = questions(answers)
        return [row for name, rows in groups.items() if rows[0]["id"] == name for row in rows]

    def first_rows(self, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The first scored row of each question, whatever its rotation."""
        return [rows[0] for rows in questions(answers).values()]


class MMBenchCalibration(mmbench_calibration.MMBenchCalibration, MMBenchVQA):
    """Calibration of answers that are read and counted as in `MMBenchVQA`.

    ``ECE`` is over the first scored row of each question; ``prednum`` counts the rows that
    ``option_match`` counts. Answers of one confidence are cut into bins as the data has them.
    """

    splits_ties = True
