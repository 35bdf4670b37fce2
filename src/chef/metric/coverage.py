"""How many samples of a run are scored, what became of the others, and which answers are cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeAlias

from chef.document.numbers import with_interval
from chef.frozen import Frozen
from chef.stats.estimate import Estimate
from chef.types import Prediction, Status


class Coverage(Frozen):
    """How many of the samples the metrics are based on.

    ``total = scored + errors + no_truth + unjudged + missing``. The other counts are parts of
    ``scored`` and may overlap: a refusal is usually unparsed too.

    Attributes:
        total: samples that the run should have.
        scored: samples with an answer, including truncated, refused and unparsed ones.
        errors: samples that failed, in the run or in the metric; they are never scored as wrong.
        truncated: answers cut by the token limit.
        refused: samples that the model declined to answer.
        unparsed: answers that could not be read; they count as not correct.
        no_truth: answers to samples without a known reference; they are kept but not scored.
        unjudged: answers that lack the judgement they need (the judge failed, could not be read,
            or was not asked yet); they are never scored by a rule instead.
        skipped: answers that needed no judge, as another answer of their group is wrong.
    """

    total: int
    scored: int
    errors: int = 0
    truncated: int = 0
    refused: int = 0
    unparsed: int = 0
    no_truth: int = 0
    unjudged: int = 0
    skipped: int = 0

    @classmethod
    def count(cls, samples: Iterable[Mapping[str, Any]], expected: int | None = None) -> Coverage:
        """Count the entries of a report; of ``expected`` samples the rest are missing."""
        total, statuses, others = 0, Counter[str](), Counter[str]()
        for entry in samples:
            total += 1
            if not is_scored(entry):
                others["errors"] += entry["status"] == Status.ERROR
                others["no_truth"] += "no_truth" in entry
                others["unjudged"] += "unjudged" in entry
                continue
            statuses[entry["status"]] += 1
            if is_unparsed(entry):
                others["unparsed"] += 1
            if "skipped" in entry:
                others["skipped"] += 1
        return cls(
            total=max(total, expected or 0),
            scored=statuses.total(),
            truncated=statuses[Status.TRUNCATED],
            refused=statuses[Status.REFUSED],
            **{name: int(count) for name, count in others.items()},
        )

    @property
    def missing(self) -> int:
        """Samples without an entry: they were not asked."""
        return self.total - self.scored - self.errors - self.no_truth - self.unjudged

    @property
    def coverage(self) -> float:
        """``scored / total``, in 0..1; 0 if there are none.

        >>> Coverage(total=10, scored=9, errors=1).coverage
        0.9
        """
        return self.scored / self.total if self.total else 0.0

    @property
    def unparsed_rate(self) -> float:
        """``unparsed / scored``, in 0..1; 0 if there are none."""
        return self.unparsed / self.scored if self.scored else 0.0

    def to_json(self) -> dict[str, Any]:
        """The counts and the shares derived from them, as plain data."""
        derived = {"missing": self.missing, "coverage": self.coverage}
        return {**asdict(self), **derived, "unparsed_rate": self.unparsed_rate}


def is_scored(entry: Mapping[str, Any]) -> bool:
    """Whether the figures of a metric are based on the sample of this entry, too."""
    return "no_truth" not in entry and "unjudged" not in entry and entry["status"] != Status.ERROR


def is_unparsed(entry: Mapping[str, Any]) -> bool:
    """Whether the answer of a scored sample could not be read."""
    if "parsed" in entry:
        return entry["parsed"] is None
    return bool(entry["status"] == Status.UNPARSED)


#: How the interval of the first figure was computed; see `chef.stats.confidence_sequence`.
METHOD = "betting, without replacement"
#: The same where earlier runs said which samples to draw, and what to expect of them.
BY_ITEMS = "drawn by items, difference estimator"


class StoppedEarly(Frozen):
    """What ended a run before the whole benchmark was asked; half widths are in points of percent.

    Attributes:
        precision: how far the interval was to reach to each side; None: the run was that of a race.
        reached: whether it is that narrow, or the race is decided; False: the limit of the run
            came.
        figure: the key of the figure with this interval; empty where it has none.
        half_width: how far the farther end of the interval is from the figure; None where unknown.
        unscored: how many of the samples asked could not be scored.
        runs: how many earlier runs said which samples to draw; None where each was as likely.
        items: how many samples were to be asked; None where the scores decided that.
        of_asked: where earlier runs said which, the figure of those asked alone, in its own unit.
    """

    asked: int
    total: int
    precision: float | None
    reached: bool
    figure: str = ""
    half_width: float | None = None
    unscored: int = 0
    runs: int | None = None
    items: int | None = None
    of_asked: float | None = None

    @property
    def why(self) -> str:
        """What ended the run, and how well the figure is known, in a sentence or two."""
        if self.items is not None and self.precision is None:
            text = f"{self.asked} of {self.total} samples were asked (--items {self.items})"
            if self.half_width is None:
                return f"{text}; nothing here is for all samples."
            text += f": {self.figure} of all {self.total} is known within "
            return f"{text}±{self.half_width:.2f} points.{self._how} `chef eval` asks the rest."
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
        return f"{text}.{self._how}{self._rest}"

    @property
    def _how(self) -> str:
        """How the figure was estimated, where earlier runs said which samples to draw."""
        if self.runs is None:
            return ""
        return (
            f" {self.runs} earlier runs said which samples tell most, and what to expect of the "
            "others; the figure counts each by how likely it was drawn, and is right on average "
            "whatever they said. The other figures are of the samples asked, which are harder to "
            "tell than most."
        )

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


Record: TypeAlias = Mapping[str, Any]
#: The share of cut answers above which a result begins with them.
MANY = 0.05
#: The keys that limit answers, and the chains of thought before them.
_ANSWERS = "eval_cfg.inferencer_cfg.max_new_tokens"
_THOUGHTS = "eval_cfg.inferencer_cfg.cot_max_new_tokens"


class CutAnswers(Frozen):
    """How many answers the limit of new tokens has cut, as far as the model told.

    Attributes:
        samples: scored samples of which the answer or the chain of thought before it was cut.
        thoughts: those of them of which the chain of thought was.
        figure: the key of the main figure; empty where there is none.
        others: that figure without what is scored as one with a cut sample; None if that is all.
    """

    samples: int
    thoughts: int
    scored: int
    figure: str = ""
    others: Estimate | None = None

    @property
    def share(self) -> float:
        """``samples / scored``, in 0..1."""
        return self.samples / self.scored

    def warning(self, *, of_run: bool) -> str:
        """A line where many answers are cut, else ''; ``of_run``: a run's limit can be set."""
        if self.share <= MANY:
            return ""
        text = f"{100 * self.share:.1f}% of the answers were cut by the limit of new tokens"
        if not of_run:
            return f"{text}."
        answers = self.samples - self.thoughts
        keys = [key for key, count in ((_THOUGHTS, self.thoughts), (_ANSWERS, answers)) if count]
        return f"{text}: raise it with {' '.join(f'{key}=N' for key in keys)}"

    @property
    def why(self) -> str:
        """What was cut, and the score among the others, as one sentence."""
        what = " (thoughts)" if self.thoughts == self.samples else ""
        text = f"{self.samples} of {self.scored} answers{what} were cut by the limit of new tokens"
        if self.others is None:
            return f"{text}."
        shown = with_interval(self.others)
        return f"{text}; {self.figure} among the others: {shown}, n={self.others.n}."

    def to_json(self) -> dict[str, Any]:
        """The fields and the share, as plain data."""
        others = None if self.others is None else self.others.to_json()
        counts = {"samples": self.samples, "thoughts": self.thoughts, "scored": self.scored}
        return {**counts, "share": self.share, "figure": self.figure, "others": others}


