"""METEOR of captions by ``pycocoevalcap``, which runs the authors' Java program."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from chef.common.logs import logger
from chef.errors import DependencyError, RunError
from chef.stats.estimate import Estimate, undefined

_log = logger(__name__)


def meteor(candidates: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """METEOR 1.5 over all captions together (Denkowski and Lavie 2014), in 0..1.

    Args:
        candidates: the captions, as words separated by spaces; one or more.
        references: those of each caption, in the same form.

    Raises:
        DependencyError: the package is not installed.
        RunError: Java is missing, or the program ends.
    """
    try:
        from pycocoevalcap.meteor.meteor import Meteor
    except ImportError:
        raise DependencyError(
            "METEOR needs the package pycocoevalcap", hint="pip install pycocoevalcap, and Java"
        ) from None
    true = {place: list(texts) for place, texts in enumerate(references)}
    said = {place: [text] for place, text in enumerate(candidates)}
    try:
        score, _ = Meteor().compute_score(true, said)
    except (OSError, ValueError) as error:
        hint = "install Java, and try `java -version`"
        raise RunError(f"METEOR's Java program failed: {error}", hint=hint) from error
    return float(score)


def meteor_estimate(candidates: Sequence[str], references: Sequence[Sequence[str]]) -> Estimate:
    """METEOR as 0 to 100, without an interval; no value where it cannot be had, and a line why."""
    if not candidates:
        return undefined("0-100")
    try:
        score = meteor(candidates, references)
    except RunError as error:
        _say_once(f"METEOR has no value: {error.what} -> {error.hint}")
        return undefined("0-100", n=len(candidates))
    return Estimate(100 * score, len(candidates), unit="0-100")


@cache
def _say_once(text: str) -> None:
    _log.warning("%s", text)
