"""Drawings of pages: SVG that is made here, coloured by the classes of the page's style sheet."""

from chef.report.page.plots.bars import (
    IntervalMark,
    Point,
    bars,
    dots,
    mark_of,
    radar,
    radar_or_dots,
)
from chef.report.page.plots.lines import Bin, confusion, heat_map, histogram, lines, reliability

__all__ = [
    "Bin",
    "IntervalMark",
    "Point",
    "bars",
    "confusion",
    "dots",
    "heat_map",
    "histogram",
    "lines",
    "mark_of",
    "radar",
    "radar_or_dots",
    "reliability",
]