def is_cut(prediction: Prediction) -> bool:
    """Whether the limit of new tokens cut an answer, or the chain of thought before it."""
    return prediction.status is Status.TRUNCATED or bool(prediction.trace.get("CoT_truncated"))


def cut_answers(
    answers: Mapping[str, Record],
    entries: Iterable[Record],
    thoughts: Collection[str],
    unit: Callable[[str], str],
    values: Callable[[list[dict[str, Any]]], Mapping[str, Estimate]],
) -> Callable[[str], CutAnswers | None]:
    """What was cut, as a function of the key of the main figure that gives None where nothing was.

    It is asked for before a metric aggregates the answers, which may change the records.
    """
    scored, of_thought = 0, set()
    cut = set()
    for entry in filter(is_scored, entries):
        name, scored = str(entry["id"]), scored + 1
        if name in thoughts:
            of_thought.add(name)
        if name in thoughts or entry["status"] == Status.TRUNCATED:
            cut.add(name)
    if not cut:
        return lambda _: None
    units = {unit(name) for name in cut if name in answers}
    rest = [dict(item) for name, item in answers.items() if unit(name) not in units]

    def among_others(figure: str) -> CutAnswers:
        found = _figure(rest, figure, values)
        return CutAnswers(len(cut), len(of_thought), scored, figure, found)

    return among_others


def _figure(
    answers: Sequence[dict[str, Any]],
    figure: str,
    values: Callable[[list[dict[str, Any]]], Mapping[str, Estimate]],
) -> Estimate | None:
    """A figure of some answers; None where it has no value."""
    try:
        found = values([*answers]).get(figure) if answers and figure else None
    except Exception:  # the whole run has its values; the rest may be too little for the metric
        return None
    return None if found is None or found.value is None else found
