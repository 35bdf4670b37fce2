"""What ``metric/rules.yaml`` names of MMTrustEval's own rules for reading answers.

`chef.reading.rules.mmtrusteval` has the rules; the word lists are chef's own wording, unless a
recipe gives others.
"""

from __future__ import annotations

from math import nan

from chef.metric.mmtrusteval import rules
from chef.metric.mmtrusteval.rules import Given
from chef.reading.mmtrusteval_rules.word_lists import reject_templates, yes_templates
from chef.reading.rules import mmtrusteval as upstream

__all__ = ["reject_templates", "yes_templates"]


def read_yes_or_no(self: rules.YesOrNoEvaluator, given: Given) -> int:
    """1 or 0."""
    return upstream.yes_or_no(given.pred, self.words.phrases)


def read_contains(self: rules.ContainEvaluator, given: Given) -> int:
    """1 or 0."""
    return upstream.contains(given.pred, given.label, fuzzy=self.fuzzy_match)


def read_refuses(self: rules.RejectTemplateEvaluator, given: Given) -> int:
    """1 or 0."""
    return upstream.refuses(given.pred, self.words.phrases)


def read_matched_score(self: rules.MatchAndScoreEvaluator, given: Given) -> float:
    """A value of the scale; without one ``fail_id``, or NaN."""
    fail_id = nan if self.fail_id is None else self.fail_id
    return upstream.matched_score(given.pred, fail_id, self.phrases, self.written)


def read_first_score(self: rules.ScoreEvaluator, given: Given) -> float:
    """A score; without one ``fail_id``, or 0."""
    return upstream.first_score(given.pred, self.fail_id or 0, self.written)


def read_contains_exact(given: Given) -> int:
    """1 or 0."""
    return upstream.contains_exact(given.pred, given.label)


def read_contains_adv(given: Given) -> int:
    """1 or 0."""
    return upstream.contains_adv(given.pred, given.label)
