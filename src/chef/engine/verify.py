"""Check the fast scorer against the reference on some samples before a run (``--verify K``)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from chef.common.logs import logger
from chef.engine.executor_base import fit_images
from chef.errors import ConfigError, RunError, SampleError
from chef.frozen import Frozen
from chef.inferencer.base import Inferencer
from chef.models import Model
from chef.models.agreement import Verification
from chef.models.api.server_model import ServerModel
from chef.types import Generate, Request, Sample, Score

_log = logger(__name__)
#: After so many samples that score nothing (they fail, or the recipe only generates), no more are
#: tried.
MISSES = 8


class Verified(Frozen):
    """The ids of the samples scored, and the comparison; None if there was nothing to compare."""

    samples: tuple[str, ...]
    found: Verification | None

    def __str__(self) -> str:
        if not self.samples:
            return "verification: none of the samples tried has options to score"
        if self.found is None:
            return "verification: this model has no fast scorer to check"
        verdict = "" if self.found.agrees else "; THEY DISAGREE"
        changed = ", ".join(self._changed)
        return f"verification: {self.found}{f' ({changed})' if changed else ''}{verdict}"

    @property
    def _changed(self) -> list[str]:
        return [self.samples[number] for number in self.found.changed] if self.found else []

    def to_json(self) -> dict[str, Any]:
        """For environment.json; ``largest_difference`` is None where one is no finite number."""
        if self.found is None:
            return {"samples": list(self.samples), "compared": False}
        largest = self.found.largest
        return {
            "samples": list(self.samples),
            "compared": True,
            "agrees": self.found.agrees,
            "largest_difference": largest if math.isfinite(largest) else None,
            "tolerance": self.found.tolerance,
            "changed": self._changed,
        }


def verify(
    model: Model,
    inferencer: Inferencer,
    names: Sequence[str],
    make: Callable[[str], Sample],
    count: int,
) -> Verified | None:
    """Check the fast scorer on the first ``count`` samples with options; None for a server."""
    if isinstance(model, ServerModel):
        _log.warning(
            "--verify checks nothing for %s: how it scores is the server's, and there is no "
            "reference scorer to compare it with", model.name,
        )  # fmt: skip
        return None
    requests: dict[str, Score] = {}
    misses = 0
    for name in names:
        if len(requests) == count or misses == MISSES:
            break
        request = _first_score(model, inferencer, make, name)
        if request is None:
            misses += 1
        else:
            requests[name] = request
    found = _verified(model, requests) if requests else None
    return Verified(tuple(requests), found)


def _verified(model: Model, requests: dict[str, Score]) -> Verification | None:
    """The comparison; removes requests from ``requests`` that cannot be sent to the model."""
    try:
        return model.verify(list(requests.values()))
    except SampleError:
        for name, request in list(requests.items()):
            try:
                model.verify([request])
            except SampleError:  # the run will record it
                del requests[name]
    return model.verify(list(requests.values())) if requests else None


def _first_score(
    model: Model, inferencer: Inferencer, make: Callable[[str], Sample], name: str
) -> Score | None:
    """The first scoring request of a sample's program; generation before it is answered."""
    try:
        program = inferencer.infer(make(name))
        request = _fitted(next(program), model)
        while isinstance(request, Generate):
            request = _fitted(program.send(model.generate([request])[0]), model)
    except (RunError, ConfigError):
        raise
    except (Exception, StopIteration):  # the run will record the error
        return None
    return request


def _fitted(request: Request, model: Model) -> Request:
    """The request as the run will send it: with at most as many images as the model takes."""
    return request if model.max_images is None else fit_images(request, model.max_images)
