"""The progress bar of a judge."""

from __future__ import annotations

import sys
from typing import Self

from chef.common.judgements import Judgement, JudgementStatus
from chef.common.printing import shown


class JudgeBar:
    """A progress bar on standard error; it is updated less often if that is not a terminal.

    Args:
        label: the run and the judge.
        total: judgements to be made.
    """

    def __init__(self, label: str, total: int) -> None:
        from tqdm import tqdm

        interval = 0.2 if sys.stderr.isatty() else 30.0
        self._bar = tqdm(
            total=total, desc=shown(label), unit="judgement", mininterval=interval,
            dynamic_ncols=True, disable=not total,
        )  # fmt: skip
        self._counts = dict.fromkeys(JudgementStatus, 0)

    def update(self, judgement: Judgement) -> None:
        """Show one more judgement."""
        self._counts[judgement.status] += 1
        told = {
            "unparsed": self._counts[JudgementStatus.UNPARSED],
            "errors": self._counts[JudgementStatus.ERROR],
            "skipped": self._counts[JudgementStatus.SKIPPED],
        }
        notes = [f"{name} {count}" for name, count in told.items() if count]
        self._bar.set_postfix_str(", ".join(notes), refresh=False)
        self._bar.update()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()
