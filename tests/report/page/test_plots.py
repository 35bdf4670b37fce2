"""Drawings: well-formed, escaped, without styles, and with every mark where its value is."""

from __future__ import annotations

import math
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from chef.report.page.content import Plot
from chef.report.page.plots import (
    Bin,
    IntervalMark,
    Point,
    bars,
    confusion,
    dots,
    heat_map,
    histogram,
    lines,
    mark_of,
    radar,
    reliability,
)
from chef.report.page.plots.drawing import around
from chef.stats.estimate import Estimate

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</title><script>alert(1)</script>\"'&\x00\x1b]\ud800 \u202eabc"

Drawn = Callable[[str], Plot]
#: Each drawing with one text in every place that takes a text of the data.
ALL: dict[str, Drawn] = {
    "bars": lambda text: bars(
        text, [IntervalMark(text, 50, 40, 60, 9), IntervalMark("b", None)], label=text
    ),
    "dots": lambda text: dots(
        text, {text: [IntervalMark(text, 1), IntervalMark("b", 2)]}, unit=text
    ),
    "lines": lambda text: lines(text, {text: [Point(1, 2)], "b": [Point(3, 4)]}, x_label=text),
    "heat": lambda text: heat_map(text, [text], [text], [[1.0]], row_label=text),
    "confusion": lambda text: confusion(text, ["A", text], {("A", text): 3}),
    "histogram": lambda text: histogram(text, [1.0, 2.0], label=text),
    "radar": lambda text: radar(text, [text, "b", "c"], {text: [1, None, 3], "d": [4, 5, 6]}),
    "reliability": lambda text: reliability(text, [Bin(0.5, 0.5, 3)]),
}


def parsed(plot: Plot) -> ET.Element:
    return ET.fromstring(plot.svg)


def marks(plot: Plot, shape: str, classes: str) -> list[ET.Element]:
    return [item for item in parsed(plot).iter(SVG + shape) if item.get("class") == classes]


def number(item: ET.Element, key: str) -> float:
    return float(item.attrib[key])


def texts(plot: Plot) -> dict[str, tuple[float, float]]:
    """Where each text stands."""
    return {
        item.text or "": (number(item, "x"), number(item, "y"))
        for item in parsed(plot).iter(SVG + "text")
    }


@pytest.mark.parametrize("name", ALL)
def test_hostile_texts_stay_text(name: str) -> None:
    plot = ALL[name](HOSTILE)
    root = parsed(plot)
    assert {str(item.tag).removeprefix(SVG) for item in root.iter()} <= {
        "svg", "title", "line", "polyline", "polygon", "rect", "circle", "text",
    }  # fmt: skip
    names = {key for item in root.iter() for key in item.attrib}
    assert not any(key == "style" or key.startswith("on") or "href" in key for key in names)
    title = root.find(SVG + "title")
    assert title is not None
    assert title.text == HOSTILE.replace("\x00", "\ufffd").replace("\x1b", "\ufffd").replace(
        "\ud800", "\ufffd"
    )


@pytest.mark.parametrize("name", ALL)
def test_drawings_scale_and_say_what_they_are(name: str) -> None:
    root = parsed(ALL[name]("a"))
    assert root.get("role") == "img"
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    assert width == 400
    for item in root.iter(SVG + "text"):  # nothing stands outside, or is too small to be read
        assert 0 <= number(item, "x") <= width
        assert 0 < number(item, "y") <= height
        assert number(item, "font-size") >= 9


def test_bars_are_as_long_as_their_values() -> None:
    plot = bars(
        "t",
        [IntervalMark("a", 80.0, 60.0, 90.0, 20), IntervalMark("b", 20.0)],
        references=[25.0, 50.0],
    )
    first, second = marks(plot, "rect", "series-1")
    # From 0 to 100 % the axis is as long as four bars of 25 %.
    axis = marks(plot, "line", "muted")
    length = number(axis[0], "x2") - number(axis[0], "x1")
    assert number(first, "width") == pytest.approx(0.8 * length, abs=0.02)
    assert number(second, "width") == pytest.approx(0.2 * length, abs=0.02)
    start = number(first, "x")
    ends = sorted(number(item, "x1") for item in marks(plot, "line", "ink"))
    assert ends[0] == pytest.approx(start + 0.6 * length, abs=0.02)
    assert ends[-1] == pytest.approx(start + 0.9 * length, abs=0.02)
    dashed = [item for item in axis if item.get("stroke-dasharray")]
    # Each bar has the chance of its own group.
    assert [number(item, "x1") for item in dashed] == [
        pytest.approx(start + share * length, abs=0.02) for share in (0.25, 0.5)
    ]
    assert plot.text == "a: 80.0% [60.0, 90.0], n=20; b: 20.0%; dashed lines: 25.0%, 50.0%"


