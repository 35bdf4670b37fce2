"""ROUGE-L as the package ``rouge`` computes it, which ChEF uses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from chef.errors import DependencyError

#: The version that ChEF uses; others compute other values.
VERSION = "1.0.1"


def require_rouge() -> None:
    """Check that the package is installed, in the version that ChEF uses.

    Raises:
        DependencyError: it is not.
    """
    try:
        installed = version("rouge")
    except PackageNotFoundError:
        installed = None
    if installed != VERSION:
        state = "is not installed" if installed is None else f"is version {installed}"
        raise DependencyError(
            f"compat: upstream computes Rouge by the package rouge {VERSION}, which {state}",
            hint=f"pip install rouge=={VERSION}, or use compat: corrected",
        )


def package_rouge_l(candidate: str, references: Sequence[str]) -> float:
    """The F1 with the best reference, in 0..1; 0 for texts without words.

    Words are separated by spaces, sentences by full stops, and case counts. Each word of a text
    counts once. The common words are those of the longest common subsequences of all pairs of
    sentences together.

    Raises:
        DependencyError: see `require_rouge`.
    """
    texts = [item for item in references if item.strip(".")]
    if not candidate.strip("."):
        return 0.0
    scores = (_scorer().get_scores(candidate, text)[0]["rouge-l"]["f"] for text in texts)
    return max(map(float, scores), default=0.0)


@cache
def _scorer() -> Any:
    require_rouge()
    from rouge import Rouge

    return Rouge(metrics=["rouge-l"])
