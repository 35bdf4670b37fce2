"""The drawings of a run that its answers allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from chef.common.options import letters
from chef.report.page.content import Plot
from chef.report.page.opened import OpenedRun
from chef.report.page.plots import Bin, confusion, histogram, reliability
from chef.report.page.samples import option_letters
from chef.report.run_report import RunReport
from chef.report.views.answers import confidence_of
from chef.stats.calibration import calibration_error
from chef.stats.estimate import Estimate

#: With fewer answers a reliability diagram shows noise.
_FEWEST = 10
#: More options than these make no matrix that can be read.
_MOST_LETTERS = 10


def drawings(run: OpenedRun) -> Iterator[Plot]:
    """Reliability where options have probabilities, confusion of letters, spread of scores."""
    for plot in (_reliability(run), _confusion(run), _spread(run)):
        if plot is not None:
            yield plot


def _reliability(run: OpenedRun) -> Plot | None:
    """Over the bins of the metric, if it has them, else over those of `calibration_error`."""
    title = "Reliability: how often answers of each confidence are right"
    report = run.report
    own = [item for item in report.all_metrics if "Acc_bins" in item.details] if report else []
    if own:
        ece = own[0].metrics.get("ECE")
        if ece is not None and ece.n >= _FEWEST:
            return reliability(title, _own_bins(own[0], ece.n), ece)
    known = [
        (known, verdict == "right")
        for name, item in run.views.predictions.items()
        if (known := confidence_of(item)) is not None
        and (verdict := run.views.verdict(name)) in ("right", "wrong")
    ]
    found = calibration_error([one for one, _ in known], [float(right) for _, right in known])
    if found is None or len(known) < _FEWEST:
        return None
    bins = _bins(found.confidences, found.rights, found.sizes)
    return reliability(title, bins, Estimate(found.error, len(known), unit="0-1"))


def _own_bins(report: RunReport, n: int) -> list[Bin]:
    """The bins of a metric; of earlier results, of nearly equal size."""
    probs = report.details["Prob_bins"]
    even = [n // len(probs) + (place < n % len(probs)) for place in range(len(probs))]
    return _bins(probs, report.details["Acc_bins"], report.details.get("N_bins", even))


def _bins(probs: Sequence[float], rights: Sequence[float], sizes: Sequence[int]) -> list[Bin]:
    return [Bin(*one) for one in zip(probs, rights, sizes, strict=True)]


def _confusion(run: OpenedRun) -> Plot | None:
    """Chosen against right letters, of the samples with one right option."""
    if not run.reads_options:
        return None
    counts: Counter[tuple[str, str]] = Counter()
    for name in run.views.predictions:
        if run.views.verdict(name) in ("error", "unscored"):
            continue
        right, chosen = option_letters(run, name)
        if right:
            counts[right, chosen or "unread"] += 1
    seen = {letter for pair in counts for letter in pair} - {"unread"}
    names = [name for name in letters(26) if name <= max(seen, default="")]
    if not 2 <= len(names) <= _MOST_LETTERS:
        return None
    return confusion("Option letters: chosen against right", names, counts)


def _spread(run: OpenedRun) -> Plot | None:
    """How the scores are spread, where they are more than right and wrong."""
    if all(run.views.verdict(name) != "partly" for name in run.views.predictions):
        return None
    scores = [
        float(score)
        for entry in run.views.entries.values()
        if isinstance(score := entry.get("score"), int | float)
    ]
    ends = (0.0, 1.0) if all(0 <= score <= 1 for score in scores) else None
    return histogram("Scores of the samples", scores, label="score", ends=ends)
