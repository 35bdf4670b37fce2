"""Average normalised Levenshtein similarity (ANLS), the measure of DocVQA and ST-VQA."""

from __future__ import annotations

from chef.errors import ConfigError
from chef.metric.vqa.open.base import OpenAnswerMetric


class ANLS(OpenAnswerMetric):
    """Average normalised Levenshtein similarity of free answers.

    ``1 - d / max(length)`` with the edit distance ``d`` to the most similar reference, and 0 where
    ``d / max(length)`` is above the threshold (Biten et al. 2019, "Scene Text Visual Question
    Answering"; a distance at the threshold counts, as in DocVQA's own evaluation). Case does not
    count, and several blanks or line breaks are one blank.

    Metrics:
        ``ANLS``: the mean, in %.

    Args:
        dataset_name: the name of the scenario.
        threshold: larger normalised distances score 0; in (0, 1].
    """

    primary = mean_figure = "ANLS"

    def __init__(self, dataset_name: str = "", *, threshold: float = 0.5) -> None:
        super().__init__(dataset_name)
        if not 0 < threshold <= 1:
            raise ConfigError(
                f"the threshold of ANLS is {threshold}", hint="choose a number above 0, at most 1"
            )
        self.threshold = threshold
        self.compared = f"by edit distance (ANLS, threshold {threshold:g})"

    def score(self, answer: str, references: list[str]) -> float:
        """The similarity to the most similar reference, 0 to 1."""
        return max(self._similarity(answer, reference) for reference in references)

    def _similarity(self, answer: str, reference: str) -> float:
        one, two = (" ".join(text.lower().split()) for text in (answer, reference))
        distance = levenshtein(one, two) / max(len(one), len(two), 1)
        return 1 - distance if distance <= self.threshold else 0.0


def levenshtein(one: str, two: str) -> int:
    """The least number of characters to insert, delete or replace to make one text of the other.

    >>> levenshtein("kitten", "sitting")
    3
    """
    row = list(range(len(two) + 1))
    for place, char in enumerate(one, 1):
        previous, row[0] = row[0], place
        for column, other in enumerate(two, 1):
            best = min(row[column] + 1, row[column - 1] + 1, previous + (char != other))
            previous, row[column] = row[column], best
    return row[-1]