def test_negative_bars_grow_to_the_left() -> None:
    plot = bars("t", [IntervalMark("a", -1.0), IntervalMark("b", 3.0)], unit="points")
    left, right = marks(plot, "rect", "series-1")
    assert number(left, "x") + number(left, "width") == pytest.approx(number(right, "x"))
    assert number(right, "width") == pytest.approx(3 * number(left, "width"), rel=1e-3)


def test_dots_of_one_label_have_one_colour() -> None:
    groups = {
        "x": [IntervalMark("m", 10), IntervalMark("n", 30)],
        "y": [IntervalMark("n", 20), IntervalMark("m", 40)],
    }
    plot = dots("t", groups)
    places = {
        color: [number(item, "cx") for item in marks(plot, "circle", color)][1:]  # after the legend
        for color in ("series-1", "series-2")
    }
    step = (places["series-1"][1] - places["series-1"][0]) / 30  # from 10 to 40
    assert places["series-2"][0] - places["series-1"][0] == pytest.approx(20 * step, abs=0.05)
    assert places["series-2"][1] - places["series-1"][0] == pytest.approx(10 * step, abs=0.05)


def test_a_line_stands_at_its_numbers_in_order() -> None:
    plot = lines("t", {"m": [Point(4, 60, 50, 70), Point(0, 20), Point(1, 40)]}, x_label="examples")
    path = marks(plot, "polyline", "series-1")[0].attrib["points"].split()
    (x0, y0), (x1, y1), (x4, y4) = (tuple(map(float, item.split(","))) for item in path)
    assert (x4 - x0) == pytest.approx(4 * (x1 - x0), abs=0.05)
    assert (y0 - y4) == pytest.approx(2 * (y0 - y1), abs=0.05)
    interval = marks(plot, "line", "series-1")[0]
    assert abs(number(interval, "y1") - number(interval, "y2")) == pytest.approx(
        y1 - y4, abs=0.05
    )  # 20 points, as from 40 to 60
    assert {"0", "1", "4"} <= texts(plot).keys()


def test_a_radar_has_its_axes_clockwise_from_the_top() -> None:
    plot = radar("t", ["north", "east", "south", "west"], {"m": [100, 50, 25, None]})
    north, east, south = (
        (number(item, "cx"), number(item, "cy")) for item in marks(plot, "circle", "series-1")
    )
    centre = (north[0], east[1])
    radius = centre[1] - north[1]
    assert radius > 0
    assert east == pytest.approx((centre[0] + radius / 2, centre[1]))
    assert south == pytest.approx((centre[0], centre[1] + radius / 4))
    # Nothing leads to an axis without a value.
    assert len(marks(plot, "line", "series-1")) == 2
    assert plot.text == "m: north 100.0%, east 50.0%, south 25.0%, west -"


def test_heat_maps_are_darker_where_values_are_higher() -> None:
    plot = heat_map("t", ["a", "b"], ["x", "y"], [[0.0, 50.0], [None, 100.0]])
    cells = marks(plot, "rect", "series-1")
    shades = [number(item, "fill-opacity") for item in cells]
    assert len(cells) == 3
    assert shades[1] == pytest.approx((shades[0] + shades[2]) / 2)
    assert shades == sorted(shades)
    assert number(cells[2], "x") == number(cells[1], "x") > number(cells[0], "x")
    assert number(cells[2], "y") > number(cells[1], "y") == number(cells[0], "y")
    assert plot.text == "a, x: 0.0%; a, y: 50.0%; b, x: -; b, y: 100.0%"


def test_a_cell_has_the_colour_of_what_is_shown_and_its_own_number() -> None:
    plot = heat_map(
        "t", ["a"], ["x", "y", "z"], [[-12.0, 0.0, 30.0]], shades=[[None, None, 30.0]],
        unit="points", is_signed=True, note="coloured where a difference is shown",
    )  # fmt: skip
    assert [len(marks(plot, "rect", one)) for one in ("muted", "series-1", "series-2")] == [2, 1, 0]
    assert plot.text == "coloured where a difference is shown; a, x: -12.0; a, y: 0.0; a, z: +30.0"
    # Minus nothing is nothing.
    assert "-0.0" not in heat_map("t", ["a"], ["x"], [[-0.0]], unit="points", is_signed=True).svg


