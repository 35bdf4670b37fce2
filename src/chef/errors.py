"""The exceptions of chef.

An error says what is wrong, where (file, line, key, row or sample), and how to fix it.
The command line maps them to exit codes: 2 for bad input, 3 for a failed run.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any


class ChefError(Exception):
    """Base class of all errors of chef.

    Args:
        what: one sentence that says what is wrong.
        where: the location, such as ``recipe.yaml:7: eval_cfg.metric_cfg`` or ``sample 'mcq-12'``.
        hint: how to fix it.
        mend: the former name of ``hint``.

    Attributes:
        reports: where it ends several runs, the reports of those that had finished.
    """

    reports: Sequence[Any] = ()

    def __init__(
        self,
        what: str,
        *,
        where: str | None = None,
        hint: str | None = None,
        mend: str | None = None,
    ) -> None:
        self.what, self.where, self.hint = what, where, hint or mend
        super().__init__(what)

    @property
    def mend(self) -> str | None:
        """The former name of ``hint``."""
        return self.hint

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text}\n  -> {self.hint}" if self.hint else text

    def __reduce__(self) -> tuple[object, ...]:
        # Errors are pickled between processes, and the default loses keyword-only arguments.
        return (_rebuild, (type(self), self.what, self.where, self.hint))


def _rebuild(kind: type[ChefError], what: str, where: str | None, hint: str | None) -> ChefError:
    return kind(what, where=where, hint=hint)


class ConfigError(ChefError):
    """A recipe, a model file or an option of the command line is wrong (exit code 2)."""


class DataError(ChefError):
    """A data set or one of its files is missing or malformed (exit code 2 if nothing can run)."""


class SampleError(DataError):
    """One sample cannot be asked; it is recorded as an error and the run continues."""


class ImageError(SampleError):
    """An image is missing, corrupt, truncated or too large to open safely."""


class RunError(ChefError):
    """The run failed (exit code 3); journaled answers are kept."""


class ReplyError(ChefError):
    """A model gave something that is no reply; recorded for its sample, like any failure of it."""


class ExitError(ChefError):
    """A user's code raised what ends a process, such as ``sys.exit()`` does; nothing ended."""


class SeveralErrors(ChefError):
    """Several recipes are wrong; ``errors`` has the error of each."""

    errors: tuple[Exception, ...] = ()

    @classmethod
    def of(cls, errors: Iterable[Exception]) -> SeveralErrors:
        """One error that holds several, and has the text of all."""
        several = tuple(errors)
        found = cls("\n".join(map(str, several)))
        found.errors = several
        return found


class DependencyError(RunError):
    """An optional package is missing; the message contains the pip command that installs it."""


def message_of(error: BaseException, form: Callable[[BaseException], str] = str) -> str:
    """What an error says by ``str`` or ``repr``; one of a user may have no text that can be made.

    >>> message_of(ValueError("x")), message_of(ValueError("x"), repr)
    ('x', "ValueError('x')")
    """
    try:
        return form(error)
    except (Exception, SystemExit) as inner:
        return f"<{type(error).__name__}, whose text cannot be made: {type(inner).__name__}>"


def first_line(error: BaseException) -> str:
    """The first line of the message of an error; the name of its class where there is none.

    >>> first_line(ValueError())
    'ValueError'
    """
    return next(iter(message_of(error).strip().splitlines()), type(error).__name__)


#: What stands between the words of a name.
_WORDS = re.compile(r"[\W_]+")
#: Of more names that are known, not all are told.
_NAMED = 60


def nearest(name: str, names: Iterable[str]) -> str:
    """Return ``did you mean 'X'?``, or a list of the names if none is similar.

    >>> nearest("metrik_cfg", ["metric_cfg", "inferencer_cfg"])
    "did you mean 'metric_cfg'?"
    """
    known = sorted(item for item in names if item)
    if match := similar(name, known):
        return f"did you mean '{match}'?"
    more = f", and {len(known) - _NAMED} more" if len(known) > _NAMED else ""
    return f"known: {', '.join(known[:_NAMED])}{more}" if known else "none is known"


def same_name(name: str, names: Iterable[str]) -> str | None:
    """Return the name that is this one in any case of letters; None if there is none.

    >>> same_name("shapes/PPL", ["Shapes/ppl", "MME/ppl"])
    'Shapes/ppl'
    """
    alike = [item for item in names if item.casefold() == name.casefold()]
    return name if name in alike else next(iter(alike), None)


def similar(name: str, names: Iterable[str]) -> str | None:
    """Return the name that is most similar, in any case of letters; None if none is similar.

    >>> similar("Shapes/pl", ["Shapes/ppl", "MME/ppl"])
    'Shapes/ppl'
    >>> similar("tyni", ["tiny", "llava15"]), similar("pope", ["POPE_Metric", "Accuracy"])
    ('tiny', 'POPE_Metric')
    >>> similar("mmbench_en_dev", ["MMBench_DEV_EN", "MMBench_dev_tr"])
    'MMBench_DEV_EN'
    """
    folded: dict[str, list[str]] = {}
    for item in names:
        folded.setdefault(item.lower(), []).append(item)
    # The words of a name in another order are that name in another tool.
    words = sorted(_WORDS.split(name.lower()))
    match = [item for item in folded if words[1:] and sorted(_WORDS.split(item)) == words]
    match = match or difflib.get_close_matches(name.lower(), folded, n=1, cutoff=0.61)
    # In a short name, two letters that are swapped make half of it look different.
    letters = sorted(name.lower())
    match = match or [item for item in folded if sorted(item) == letters]
    # A word of a longer name is no slip of the pen, and means it where no other has that word.
    within = [item for item in folded if name.lower() in _WORDS.split(item)]
    match = match or (within if len(within) == 1 else [])
    if not match:
        return None
    # Some names differ in the case of their letters only.
    return difflib.get_close_matches(name, folded[match[0]], n=1, cutoff=0)[0]
