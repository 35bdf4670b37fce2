"""LAMM's metrics of boxes and points."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from chef.common.boxes import Box, iou
from chef.errors import ConfigError, DataError
from chef.metric.base import Metric
from chef.metric.classification.synonyms import recognised
from chef.metric.detection.matching import as_json, same_class, true_boxes
from chef.metric.records import answer_text, missing_truth
from chef.metric.vqa.accuracy import MeanMetric, ratio_of
from chef.reading.boxes import parse_boxes
from chef.reading.excerpt import excerpt
from chef.reading.points import Point, parse_points
from chef.reading.text import POLICY, evidence, strip_reasoning
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate
from chef.stats.figures import ratio


class _Pointing(Metric):
    """A metric of the points of an answer."""

    primary = "ACC"
    policy = POLICY

    def points(self, record: dict[str, Any]) -> list[Point]:
        """The points of an answer, in fractions of the image."""
        return parse_points(answer_text(record))


class InsideBbox(_Pointing):
    """An object is located if the answer mentions it and contains a point inside its box.

    Metrics:
        ``ACC``: objects located, in % of all. A point on the edge of a box is outside.
    """

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the share of objects located; ``parsed`` holds the points."""
        references = true_boxes(record)
        points = self.points(record)
        mentioned = self.mentioned(record, {box.label for box in references})
        hits = sum(
            box.label in mentioned and any(inside(point, box.bbox) for point in points)
            for box in references
        )
        return {
            **_points(points),
            "metric_result": hits / len(references) if references else 1.0,
            "hits": hits,
            "objects_true": len(references),
        }

    def mentioned(self, record: dict[str, Any], labels: Collection[str]) -> Collection[str]:
        """Those of ``labels`` that the answer mentions."""
        return recognised(strip_reasoning(answer_text(record)), labels)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {"ACC": ratio_of(answers, "hits", "objects_true")}


