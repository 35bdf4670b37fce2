"""What the published comparisons of free answers share: the answer's text, and the mean."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from chef.metric.base import Metric
from chef.metric.records import answer_text, required_references, scored_entry
from chef.metric.vqa.accuracy import share_of
from chef.reading.excerpt import excerpt
from chef.reading.leaks import answer_body, before_next_question
from chef.reading.text import POLICY, Reading


class OpenAnswerMetric(Metric):
    """The mean score of free answers; a subclass says how one answer is scored.

    The whole text of an answer is compared, except for its chain of thought in tags and for turns
    that the model invents: these measures expect short answers, and ask for them.
    """

    needs_options = False
    policy = POLICY
    #: How answers are compared, as the table and the results say it.
    compared: str = ""

    @abstractmethod
    def score(self, answer: str, references: list[str]) -> float:
        """The score of an answer, 0 to 1; there is at least one reference."""

    def score_record(
        self,
        record: dict[str, Any],  # noqa: ARG002
        answer: str,
        references: list[str],
    ) -> float:
        """The score of an answer where it depends on more of the record than the references."""
        return self.score(answer, references)

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the score, 0 to 1; ``parsed`` is the text that was compared."""
        references = required_references(record)
        text = before_next_question(answer_body(excerpt(answer_text(record)))).strip()
        found: Reading[str] = Reading(text or None, "text" if text else "none", text)
        score = self.score_record(record, text, references) if text else 0.0
        return {**scored_entry(found, right=score > 0), "metric_result": score}

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {self.primary: share_of(answers, "metric_result"), "open_answers": self.compared}
