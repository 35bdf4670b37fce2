"""Checks of what evaluators that ask a model or a service are given."""

from __future__ import annotations

from chef.errors import ConfigError


def check_batch_size(batch_size: int) -> None:
    """Check the key of that name.

    Raises:
        ConfigError: it is less than 1.
    """
    if batch_size < 1:
        raise ConfigError(
            f"batch_size is {batch_size}", where="batch_size", hint="set it to 1 or more"
        )


def text_problem(evaluator_id: str, pred: object, does: str) -> str:
    """Why an evaluator of texts cannot take a prediction; empty if it can.

    >>> text_problem("a_eval", "Yes", "rates"), text_problem("a_eval", 1, "rates")
    ('', 'a_eval rates texts, and the prediction is 1')
    """
    return (
        ""
        if isinstance(pred, str)
        else f"{evaluator_id} {does} texts, and the prediction is {pred!r}"
    )
