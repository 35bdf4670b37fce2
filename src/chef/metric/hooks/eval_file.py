"""The file of answers that an ``evaluate`` of VLMEvalKit's interface is given."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chef.common.digest import content_digest
from chef.common.logs import logger
from chef.common.redaction import redact_data
from chef.common.writing import write_atomically
from chef.guard.folder import holds_links, make_folder, read_bytes
from chef.scenario.hooks.vlmevalkit.files import MAX_CELL, dump, pandas_module
from chef.scenario.hooks.vlmevalkit.frame import as_indices
from chef.scenario.hooks.vlmevalkit.helpers import get_pred_file_format
from chef.scenario.hooks.vlmevalkit.rows import Rows

_log = logger(__name__)
#: The folder of the file, and of what evaluation writes next to it.
FOLDER = "vlmevalkit"
#: The digest of what the files of the folder were made of.
_STAMP = ".made_of"
_UNSAFE = re.compile(r"[^\w.+()-]")


def write_eval_file(
    folder: Path, name: str, rows: Rows, answers: Sequence[Mapping[str, Any]], by: str
) -> Path:
    """Write the rows that were answered, with the column ``prediction``; return the file.

    Files that an earlier evaluation left are kept if it was the same one, and removed if not.

    Args:
        folder: that of the run.
        name: of the file, without ending.
        rows: of the data set.
        answers: the records of the answered samples.
        by: what else the evaluation depends on.
    """
    table: list[dict[str, Any]] = redact_data(_table(rows, answers))
    place = folder / FOLDER
    digest = content_digest(by, *(repr(sorted(row.items())) for row in table))
    stamp = place / _STAMP
    folder.mkdir(parents=True, exist_ok=True)
    make_folder(place)
    if _is_of_another(place, stamp, digest):
        shutil.rmtree(place)
        make_folder(place)
    kind = get_pred_file_format()
    if kind == "xlsx" and any(len(str(c)) > MAX_CELL for row in table for c in row.values()):
        _log.warning("%s: an answer is too long for a workbook: written as .tsv", place)
        kind = "tsv"
    file = place / f"{_UNSAFE.sub('_', name)}.{kind}"
    frame = pandas_module().DataFrame(table)
    dump(frame if kind != "json" else table, file)
    write_atomically(stamp, digest)
    return file


def _is_of_another(place: Path, stamp: Path, digest: str) -> bool:
    """Whether files were left by another evaluation, or by somebody else: one is a link."""
    try:
        return read_bytes(stamp, below=2) != digest.encode() or holds_links(place)
    except OSError:
        return True


def _table(rows: Rows, answers: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows in the order of the data set."""
    known = {str(answer["id"]): answer for answer in answers}
    places = [place for place in range(len(rows)) if rows.id(place) in known]
    indices = as_indices([rows.id(place) for place in places])
    return [
        {
            **{key: text if text != "" else None for key, text in rows.cells(place).items()},
            "index": index,
            "prediction": prediction_of(known[rows.id(place)]),
        }
        for place, index in zip(places, indices, strict=True)
    ]


def prediction_of(record: Mapping[str, Any]) -> Any:
    """The answer as evaluation reads it: the letter of an option that was chosen by its score."""
    choice = record.get("choice")
    labels = record.get("labels") or ()
    if isinstance(choice, int) and choice < len(labels):
        return labels[choice]
    answer = record.get("answer")
    return "" if answer is None else answer if isinstance(answer, str) else repr(answer)
