"""What the command line prints of results: scores by group, errors of a run or of its samples."""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeGuard

from chef.common.printing import say
from chef.errors import ChefError, ConfigError, DataError, SeveralErrors, message_of

if TYPE_CHECKING:
    from chef.scoring.result import RunResult
    from chef.session.checking import RecipeFailure


#: The errors of the system that are of what a path leads to.
_OF_PATHS = (errno.ENAMETOOLONG, errno.EACCES, errno.EPERM, errno.EROFS, errno.ELOOP)
#: A file stands where a folder is to be made.
_NO_FOLDER = (errno.EEXIST, errno.ENOTDIR)
DONE, SOME_FAILED, BAD_INPUT, RUN_FAILED = 0, 1, 2, 3


def print_error(error: BaseException, *, traceback: bool = False) -> None:
    """Print an error with the line of the user's file that raised it, and its remedy.

    Args:
        error: the error; one that is not of chef is a bug, unless a user's file raised it.
        traceback: whether the traceback is printed first.
    """
    from chef.common.user_code import traceback_of

    if traceback:
        say(traceback_of(error), sys.stderr)
    text = "\n".join(f"error: {item}" for item in error_lines(error, traceback=traceback))
    say(text, sys.stderr)


def error_lines(error: BaseException, *, traceback: bool = False) -> list[str]:
    """Each error that an error consists of as text, where the folder of a file stands once;
    ``traceback``: it is shown elsewhere.
    """
    from chef.common.user_code import user_place

    if isinstance(error, SeveralErrors):
        lines, files = [], set[str]()
        for item in error.errors:
            file = (getattr(item, "where", None) or "").partition(":")[0]
            short = file.rpartition("/")[2] if file in files else file
            texts = error_lines(item, traceback=traceback)
            lines += [text.replace(file, short) if file else text for text in texts]
            files.add(file)
        return lines
    place = user_place(error)
    at = "" if place is None else f"\n  at {place}"
    head, hint = _parts(error, "" if place is None else f"{place.file}:{place.line}")
    notes = "".join(f"\n  {note}" for note in getattr(error, "__notes__", ()))
    is_input = exit_code(error) == BAD_INPUT and place is None
    unexpected = not is_input and not isinstance(error.__cause__ or error, ChefError)
    if unexpected and not traceback and "traceback" not in notes:
        notes += "\n  --traceback prints the whole traceback"
    return [head + at + (f"\n  -> {hint}" if hint else "") + notes]


def _parts(error: BaseException, place: str) -> tuple[str, str | None]:
    """What is wrong and where, and the remedy."""
    if isinstance(error, ChefError):
        return (f"{error.where}: {error.what}" if error.where else error.what), error.hint
    if _is_of_a_path(error):
        name, why = str(error.filename), error.strerror
        if error.errno in _NO_FOLDER:
            return f"{name}: is a file, and a folder is needed there", "name another folder"
        if error.errno != errno.ENAMETOOLONG:
            return f"{name}: cannot be used: {why}", "check its permissions and its links"
        what = f"no file or folder can have this name ({why}): {name[:60]}..."
        return what, "give the path of a file or a folder"
    what = f"{type(error).__name__}: {message_of(error)}"
    if place:
        return what, f"correct {place}. Answers so far are kept"
    return what, "this is a bug. Answers so far are kept"


def print_errors(reports: Sequence[RunResult], *, traceback: bool = False) -> None:
    """Print the failed samples of runs by cause, if any failed."""
    if text := error_summary(reports, traceback=traceback):
        say(f"\n{text}")


def print_failures(failures: Sequence[RecipeFailure], *, traceback: bool = False) -> None:
    """Print the errors of the recipes that did not finish."""
    from chef.session.checking import raise_failures

    try:
        raise_failures(failures)
    except Exception as error:
        print_error(error, traceback=traceback)


def code_of_failures(failures: Sequence[RecipeFailure]) -> int:
    """The exit code of the recipes that did not finish; 0 if all did."""
    return max((exit_code(failure.error) for failure in failures), default=DONE)


def exit_code(error: BaseException) -> int:
    """The exit code of an error; of several errors the one of failed runs, if a run failed."""
    if isinstance(error, SeveralErrors):
        return max(exit_code(item) for item in error.errors)
    is_input = isinstance(error, ConfigError | DataError) or _is_of_a_path(error)
    return BAD_INPUT if is_input else RUN_FAILED


def _is_of_a_path(error: BaseException) -> TypeGuard[OSError]:
    """Whether a path that a user gave is none, or leads to what may not be read, wherever it was
    looked up; not where a user's code did.
    """
    from chef.common.user_code import user_place

    if not isinstance(error, OSError) or error.filename is None:
        return False
    return error.errno in (*_OF_PATHS, *_NO_FOLDER) and user_place(error) is None


def error_summary(reports: Sequence[RunResult], *, traceback: bool = False) -> str:
    """The failed samples of runs by cause, with the first traceback of each where wanted; else
    empty.
    """
    parts = []
    several = len({report.title for report in reports}) > 1
    for report in (item for main in reports for item in main.all_metrics):
        groups = report.errors
        if report not in reports:  # what failed in the run is told with the main metric
            groups = [group for group in groups if group.stage == "metric"]
        if groups:
            count, total = sum(len(group.ids) for group in groups), report.coverage.total
            label = f"{report.title}, {report.label}" if several else report.label
            lines = [f"errors of {label}: {count} of {total} samples"]
            lines += [line for group in groups for line in group.lines(traceback=traceback)]
            lines.append(f"  all of them: {report.error_file}")
            parts.append("\n".join(lines))
    return "\n\n".join(parts)


def print_groups(reports: Sequence[RunResult], fields: Sequence[str], width: int | None) -> None:
    """Print the tables by those fields that some report has."""
    from chef.document.outline import as_text
    from chef.report.groups import group_sections

    known = [field for field in fields if any(field in report.by for report in reports)]
    if known:
        say(f"\n{as_text(group_sections(reports, known), width)}")


def print_reports(
    reports: Sequence[RunResult],
    width: int | None,
    by: Sequence[str] = (),
    *,
    traceback: bool = False,
) -> None:
    """Print the table of results, the errors of samples by cause, and the scores by fields."""
    from chef.scoring.result import table

    say(f"\n{table(reports, width)}")
    print_errors(reports, traceback=traceback)
    print_groups(reports, by, width)


def check_by(fields: Sequence[str], known: Mapping[str, Iterable[str]]) -> None:
    """Refuse fields that nothing is grouped by; see `chef.report.groups.check_groupings`."""
    if fields:
        from chef.report.groups import check_groupings

        check_groupings(fields, known)
