"""One test over hundreds of small cases, which names every case that fails.

A test each would cost more than what it checks: pytest takes some milliseconds for every test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

T = TypeVar("T")


def check_every(cases: Mapping[str, T], check: Callable[[T], object]) -> None:
    """Check all cases.

    Args:
        cases: what the check takes, by the name of the case; none at all is an error.
        check: raises what is wrong with a case.

    Raises:
        ExceptionGroup: with the error of each case that fails, and its name.
    """
    assert cases
    errors = []
    for name, case in cases.items():
        try:
            check(case)
        except Exception as error:
            error.add_note(f"the case {name}")
            errors.append(error)
    if errors:
        raise ExceptionGroup(f"{len(errors)} of {len(cases)} cases", errors)
