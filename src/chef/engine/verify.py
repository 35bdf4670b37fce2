"""Scoring a few samples in both ways before a run, on the user's own model and data."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from chef.engine.image_limit import fit_images
from chef.errors import ConfigError, RunError, SampleError
from chef.inferencer.base import Inferencer
from chef.models import TestBase
from chef.models.agreement import Verification
from chef.types import Generate, Request, Sample, Score

#: Samples that score nothing (because they fail, or their recipe only generates) before giving up.
MISSES = 8


@dataclass(frozen=True, slots=True)
class Verified:
    """What came of it.

    Attributes:
        samples: ids of the samples scored.
        found: the comparison; None where there was nothing to compare.
    """

    samples: tuple[str, ...]
    found: Verification | None

    def __str__(self) -> str:
        if not self.samples:
            return "verification: none of the samples tried asks for options to be scored"
        if self.found is None:
            return "verification: this model scores options in one way only"
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
    model: TestBase,
    inferencer: Inferencer,
    names: Sequence[str],
    make: Callable[[str], Sample],
    count: int,
) -> Verified:
    """Score the first samples that can be scored both ways.

    Args:
        model: does the scoring, and draws its own conclusion (see `TestBase.verify`).
        inferencer: makes the requests.
        names: ids of the samples of the run, in order.
        make: the sample of an id.
        count: how many to score.
    """
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


def _verified(model: TestBase, requests: dict[str, Score]) -> Verification | None:
    """The comparison; requests that the model cannot be asked are taken out of ``requests``."""
    try:
        return model.verify(list(requests.values()))
    except SampleError:
        for name, request in list(requests.items()):
            try:
                model.verify([request])
            except SampleError:  # the run itself will record it
                del requests[name]
    return model.verify(list(requests.values())) if requests else None


def _first_score(
    model: TestBase, inferencer: Inferencer, make: Callable[[str], Sample], name: str
) -> Score | None:
    """The first options that a sample's program wants scored; what it generates is answered."""
    try:
        program = inferencer.infer(make(name))
        request = _fitted(next(program), model)
        while isinstance(request, Generate):
            request = _fitted(program.send(model.generate([request])[0]), model)
    except (RunError, ConfigError):
        raise
    except (Exception, StopIteration):  # the run itself will record what is wrong with it
        return None
    return request


def _fitted(request: Request, model: TestBase) -> Request:
    """With as many images as the model takes, as the run will send it."""
    return request if model.max_images is None else fit_images(request, model.max_images)
