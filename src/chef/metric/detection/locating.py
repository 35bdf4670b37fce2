"""Locating objects by points: LAMM's metrics."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from chef.errors import DataError
from chef.metric.base import Metric
from chef.metric.classification.synonyms import recognised
from chef.metric.detection.matching import true_boxes
from chef.metric.records import answer_text, missing_truth
from chef.metric.vqa.accuracy import share_of
from chef.reading.points import Point, parse_points
from chef.reading.text import POLICY, evidence, strip_reasoning
from chef.stats.clusters import clusters_of
from chef.stats.figures import ratio


class InsideBbox(Metric):
    """An object is located if the answer mentions it and contains a point inside its box.

    Metrics:
        ``ACC``: objects located, in % of all. A point on the edge of a box is outside.
    """

    primary = "ACC"
    policy = POLICY

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

    def points(self, record: dict[str, Any]) -> list[Point]:
        """The points of an answer, in fractions of the image."""
        return parse_points(answer_text(record))

    def mentioned(self, record: dict[str, Any], labels: Collection[str]) -> Collection[str]:
        """Those of ``labels`` that the answer mentions."""
        return recognised(strip_reasoning(answer_text(record)), labels)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        hits = [answer["hits"] for answer in answers]
        n_true = [answer["objects_true"] for answer in answers]
        return {"ACC": ratio(hits, n_true, clusters_of(answers))}


class InsideHumanBbox(Metric):
    """A person is located if a point of the answer lies in the box around the joints.

    Metrics:
        ``ACC``: images whose person is located, in %.
    """

    primary = "ACC"
    policy = POLICY

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

    def points(self, record: dict[str, Any]) -> list[Point]:
        """The points of an answer, in fractions of the image."""
        return parse_points(answer_text(record))

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {"ACC": share_of(answers, "metric_result")}


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
