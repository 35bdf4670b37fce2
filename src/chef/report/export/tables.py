"""The samples of runs on disk. What a cell holds is data: no spreadsheet computes it."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from chef.common.logs import logger
from chef.common.redaction import redact_data
from chef.document.outline import inert
from chef.errors import ConfigError, DataError, DependencyError, RunError, similar
from chef.frozen import Frozen
from chef.report.export.rows import FIRST, LAST, Row, columns_of, vlmevalkit_rows
from chef.report.load import Run
from chef.run.reading import is_locked

_log = logger(__name__)

Rows = Sequence[Mapping[str, Any]]
#: Characters that the XML of a workbook cannot hold.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
#: The limits of the xlsx format: characters of a cell, and rows.
CELL, ROWS = 32_767, 1_048_576


def cell(value: Any) -> str | float | None:
    """A value as a cell: lists and mappings become JSON.

    >>> cell(["a", 1]), cell(True), cell(None)
    ('["a", 1]', 'True', None)
    """
    if isinstance(value, bool):
        return str(value)
    if value is None or isinstance(value, str | int | float):
        return value
    return json.dumps(value, ensure_ascii=False)


def write_csv(path: Path, columns: Sequence[str], rows: Rows) -> None:
    """Write UTF-8 with commas; texts are quoted, and formulas begin with an apostrophe."""
    with path.open("w", encoding="utf-8", newline="", errors="replace") as stream:
        writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
        writer.writerow(columns)
        for row in rows:
            cells = (cell(row.get(name)) for name in columns)
            writer.writerow([inert(item) if isinstance(item, str) else item for item in cells])


def write_xlsx(path: Path, columns: Sequence[str], rows: Rows) -> None:
    """Write a workbook with one sheet, in which every text is text.

    Control characters become U+FFFD and longer texts than `CELL` are cut; the log says how many.
    DataError if there are more rows than a sheet has; DependencyError without openpyxl.
    """
    openpyxl = needed("openpyxl", "xlsx")
    if len(rows) >= ROWS:
        raise DataError(
            f"{len(rows):,} samples are more than the rows of a sheet",
            where=str(path),
            hint="choose --export csv or parquet",
        )
    from openpyxl.cell import WriteOnlyCell

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("samples")
    sheet.append(list(columns))
    changed = 0
    for row in rows:
        cells = []
        for value in (cell(row.get(name)) for name in columns):
            if isinstance(value, str):
                text = _UNWRITABLE.sub("\ufffd", value.encode(errors="replace").decode())[:CELL]
                changed += text != value
                made = WriteOnlyCell(sheet, text)
                made.data_type = "s"  # "=1+1" is a text, too
                cells.append(made)
            else:
                cells.append(value)
        sheet.append(cells)
    book.save(path)
    if changed:
        _log.warning(
            "%s: %d cell(s) were cut to %d characters or lost control characters, which xlsx "
            "cannot hold", path, changed, CELL,
        )  # fmt: skip


def write_parquet(path: Path, columns: Sequence[str], rows: Rows) -> None:
    """Write Parquet: lists of texts stay lists, columns of several types become JSON."""
    pa, parquet = needed("pyarrow", "parquet"), needed("pyarrow.parquet", "parquet")
    table = {name: _column([row.get(name) for row in rows], pa) for name in columns}
    parquet.write_table(pa.table(table), path)


def _column(values: Sequence[Any], pa: Any) -> Any:
    given = [value for value in values if value is not None]
    if not given or all(isinstance(value, str) for value in given):
        return pa.array(values, pa.string())
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in given):
        is_whole = all(isinstance(value, int) for value in given)
        return pa.array(values, pa.int64() if is_whole else pa.float64())
    if all(isinstance(value, list) and all(isinstance(x, str) for x in value) for value in given):
        return pa.array(values, pa.list_(pa.string()))
    texts = [None if value is None else str(cell(value)) for value in values]
    return pa.array(texts, pa.string())


def needed(package: str, extra: str) -> Any:
    """An optional package; DependencyError with the extra that installs it."""
    try:
        return import_module(package)
    except ImportError:
        name = package.partition(".")[0]
        raise DependencyError(
            f"this format needs {name}",
            where=f"--export {extra}",
            hint=f"pip install 'chef-eval[{extra}]', or choose --export csv",
        ) from None


#: Format -> the suffix of its files, and its writer.
FORMATS: Mapping[str, tuple[str, Callable[[Path, Sequence[str], Rows], None]]] = {
    "csv": (".csv", write_csv),
    "xlsx": (".xlsx", write_xlsx),
    "parquet": (".parquet", write_parquet),
    "vlmevalkit": (".xlsx", write_xlsx),
}
#: The name of a file with the samples of several runs, without its suffix.
SEVERAL = "samples"


class Exported(Frozen):
    """A file that was written, and the number of its samples."""

    path: Path
    rows: int


def export(
    runs: Sequence[Run], kind: str | None = None, output: Path | None = None, *, force: bool = False
) -> list[Exported]:
    """Write one row for each sample.

    Args:
        runs: the runs; a run that is given twice counts once.
        kind: a format of `FORMATS`; None for the one of ``output``'s suffix, else csv.
        output: the file, or a folder for files with names of their own; None for the current
            folder. ``vlmevalkit`` writes a file a run, ``<model>_<scenario>.xlsx``; the others
            write one file with all runs.
        force: replace files that exist.

    Raises:
        ConfigError: there is no such format, the suffix is another one's, or a file exists.
        DataError: a run has no answers.
        DependencyError: the package of the format is missing.
        RunError: a file cannot be written.
    """
    name = _format(kind, output)
    unique = list({run.folder.resolve(): run for run in runs}.values())
    for run in unique:
        _note_state(run)
    wanted = _vlmevalkit_files(unique, output) if name == "vlmevalkit" else []
    if not wanted:
        wanted = [(_target(output, _stem(unique), FORMATS[name][0]), unique)]
    for path, _ in wanted:
        if path.exists() and not force:
            raise ConfigError(
                "the file exists", where=str(path), hint="--force replaces it (Python: force=True)"
            )
    return [_write(name, path, those) for path, those in wanted]


def _format(kind: str | None, output: Path | None) -> str:
    suffix = output.suffix.lower() if output is not None and not output.is_dir() else ""
    if kind is None:
        known = {".csv": "csv", ".xlsx": "xlsx", ".parquet": "parquet", "": "csv"}
        if suffix not in known:
            raise ConfigError(
                f"no format has the suffix '{suffix}'", where=str(output), hint=_formats(suffix)
            )
        return known[suffix]
    name = kind.lower()
    if name not in FORMATS:
        raise ConfigError(f"there is no format '{kind}'", where="--export", hint=_formats(name))
    if suffix not in ("", FORMATS[name][0]):
        raise ConfigError(
            f"a file of the format {name} ends in {FORMATS[name][0]}",
            where=str(output),
            hint="rename it, or choose another --export",
        )
    return name


def _formats(given: str) -> str:
    """A hint for a format that does not exist, also under the names of other tools."""
    meant = {"excel": "xlsx", "xls": "xlsx", "vlmeval": "vlmevalkit", **{of: of for of in FORMATS}}
    near = similar(given.removeprefix("."), meant)
    return f"did you mean '{meant[near]}'?" if near else f"the formats are {', '.join(FORMATS)}"


def _note_state(run: Run) -> None:
    """Log what a run lacks; DataError if that is every answer."""
    number = len(run.predictions)
    going = is_locked(run.folder)
    if not number:
        raise DataError(
            "the run has no answers yet",
            where=str(run.folder),
            hint="wait for them" if going else "start it with the same `chef eval` command",
        )
    if going:
        _log.warning("%s: still running; its %d answers so far are exported", run.folder, number)
        return
    try:
        missing = run.report.coverage.missing
    except DataError as error:
        _log.warning("%s: %s; its %d answers are exported", run.folder, error.what, number)
        return
    if missing:
        _log.warning("%s: %d samples have no answer, and no row", run.folder, missing)


def _vlmevalkit_files(runs: Sequence[Run], output: Path | None) -> list[tuple[Path, list[Run]]]:
    """A file for each run; ConfigError where two runs would have the same one."""
    if output is not None and output.suffix and len(runs) > 1 and not output.is_dir():
        raise ConfigError(
            "the format vlmevalkit has a file for each run",
            where=str(output),
            hint="give a folder with --output",
        )
    found: dict[Path, Run] = {}
    for run in runs:
        stem = f"{run.record.model_name}_{run.record.scenario_name}"
        path = _target(output, stem, FORMATS["vlmevalkit"][0])
        if path in found:
            raise ConfigError(
                f"{found[path].folder} and {run.folder} would both be written to it",
                where=str(path),
                hint="export one at a time, with --output FILE",
            )
        found[path] = run
    return [(path, [run]) for path, run in found.items()]


def _stem(runs: Sequence[Run]) -> str:
    if len(runs) != 1:
        return SEVERAL
    record = runs[0].record
    return f"{record.model_name}_{record.scenario_name}_{record.path.resolve().name}"


def _target(output: Path | None, stem: str, suffix: str) -> Path:
    if output is None:
        return Path(f"{stem}{suffix}")
    if output.is_dir() or not output.suffix:
        return output / f"{stem}{suffix}"
    return output


def _write(name: str, path: Path, runs: Sequence[Run]) -> Exported:
    rows: list[Row]
    if name == "vlmevalkit":
        rows = [row for run in runs for row in vlmevalkit_rows(run.predictions)]
        columns = columns_of(rows)
    else:
        rows = [row for run in runs for row in run.rows]
        seen = dict.fromkeys(column for row in rows for column in row)
        groups = [column for column in seen if column not in {*FIRST, *LAST}]
        columns = [*FIRST, *groups, *LAST]
    safe = [redact_data(row) for row in rows]
    with _whole(path) as temporary:
        FORMATS[name][1](temporary, columns, safe)
    return Exported(path, len(rows))


@contextmanager
def _whole(path: Path) -> Iterator[Path]:
    """A temporary file beside ``path``, which takes its place when it is complete."""
    temporary = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.unlink(missing_ok=True)  # of a killed process; or a link, which is not followed
        yield temporary
        temporary.replace(path)
    except OSError as error:
        raise RunError(
            f"the file cannot be written ({error.strerror or error})",
            where=str(path),
            hint="choose another place with --output",
        ) from None
    finally:
        temporary.unlink(missing_ok=True)
