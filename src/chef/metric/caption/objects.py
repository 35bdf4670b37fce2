"""Does a caption name the objects that are there, and no others?"""

from __future__ import annotations

from typing import Any

from chef.extraction.names import mentioned_labels
from chef.metric.estimate import Estimate
from chef.metric.records import names
from chef.metric.statistics import pooled_percentage, proportion


def object_metrics(answers: list[dict[str, Any]]) -> dict[str, Estimate]:
    """Objects named, in %, over captions whose samples list their ``objects``.

    The vocabulary, which says what a wrong object is, are the objects of all these samples.

    Returns:
        ``object_recall``: objects named over objects there, summed over images;
        ``object_precision``: over objects of the vocabulary named;
        ``object_exact``: captions that name all their objects and no other. Empty when no sample
        lists its objects.
    """
    listed = [answer for answer in answers if names(answer, "objects")]
    if not listed:
        return {}
    references = [set(names(answer, "objects")) for answer in listed]
    vocabulary = set().union(*references)
    predicted = [set(mentioned_labels(answer["parsed"] or "", vocabulary)) for answer in listed]
    pairs = list(zip(predicted, references, strict=True))
    right = [len(mentioned & true) for mentioned, true in pairs]
    exact = sum(mentioned == true for mentioned, true in pairs)
    return {
        "object_recall": pooled_percentage(right, [len(true) for true in references]),
        "object_precision": pooled_percentage(right, [len(mentioned) for mentioned in predicted]),
        "object_exact": proportion(exact, len(listed)),
    }
