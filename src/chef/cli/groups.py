"""The option ``--by``: tables of the scores by category, or by another field of the samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chef.scoring.result import RunResult


def print_groups(reports: Sequence[RunResult], fields: Sequence[str], width: int | None) -> None:
    """Print the tables by those fields that some report has."""
    from chef.document.outline import as_text
    from chef.report.groups import group_sections

    known = [field for field in fields if any(field in report.by for report in reports)]
    if known:
        from chef.common.printing import say

        say(f"\n{as_text(group_sections(reports, known), width)}")


def check_by(fields: Sequence[str], known: Mapping[str, Iterable[str]]) -> None:
    """Refuse fields that nothing is grouped by; see `chef.report.groups.check_groupings`."""
    if fields:
        from chef.report.groups import check_groupings

        check_groupings(fields, known)
