"""Runs of a served model whose waiting takes no time."""

from __future__ import annotations

from typing import Any

import pytest
from fake_servers import FakeTime, Script, Served
from fakes import Numbers, chance
from programs import inferencer, jobs

from chef.engine.engine import Engine
from chef.engine.in_flight import ConcurrentExecutor
from chef.errors import ChefError
from chef.models.api.failures import Failure
from chef.types import Prediction


def engine(model: Served, name: str = "Direct", **options: Any) -> tuple[Engine, FakeTime]:
    """An engine whose waiting takes no time."""
    made, time = Engine(model, inferencer(name), **options), FakeTime()
    made.executor = ConcurrentExecutor(model, made.responses, made.timeout, time.waits())
    return made, time


def ask(model: Served, size: int, name: str = "Direct", **options: Any) -> dict[str, Prediction]:
    made, _ = engine(model, name, **options)
    predictions = list(made.run(jobs(Numbers(size=size))))
    found = {prediction.sample_id: prediction for prediction in predictions}
    assert len(found) == len(predictions) == size
    return found


def stopped(model: Served, size: int = 50, **options: Any) -> tuple[ChefError, list[Prediction]]:
    """The error that ends a run, and what was answered before."""
    found: list[Prediction] = []
    with pytest.raises(ChefError) as error:
        found.extend(engine(model, **options)[0].run(jobs(Numbers(size=size))))
    return error.value, found


def failing(share: float, *failures: Failure) -> Script:
    """A script in which a share of all attempts fails, by the text and the attempt alone."""

    def script(text: str, attempt: int) -> Failure | None:
        if chance(text, attempt) >= share:
            return None
        return failures[int(chance(attempt, text) * len(failures))]

    return script
