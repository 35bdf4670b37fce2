from typing import Any, List, Sequence

import numpy as np

from mmte.evaluators.metrics import _supported_metrics


def share_within(y_true: Sequence[Any], y_pred: Sequence[Any], distance: float = 0.0) -> float:
    """Share of predictions at most `distance` from their label; one that is NaN is not."""
    hits = [abs(float(t) - float(p)) <= distance for t, p in zip(y_true, y_pred)]
    return float(np.mean(hits))


def differences(y_true: Sequence[Any], y_pred: Sequence[Any]) -> List[float]:
    """One value for each sample."""
    return [float(p) - float(t) for t, p in zip(y_true, y_pred)]


_supported_metrics["toy_share_within"] = share_within
_supported_metrics.update({"toy_differences": differences})
