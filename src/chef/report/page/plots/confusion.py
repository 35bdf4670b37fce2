"""The confusion matrix of option letters: which are chosen where which are right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chef.report.page.content import Plot
from chef.report.page.plots.heat import heat_map


def confusion(title: str, letters: Sequence[str], counts: Mapping[tuple[str, str], int]) -> Plot:
    """A cell for each true letter (rows) and chosen letter (columns), with the number of answers.

    Args:
        title: of the drawing.
        letters: in order; a last column may stand for answers that could not be read.
        counts: by true and chosen letter; pairs that are absent are 0.
    """
    chosen = [*letters, *(["unread"] if any(seen == "unread" for _, seen in counts) else [])]
    values = [[float(counts.get((right, seen), 0)) for seen in chosen] for right in letters]
    most = max((value for line in values for value in line), default=1.0)
    return heat_map(
        title, letters, chosen, values, unit="count", ends=(0.0, max(1.0, most)),
        row_label="right", column_label="chosen",
    )  # fmt: skip
