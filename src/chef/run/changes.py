"""What is done about answers whose question has changed since."""

from __future__ import annotations

from collections.abc import Sequence

from chef.common.logs import logger
from chef.run.folder import RunFolder
from chef.types import Prediction, Status

_log = logger(__name__)
#: So many samples are named.
_NAMED = 5


def ask_again(folder: RunFolder, names: Sequence[str], kind: str, message: str, what: str) -> None:
    """Journal that samples have no answer; where answers are reused, record that instead.

    Args:
        folder: the run folder.
        names: the ids of the samples.
        kind: the name of the error of each.
        message: its message.
        what: what has changed, with the number, for people.
    """
    if folder.reuse:
        folder.record_reuse([what])
        return
    for name in names:
        error = {"type": kind, "message": message}
        folder.append(Prediction(name, Status.ERROR, sample={"id": name}, error=error))
    folder.sync()
    listed = ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")
    _log.info(
        "%s: %s since they were answered; they are asked again (%s)", folder.path, what, listed
    )
