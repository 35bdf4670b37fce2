"""The scores of all runs side by side, and the means of the runs with what each cluster adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chef.frozen import Frozen
from chef.stats.arrays import Array, Places, np

#: Draws of clusters where an interval or a test needs them, and their seed.
RESAMPLES, SEED = 1000, 0
#: With fewer samples than this share of all, or than this number, that every run has scored, the
#: others are used as well.
_SHARE, _FEWEST = 0.5, 30


class ScoreMatrix(Frozen):
    """Scores of runs and samples.

    Attributes:
        scores: ``(runs, samples)``; NaN where a run has no score.
        clusters: ``(samples,)``, numbered from 0 without a gap.
        left_out: number of samples that are not in it, as not every run has a score of them.
    """

    scores: Array
    clusters: Places
    left_out: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether every run has a score of every sample."""
        return not np.isnan(self.scores).any()

    def of_clusters(self, chosen: Sequence[int]) -> ScoreMatrix:
        """The samples of some of the clusters."""
        kept = np.isin(self.clusters, list(chosen))
        codes = np.unique(self.clusters[kept], return_inverse=True)[1]
        return ScoreMatrix(self.scores[:, kept], codes.reshape(-1), self.left_out)


def score_matrix(
    ids: Sequence[Sequence[str]],
    scores: Sequence[Sequence[float | None]],
    clusters: Mapping[str, str],
) -> ScoreMatrix:
    """Join runs by the ids of their samples, whose clusters are given by id.

    Samples that some run has no score of are left out, unless too few remain: then all that at
    least two runs have scored are kept.
    """
    places = {id_: place for place, id_ in enumerate(sorted(clusters))}
    table = np.full((len(ids), len(places)), np.nan)
    for row, (names, values) in enumerate(zip(ids, scores, strict=True)):
        columns = [places[name] for name in names]
        table[row, columns] = [np.nan if value is None else value for value in values]
    counts = np.isfinite(table).sum(axis=0)
    kept = counts == len(ids)
    some = counts >= min(2, len(ids))
    if kept.sum() < max(_FEWEST, _SHARE * len(places)):
        kept = some
    numbered = np.array([clusters[id_] for id_ in places])[kept]
    codes = np.unique(numbered, return_inverse=True)[1]
    return ScoreMatrix(table[:, kept], codes.reshape(-1), int((~kept).sum()))


class RunMeans(Frozen):
    """Mean scores of runs, and how far each cluster moves them.

    Attributes:
        means: ``(runs,)``, of the same samples for all runs.
        influence: ``(clusters, runs)``: drawing a cluster once more adds its row to the means, to
            first order in 1 / clusters. Each column has the sum 0.
        samples: how many there are.
        matrix: the scores that they are of.
    """

    means: Array
    influence: Array
    samples: int
    matrix: ScoreMatrix

    @property
    def shares(self) -> Array:
        """``(clusters,)``: the share of the samples that each cluster holds."""
        return np.asarray(np.bincount(self.matrix.clusters) / len(self.matrix.clusters))

    @property
    def covariance(self) -> Array:
        """``(runs, runs)``: of the means over draws of clusters; robust to any form of dependence.

        It is the cluster-robust estimate of Cameron and Miller 2015.
        """
        count = len(self.influence)
        return self.influence.T @ self.influence * (count / max(1, count - 1))

    def draws(self, resamples: int, seed: int) -> Array:
        """``(resamples, runs)``: by how much the means differ when clusters are drawn again.

        Clusters are drawn whole, with replacement. The deviations are lengthened by
        ``sqrt(clusters / (clusters - 1))``, so that their variance is unbiased.
        """
        count = len(self.influence)
        drawn = draw_sums(self.influence, resamples, seed)
        return drawn * float(np.sqrt(count / max(1, count - 1)))


def run_means(matrix: ScoreMatrix) -> RunMeans:
    """The means of the runs.

    Where scores are missing they are the least-squares estimates of ``run + sample``, so that a run
    that lacks the difficult samples is not the better for it.
    """
    scores, count = matrix.scores, matrix.scores.shape[1]
    if matrix.is_complete:
        means = scores.mean(axis=1)
        moved = cluster_sums(scores - means[:, None], matrix.clusters).T / count
        return RunMeans(means, moved, count, matrix)
    observed = np.isfinite(scores)
    filled = np.where(observed, scores, 0.0)
    answers = observed.sum(axis=0)
    weights = observed / answers
    inverse = np.linalg.pinv(np.diag(observed.sum(axis=1)) - weights @ observed.T)
    centred = np.where(observed, filled - filled.sum(axis=0) / answers, 0.0)
    means = inverse @ centred.sum(axis=1)
    residual = np.where(observed, centred - (means[:, None] - means @ weights), 0.0)
    influence = inverse @ cluster_sums(residual, matrix.clusters)
    # The level: the mean over the samples of what is left of each when the run is taken off.
    of_samples = (filled.sum(axis=0) / answers) - means @ weights
    level = of_samples.mean()
    moved = cluster_sums((of_samples - level)[None], matrix.clusters)[0] / count
    moved = moved - weights.mean(axis=1) @ influence
    return RunMeans(means + level, (influence + moved).T, count, matrix)


def cluster_sums(values: Array, clusters: Places) -> Array:
    """Sums over the samples of each cluster: ``(rows, samples)`` to ``(rows, clusters)``."""
    order = np.argsort(clusters, kind="stable")
    starts = np.searchsorted(clusters[order], np.arange(int(clusters.max()) + 1))
    sums: Array = np.add.reduceat(values[:, order], starts, axis=1)
    return sums


def draw_sums(table: Array, resamples: int, seed: int) -> Array:
    """``(resamples, columns)`` sums over clusters that are drawn with replacement, by the seed.

    ``table`` is ``(clusters, columns)``, the sums of each cluster.
    """
    count = len(table)
    rng = np.random.default_rng(seed)
    block = max(1, 2_000_000 // count)
    parts = []
    for start in range(0, resamples, block):
        size = min(block, resamples - start)
        picks = rng.integers(0, count, (size, count)) + count * np.arange(size)[:, None]
        weights = np.bincount(picks.ravel(), minlength=count * size).reshape(size, count)
        parts.append(weights @ table)
    return np.concatenate(parts)
