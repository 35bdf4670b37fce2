"""What metrics share that have no rule of their own: only a judge can score an answer."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from chef.metric.base import Estimate, Metric
from chef.metric.records import UnjudgedError, references_of, required_references
from chef.metric.verdicts import Verdict, verdict
from chef.reading.text import Reading
from chef.stats.clusters import clusters_of
from chef.stats.figures import share

NO_JUDGE = "there is no judge"


class JudgedMetric(Metric):
    """A metric that scores written answers as judges read them; a subclass says which score."""

    needs_judge = True
    needs_options = False
    #: Whether the judge compares with a reference, so that samples without one are not scored.
    needs_reference: ClassVar[bool] = False

    def judge_kind(self, record: dict[str, Any]) -> str | None:
        """The kind; None for a sample that lacks the reference."""
        lacks = self.needs_reference and not references_of(record)
        return None if lacks else super().judge_kind(record)

    @abstractmethod
    def findings(self, said: Verdict) -> dict[str, Any]:
        """The findings about an answer; see `judged_entry`."""

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """The findings of `findings`.

        Raises:
            MissingTruthError: there is no reference to compare with.
            UnjudgedError: there is no judgement.
        """
        if self.needs_reference:
            required_references(record)
        said = verdict(record)
        if said is None:
            raise UnjudgedError(NO_JUDGE, hint="name a judge with judge_cfg")
        return self.findings(said)


def judged_entry(said: Verdict, score: float, parsed: Any) -> dict[str, Any]:
    """The findings: ``metric_result, parsed, evidence``."""
    found: Reading[Any] = said.as_extraction(parsed)
    return {"metric_result": score, "parsed": parsed, "evidence": found.evidence()}


def mean_score(answers: Sequence[dict[str, Any]]) -> Estimate:
    """The mean of ``metric_result``, which is in 0..1, in %."""
    return share([answer["metric_result"] for answer in answers], clusters_of(answers))
