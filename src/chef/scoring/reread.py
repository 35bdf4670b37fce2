"""Answers that the rules of reading take for something else than they did when a run was scored."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from chef.common.logs import logger
from chef.common.writing import write_lines
from chef.errors import ChefError
from chef.guard.folder import remove
from chef.metric.report import Report
from chef.run.reading import is_there, read_json
from chef.scoring.sample_line import score_lines

_log = logger(__name__)
#: So many ids are named in the note; the file has all.
_NAMED = 5


def note_changed_readings(results: Path, scores: Path, report: Report) -> None:
    """Say which answers are read otherwise than at the last scoring, and list them in a file.

    Nothing is said if the rules have the same name (``details.policy`` of the results) or every
    answer is read as before. The file is ``reread.jsonl`` next to the results, of further metrics
    ``reread_<metric>.jsonl``: a line an answer with ``id, answer, truth``, and ``parsed`` and
    ``score`` before and now. It stays until rules of another name score the run again.
    """
    try:
        before = read_json(results).get("details")
        old = before.get("policy") if isinstance(before, Mapping) else None
        new = report.details.get("policy")
        if not old or not new or old == new or not is_there(scores):
            return
        known = {str(line.get("id")): line for line in score_lines(scores)}
    except (ChefError, OSError, ValueError):  # damaged; what is written now replaces it
        return
    changed = [
        _change(known[line["id"]], line)
        for line in report.samples
        if line["id"] in known and _differs(known[line["id"]], line)
    ]
    file = results.with_name(scores.name.replace("scores", "reread", 1))
    if not changed:
        if is_there(file):
            remove(file)
        return
    write_lines(file, changed)
    moved = sum(line["score_before"] != line["score"] for line in changed)
    names = ", ".join(str(line["id"]) for line in changed[:_NAMED])
    _log.warning(
        "%s: %d of %d answers are read otherwise by %s than by %s (%d scores change): %s%s; all "
        "of them: %s",
        results.parent, len(changed), len(report.samples), new, old, moved, names,
        ", ..." if len(changed) > _NAMED else "", file.name,
    )  # fmt: skip


def _differs(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    """Whether the same answer is read otherwise; an answer that is new is no change of rules."""
    same = old.get("answer") == new.get("answer")
    return same and any(old.get(key) != new.get(key) for key in ("parsed", "score"))


def _change(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": new["id"],
        "answer": new.get("answer"),
        "truth": new.get("truth"),
        "parsed_before": old.get("parsed"),
        "parsed": new.get("parsed"),
        "score_before": old.get("score"),
        "score": new.get("score"),
    }
