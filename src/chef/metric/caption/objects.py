"""Objects mentioned by captions: precision and recall."""

from __future__ import annotations

from typing import Any

from chef.metric.records import names
from chef.reading.names import mentioned_labels
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate
from chef.stats.figures import ratio, share


def object_metrics(answers: list[dict[str, Any]]) -> dict[str, Estimate]:
    """Precision and recall of mentioned objects, in %, over samples that list their ``objects``.

    The vocabulary is the union of the objects of these samples. An object of the vocabulary that is
    mentioned but not in the image counts against precision.

    Returns:
        ``object_recall``: correctly mentioned objects over true objects, summed over images.
        ``object_precision``: correctly mentioned objects over mentioned ones.
        ``object_exact``: captions that mention all true objects and no other.
        The result is empty if no sample lists its objects.
    """
    listed = [answer for answer in answers if names(answer, "objects")]
    if not listed:
        return {}
    references = [set(names(answer, "objects")) for answer in listed]
    vocabulary = set().union(*references)
    predicted = [set(mentioned_labels(answer["parsed"] or "", vocabulary)) for answer in listed]
    pairs = list(zip(predicted, references, strict=True))
    right = [len(mentioned & true) for mentioned, true in pairs]
    exact = [float(mentioned == true) for mentioned, true in pairs]
    clusters = clusters_of(listed)
    return {
        "object_recall": ratio(right, [len(true) for true in references], clusters),
        "object_precision": ratio(right, [len(item) for item in predicted], clusters),
        "object_exact": share(exact, clusters),
    }
