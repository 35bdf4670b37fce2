"""A person who labels the answers of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from chef.report.labels.asking import Asking
from chef.suite.pages.served import asking_of

Type = Callable[..., int]


def keys_of(asking: Asking, wrong: Sequence[str] = ()) -> list[str]:
    """The replies of a person who finds right what is right, but for some."""
    return [
        "r" if (asking.side.scores[name] == 1.0) != (name in wrong) else "w" for name in asking.ids
    ]


def label(run: Path, person: str, *, number: int = 40, by_verdict: bool = False,
          wrong: Sequence[str] = ()) -> Asking:  # fmt: skip
    asking, _ = asking_of(run, person, number=number, by_verdict=by_verdict)
    for name, key in zip(asking.ids, keys_of(asking, wrong), strict=True):
        asking.take(name, key)
    asking.close()
    return asking
