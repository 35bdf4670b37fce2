"""Whether an answer depends on a group: Pearson's chi-square test of a table of counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def p_value(table: NDArray[np.float64] | list[Any]) -> float:
    """The p-value of independence of rows and columns.

    Pearson's chi-square test (Pearson 1900), with Yates's correction (Yates 1934) for one degree of
    freedom.

    Args:
        table: counts, ``(groups, answers)``.

    Returns:
        0 to 1; 1 where all are in one row or one column, so that no dependence can show.

    >>> round(p_value([[10, 20], [20, 10]]), 6)
    0.020137
    """
    import numpy as np
    from scipy.stats import chi2_contingency

    counts = np.asarray(table, dtype=float)
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    return 1.0 if min(counts.shape) < 2 else float(chi2_contingency(counts)[1])
