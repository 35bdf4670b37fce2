"""Drawings of pages: SVG that is made here, coloured by the classes of the page's style sheet."""

from chef.report.page.plots.bars import bars
from chef.report.page.plots.confusion import confusion
from chef.report.page.plots.dots import dots
from chef.report.page.plots.heat import heat_map
from chef.report.page.plots.histogram import histogram
from chef.report.page.plots.lines import lines
from chef.report.page.plots.marks import IntervalMark, Point, mark_of
from chef.report.page.plots.radar import radar, radar_or_dots
from chef.report.page.plots.reliability import Bin, reliability

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
