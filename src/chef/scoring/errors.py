"""What went wrong with the samples of a run, grouped by cause."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from chef.common.writing import write_atomically
from chef.frozen import Frozen
from chef.guard.folder import remove
from chef.types import Status

#: How many sample ids of a group are shown.
SHOWN = 5
#: The errors of Python whose quoted words are names in the code, not values of the sample.
_NAMING = ("KeyError", "NameError", "AttributeError", "TypeError")
_AGAIN = "the same command asks these samples again"
_ELSEWHERE = "ask these samples again where the file was made; `chef score` asks nothing"
#: The parts of a message that differ between samples with the same cause.
_VARYING = re.compile(r"'[^']*'|\"[^\"]*\"|(?<![^\s'\"])[^\s/]*+/\S*|/\S*|\d+(\.\d+)?")


class ErrorGroup(Frozen):
    """Samples that failed for the same cause, with the message and the traceback of the first.

    ``at`` is the line of the user's file that raised it, if any; ``stage`` is ``run`` where samples
    have no answer, ``metric`` where their answers have no score.
    """

    type: str
    message: str
    ids: Sequence[str]
    hint: str
    at: str = ""
    stage: str = "run"
    traceback: str = ""

    def to_json(self) -> dict[str, Any]:
        """For results.json: without the traceback, and with the first ids only."""
        return {
            "type": self.type,
            "message": self.message,
            "at": self.at,
            "stage": self.stage,
            "count": len(self.ids),
            "first_ids": list(self.ids[:SHOWN]),
            "hint": self.hint,
        }

    def lines(self, *, ids: int | None = SHOWN, traceback: bool = False) -> list[str]:
        """The group as text, with some ids (None: all) and, where wanted, the traceback."""
        stage = " (in the metric)" if self.stage == "metric" else ""
        shown = [str(name) for name in self.ids[:ids]]
        more = f" and {rest} more" if (rest := len(self.ids) - len(shown)) else ""
        message = self.message.replace("\n", "\n    ")
        title = message if message.startswith(f"{self.type}(") else f"{self.type}: {message}"
        lines = [f"  {len(self.ids)} x {title}{stage}"]
        lines += [f"    at {self.at}"] if self.at else []
        lines.append(f"    samples: {', '.join(shown)}{more}")
        lines.append("    -> " + self.hint.replace("\n", "\n       "))
        if traceback and self.traceback:
            lines += [f"    {line}" for line in self.traceback.rstrip().splitlines()]
        return lines


def group_errors(samples: Iterable[Mapping[str, Any]], *, of_run: bool = True) -> list[ErrorGroup]:
    """Group the failed samples of a report by cause, the most frequent first.

    Messages that differ only in numbers, paths and quoted words have the same cause. Of a file of
    answers (``of_run`` False) no command of chef asks the samples again.
    """
    again = _AGAIN if of_run else _ELSEWHERE
    groups: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for entry in samples:
        if entry["status"] == Status.ERROR:
            error = entry.get("error") or {}
            message = str(error.get("message", ""))
            if error.get("type") not in _NAMING:
                message = _VARYING.sub("#", message)
            keys = ("type", "at", "stage")
            groups.setdefault((*(str(error.get(key)) for key in keys), message), []).append(entry)
    causes = [_group(entries, again) for entries in groups.values()]
    return sorted(causes, key=lambda group: -len(group.ids))


def _group(entries: Sequence[Mapping[str, Any]], again: str) -> ErrorGroup:
    error = entries[0].get("error") or {}
    message, _, hint = str(error.get("message", "")).partition("\n  -> ")
    stage, at = str(error.get("stage", "run")), str(error.get("at", ""))
    return ErrorGroup(
        type=str(error.get("type", "error")),
        message=message,
        ids=[entry["id"] for entry in entries],
        hint=hint or _remedy(str(error.get("type")), message, at, stage, again),
        at=at,
        stage=stage,
        traceback=str(error.get("traceback", "")),
    )


def _remedy(kind: str, message: str, at: str, stage: str, again: str) -> str:
    """How to fix an error that does not say it itself."""
    if "OutOfMemory" in kind or kind == "MemoryError" or "out of memory" in message.lower():
        return f"use a smaller dtype or image size, or another device; {again}"
    if stage == "metric":
        where = "the metric" if not at else at.partition(", in ")[0]
        return f"correct {where}; the same command scores again and asks the model nothing"
    if at:
        return f"correct {at.partition(', in ')[0]}; {again}"
    return again


def write_errors(file: Path, groups: Sequence[ErrorGroup]) -> None:
    """Write every failed sample to a text file; remove the file where none failed."""
    if groups:
        write_atomically(file, error_text(groups))
    else:
        remove(file)


def error_file(results: Path) -> Path:
    """The file of the failed samples that belongs to a results file.

    >>> str(error_file(Path("run/results_Accuracy.json")))
    'run/errors_Accuracy.txt'
    """
    head, _, tail = results.stem.rpartition("results")
    return results.with_name(f"{head}errors{tail}.txt")


def error_text(groups: Sequence[ErrorGroup]) -> str:
    """The content of errors.txt: every failed sample, by cause, with the tracebacks."""
    parts = ["\n".join(group.lines(ids=None, traceback=True)) for group in groups]
    total = sum(len(group.ids) for group in groups)
    return f"{total} sample(s) failed\n\n" + "\n\n".join(parts) + "\n"