class InsideHumanBbox(_Pointing, MeanMetric):
    """A person is located if a point of the answer lies in the box around the joints.

    Metrics:
        ``ACC``: images whose person is located, in %.
    """

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is 1 or 0; ``parsed`` holds the points, in fractions of the image."""
        joints = record.get("gt_answers")
        if not joints:
            raise missing_truth(record, "joints in gt_answers")
        size = record.get("image_size")
        if not isinstance(size, list | tuple) or len(size) != 2:
            raise DataError("the record has no image_size", hint="[width, height] in pixels")
        points = self.points(record)
        pixels = [(x * size[0], y * size[1]) for x, y in points]
        box = around(joints)
        hit = any(inside(point, box) for point in pixels)
        return {**_points(points), "metric_result": float(hit)}


def inside(point: Point, box: Sequence[float]) -> bool:
    """Whether ``point`` is strictly inside the box ``(x1, y1, x2, y2)``."""
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


def around(joints: Sequence[Sequence[float]]) -> tuple[float, float, float, float]:
    """The smallest box that contains the points ``[x, y, ...]``."""
    xs, ys = [joint[0] for joint in joints], [joint[1] for joint in joints]
    return min(xs), min(ys), max(xs), max(ys)


def _points(points: Sequence[Point]) -> dict[str, Any]:
    return {
        "parsed": [list(point) for point in points] or None,
        "evidence": evidence("points"),
    }


_NAME = r"(?:an?\s+|the\s+)?[\"']?(?P<name>[A-Za-z][\w -]{0,40}?)[\"']?"
#: Phrases that state the category of an object, in the order in which they are tried.
_PATTERNS = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:classified|labell?ed|identified|recogni[sz]ed|categori[sz]ed)\s+as\s+{_NAME}"
        r"(?=\s+(?:is|at|in|with|and|located)\b|[.,;:\[(]|\s*\Z)",
        rf"\bcategory(?:\s+of(?:\s+(?:the|this)\s+object)?)?\s*(?:is\b|:)?\s*{_NAME}"
        r"(?=\s+(?:is|at|in|with|and|located)\b|[.,;:\[(]|\s*\Z)",
        rf"\bbelongs?\s+to\s+(?:the\s+class\s+(?:of\s+)?)?{_NAME}"
        r"(?=\s+(?:is|at|in|with|and|located)\b|[.,;:\[(]|\s*\Z)",
        rf"\bthe\s+{_NAME}\s+object\b",
    )
]


class LAMMDetection(Metric):
    """Precision and recall of boxes as LAMM computes them.

    A text is split into sentences at ``". "`` and line breaks. Each sentence gives at most one
    object: its first box, with the category that the sentence states ("classified as X", "category
    of X", "The X object", otherwise the noun next to the box). Predicted and true boxes whose IoU
    reaches the threshold are matched by a maximum bipartite matching.

    Metrics, in %, for each threshold:
        ``recall@0.50``: matched boxes of the same category over true ones. ``prec@0.50``: the same
        over predicted ones, 0 if nothing is predicted. ``recall_wocat@0.50``,
        ``prec_wocat@0.50``: the same for matches of any categories. Counts are summed over images;
        intervals are bootstrapped over images.

    Args:
        dataset_name: the name of the scenario.
        iou_thres: thresholds in (0, 1]; a match needs at least this IoU. Default: 0.5 and 0.25.

    Raises:
        ConfigError: a threshold is out of range.
    """

    policy = POLICY

    def __init__(self, dataset_name: str = "", iou_thres: list[float] | None = None) -> None:
        super().__init__(dataset_name)
        self.thresholds = [0.5, 0.25] if iou_thres is None else iou_thres
        if not self.thresholds or not all(0 < item <= 1 for item in self.thresholds):
            raise ConfigError(f"iou_thres is {iou_thres}", hint="use IoUs in (0, 1], such as [0.5]")
        self.primary = f"recall@{self.thresholds[0]:.2f}"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the recall of the image at the first threshold."""
        references = true_boxes(record)
        predicted = parse_sentences(answer_text(record))
        hits = {}
        for threshold in self.thresholds:
            hits[f"@{threshold:.2f}"] = matching_size(predicted, references, threshold, same_class)
            hits[f"_wocat@{threshold:.2f}"] = matching_size(
                predicted, references, threshold, lambda *_: True
            )
        first = hits[f"@{self.thresholds[0]:.2f}"]
        return {
            "metric_result": first / len(references) if references else 1.0,
            "parsed": [as_json(box) for box in predicted] if predicted or not references else None,
            "evidence": evidence("sentences"),
            "hits": hits,
            "boxes_predicted": len(predicted),
            "boxes_true": len(references),
        }

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        metrics: dict[str, Any] = {}
        for threshold in self.thresholds:
            for kind in ("", "_wocat"):
                key = f"{kind}@{threshold:.2f}"
                hits = [answer["hits"][key] for answer in answers]
                metrics[f"recall{key}"] = _over(hits, answers, "boxes_true")
                metrics[f"prec{key}"] = _precision(hits, answers)
        return metrics


def parse_sentences(text: str) -> list[Box]:
    """At most one box per sentence, with the category that the sentence states."""
    boxes = []
    for sentence in re.split(r"\.\s+|\n", excerpt(text)):
        found = parse_boxes(sentence)
        if found:
            boxes.append(Box(_category(sentence) or found[0].label, found[0].bbox))
    return boxes


def matching_size(
    predicted: Sequence[Box],
    references: Sequence[Box],
    threshold: float,
    agree: Callable[[str, str], bool],
) -> int:
    """The size of a maximum matching of boxes with agreeing labels and an IoU of ``threshold``."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    edges = [
        [
            agree(box.label, other.label) and iou(box.bbox, other.bbox) >= threshold
            for other in references
        ]
        for box in predicted
    ]
    if not any(map(any, edges)):  # scipy refuses an empty graph
        return 0
    partners = maximum_bipartite_matching(csr_array(edges), perm_type="column")
    return int((partners >= 0).sum())


def _category(sentence: str) -> str:
    matches = (pattern.search(sentence) for pattern in _PATTERNS)
    return next((match["name"].strip() for match in matches if match), "")


def _over(hits: list[float], answers: list[dict[str, Any]], key: str) -> Estimate:
    return ratio(hits, [answer[key] for answer in answers], clusters_of(answers))


def _precision(hits: list[float], answers: list[dict[str, Any]]) -> Estimate:
    if answers and not any(answer["boxes_predicted"] for answer in answers):
        return Estimate(0.0, len(answers), unit="%")
    return _over(hits, answers, "boxes_predicted")
