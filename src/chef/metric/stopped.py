"""That a run asked a part of the benchmark, because its figure was known well enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

#: How the interval of the first figure was computed; see `chef.stats.confidence_sequence`.
METHOD = "betting, without replacement"


@dataclass(frozen=True, slots=True)
class StoppedEarly:
    """What ended a run before the whole benchmark was asked.

    Attributes:
        asked: number of samples that were asked.
        total: number of samples of the benchmark.
        precision: how far the interval was to reach to each side, in points of percent; None: the
            run was that of a race.
        reached: whether the interval is that narrow, or the race of the model decided; False: the
            limit of the run ended first.
        figure: the key of the figure with this interval; empty where it has none.
        half_width: how far the farther end of the interval is from the figure, in points of
            percent; None where there is none.
        unscored: how many of the samples asked could not be scored. The interval is that of the
            mean over all samples of the benchmark that can be.
    """

    asked: int
    total: int
    precision: float | None
    reached: bool
    figure: str = ""
    half_width: float | None = None
    unscored: int = 0

    @property
    def why(self) -> str:
        """What ended the run, and how well the figure is known, as one sentence."""
        how = "Stopped early" if self.reached else "The limit ended the run"
        text = f"{how} at {self.asked} of {self.total} samples"
        wanted = (
            " in a race" if self.precision is None else f" (wanted: ±{self.precision:g} points)"
        )
        if self.half_width is None:
            return f"{text}{wanted}; no interval here is for all samples."
        within = f"±{self.half_width:.2f} points{wanted}"
        text += f": {self.figure} of all {self.total} is known within {within}"
        if self.unscored:
            text += f"; {self.unscored} could not be scored, so all are those that can be"
        return f"{text}.{self._rest}"

    @property
    def _rest(self) -> str:
        """How the other samples can be asked."""
        if self.precision is None:
            return " `chef eval` asks the rest."
        if not self.reached:
            return " A larger --limit goes on."
        return " `chef eval` without --precision asks the rest."

    def to_json(self) -> dict[str, Any]:
        """Plain data, with the sentence."""
        return {**asdict(self), "why": self.why}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> StoppedEarly:
        """Of what `to_json` gave."""
        return cls(**{key: data[key] for key in cls.__dataclass_fields__ if key in data})