def test_the_confusion_matrix_has_right_letters_as_rows() -> None:
    counts = {("A", "A"): 5, ("A", "B"): 2, ("B", "unread"): 1}
    plot = confusion("t", ["A", "B"], counts)
    told = [item.text for item in parsed(plot).iter(SVG + "title")]
    assert {"A, B: 2", "B, A: 0", "B, unread: 1"} <= set(told)
    assert texts(plot)["5"][1] == texts(plot)["2"][1] < texts(plot)["1"][1]
    assert texts(plot)["5"][0] < texts(plot)["2"][0] < texts(plot)["1"][0]


def test_a_histogram_counts_every_value_once() -> None:
    values = [0.0, 0.1, 0.19, 0.5, 1.0, 1.0, math.nan]
    plot = histogram("t", values, label="score", ends=(0.0, 1.0), bins=5)
    assert plot.text == "0 to 0.2: 3; 0.2 to 0.4: 0; 0.4 to 0.6: 1; 0.6 to 0.8: 0; 0.8 to 1: 2"
    first, second, last = marks(plot, "rect", "series-1")
    assert number(first, "height") == pytest.approx(3 * number(second, "height"), abs=0.05)
    assert number(last, "height") == pytest.approx(2 * number(second, "height"), abs=0.05)


def test_the_reliability_diagram_has_its_bins_at_confidence_and_accuracy() -> None:
    error = Estimate(0.1, 30, low=0.05, high=0.2, unit="0-1")
    plot = reliability("t", [Bin(0.25, 0.5, 10), Bin(0.75, 0.75, 20)], error)
    dashed = next(i for i in marks(plot, "line", "muted") if i.get("stroke-dasharray"))
    x1, y1, x2, y2 = (number(dashed, key) for key in ("x1", "y1", "x2", "y2"))
    low, high = marks(plot, "circle", "series-1")
    assert number(low, "cx") == pytest.approx(x1 + (x2 - x1) / 4)
    assert number(low, "cy") == pytest.approx((y1 + y2) / 2)  # above the diagonal
    on_diagonal = (y2 - y1) / (x2 - x1)
    assert (number(high, "cy") - y1) / (number(high, "cx") - x1) == pytest.approx(on_diagonal)
    counts = [number(item, "height") for item in marks(plot, "rect", "muted")]
    assert counts[1] == pytest.approx(2 * counts[0])
    # Wilson's interval of 5 of 10, from a table.
    assert "50.0% right [23.7, 76.3], n=10" in plot.text
    assert plot.text.startswith("ECE 10.0% [5.0, 20.0]; ")


def test_marks_of_shares_are_in_percent() -> None:
    mark = mark_of("a", Estimate(0.5, 8, low=0.25, high=0.75, unit="0-1"))
    assert (mark.value, mark.low, mark.high) == (50.0, 25.0, 75.0)
    assert mark_of("a", Estimate(500.0, 8, unit="0-1000")).value == 500.0


def test_differences_have_the_colour_of_their_sign_and_the_shade_of_their_size() -> None:
    cells = ["a", "b"]
    drawn = heat_map(
        "d", cells, cells, [[None, -40.0], [40.0, 10.0]], is_signed=True, unit="points"
    )
    rects = [item for item in ET.fromstring(drawn.svg).iter() if item.tag.endswith("rect")]
    shades = [(item.get("class"), item.get("fill-opacity")) for item in rects]
    assert shades[0] == ("series-2", shades[1][1])  # as far from 0, on the other side
    assert shades[1][0] == shades[2][0] == "series-1"
    assert float(shades[2][1] or 1) < float(shades[1][1] or 1)
    assert "+40.0" in drawn.svg


def test_numbers_at_the_ends_of_an_axis_are_not_cut() -> None:
    mark = IntervalMark("m", -60.0, -100.0, -20.0, 9)
    drawn = dots("d", {"m": [mark]}, unit="points", reference=0.0)
    texts = [item for item in ET.fromstring(drawn.svg).iter() if item.tag.endswith("text")]
    (first,) = [item for item in texts if item.text == "-100"]
    half = 12 * 0.5 * len("-100") / 2  # a digit is about half as wide as it is high
    assert float(first.get("x") or 0) - half >= 0


def test_equal_values_make_no_axis_of_their_rounding() -> None:
    assert around([4e-8, -4e-8, 0.0]) == (0.0, 1.0)
