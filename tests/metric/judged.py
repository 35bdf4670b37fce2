"""Figures of a report of judged answers."""

from __future__ import annotations

from typing import Any

PETS: dict[str, Any] = {"options": ["(A", "(B"], "choices": ["cat", "dog"], "gt_choice": 1}


def values(report: Any) -> dict[str, float | None]:
    return {name: item.value for name, item in report.metrics.items()}


def entry(report: Any, name: str) -> dict[str, Any]:
    return next(item for item in report.samples if item["id"] == name)
