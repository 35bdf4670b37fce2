"""Drawings that stand alone, figures for papers and cards, and results sent to trackers."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module, resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from chef.common.redaction import redact, redact_data
from chef.common.writing import write_parts
from chef.document.numbers import with_interval
from chef.document.outline import as_csv, as_latex, as_markdown
from chef.document.sections import Plot, Table
from chef.errors import ConfigError, DependencyError, nearest
from chef.report.load import Run
from chef.report.page.opened import OpenedRun
from chef.report.page.run import run_page
from chef.scoring.figures import run_table
from chef.scoring.result import RunResult, result_tables

_SVG = "http://www.w3.org/2000/svg"
#: The classes of drawings that are called otherwise in the style sheet.
_COLORS = {"grid": "line", "good": "right", "bad": "wrong"}
_FONT = "DejaVu Sans, Helvetica, Arial, sans-serif"
#: The size of a caption, its lines and how many characters fit into one.
_SIZE, _LINE, _CHARACTERS = 10, 14, 66


def write_figures(opened: OpenedRun, folder: Path) -> list[Path]:
    """Write the drawings of a run as SVG (and PDF, with cairosvg), and its figures as tables.

    The files are ``<title>.svg``, ``figures.csv``, ``.md``, ``.tex`` and ``model-index.yaml``.
    DataError if the run has no scores.
    """
    result = opened.run.report
    files = {**_forms(result_tables([result])), "model-index.yaml": model_index(result).encode()}
    plots = [one for one in run_page(opened, "").sections if isinstance(one, Plot)]
    for plot in plots:
        name = re.sub(r"\W+", "-", plot.title.partition(":")[0].lower()).strip("-")[:60]
        drawing = stand_alone(plot, caption(result))
        files[f"{name}.svg"] = drawing.encode()
        if (pdf := _pdf(drawing)) is not None:
            files[f"{name}.pdf"] = pdf
    return [*_written(files, folder)]


def write_tables(results: Sequence[RunResult], folder: Path) -> list[Path]:
    """Write the figures of several runs, in one table, as ``figures.csv``, ``.md`` and ``.tex``.

    A row begins with the model and the recipe.
    """
    lines = [
        replace(line, label=f"{item.model}: {line.label}")
        for item in results
        for line in item.lines()
    ]
    return [*_written(_forms([run_table(f"{len(results)} runs", lines)]), folder)]


def _forms(tables: Sequence[Table]) -> dict[str, bytes]:
    """Tables in each form, by the name of its file."""
    forms = {"csv": as_csv, "md": as_markdown, "tex": as_latex}
    return {f"figures.{name}": form(tables).encode() for name, form in forms.items()}


def _written(files: Mapping[str, bytes], folder: Path) -> Iterator[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        is_text = not name.endswith(".pdf")
        write_parts(folder / name, [redact(content.decode()).encode() if is_text else content])
        yield folder / name


def caption(result: RunResult) -> str:
    """What a drawing is of: the run, its main figure with its interval, and n."""
    item = result.figure
    told = "" if item is None else (
        f": {result.primary} {with_interval(item)}"
        + f", n = {item.n}"
    )  # fmt: skip
    return f"{result.model}, {result.label}{told}. Intervals are at 95%."


def stand_alone(plot: Plot, text: str) -> str:
    """The drawing with its title, its colours and a caption in it: it needs no style sheet."""
    ET.register_namespace("", _SVG)
    root = ET.fromstring(plot.svg)  # noqa: S314 - drawn and escaped by chef itself
    left, top, width, height = map(float, root.get("viewBox", "0 0 400 300").split())
    title = textwrap.wrap(plot.title, _CHARACTERS)
    below = textwrap.wrap(text, _CHARACTERS)
    above = _LINE * len(title) + 6
    for element in root.iter():
        _color(element)
    drawing = ET.Element(f"{{{_SVG}}}g", {"transform": f"translate(0 {above})"})
    drawing.extend(list(root))
    for child in list(root):
        root.remove(child)
    whole = above + height + _LINE * len(below) + 8
    root.attrib.clear()
    root.attrib.update({
        "viewBox": f"{left:g} {top:g} {width:g} {whole:g}", "width": f"{width:g}",
        "height": f"{whole:g}", "font-family": _FONT, "role": "img",
    })  # fmt: skip
    back = {"x": f"{left:g}", "y": f"{top:g}", "width": "100%", "height": "100%", "fill": "#ffffff"}
    ET.SubElement(root, f"{{{_SVG}}}rect", back)
    for number, line in enumerate(title):
        _text(root, line, _LINE * (number + 1), "ink", "bold")
    root.append(drawing)
    for number, line in enumerate(below):
        _text(root, line, above + height + _LINE * (number + 1), "muted")
    return ET.tostring(root, encoding="unicode") + "\n"


def _text(root: ET.Element, text: str, y: float, color: str, weight: str = "normal") -> None:
    place = {"x": "8", "y": f"{y:g}", "font-size": str(_SIZE), "font-weight": weight,
             "fill": _palette()[color]}  # fmt: skip
    ET.SubElement(root, f"{{{_SVG}}}text", place).text = text


def _color(element: ET.Element) -> None:
    """Put the colour of the element's class in place of ``currentColor``."""
    name = element.attrib.pop("class", "ink").split()[0]
    color = _palette().get(_COLORS.get(name, name), _palette()["ink"])
    for key in ("fill", "stroke"):
        if element.get(key) == "currentColor":
            element.set(key, color)


@cache
def _palette() -> dict[str, str]:
    """The colours of the light theme of pages, by name."""
    style = resources.files("chef.report.page").joinpath("templates", "page.css")
    light = style.read_text(encoding="utf-8").partition("@media")[0]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light))


def _pdf(svg: str) -> bytes | None:
    """The drawing as PDF, with its fonts in it; None where cairosvg is not installed."""
    try:
        from cairosvg import svg2pdf
    except (ImportError, OSError):  # OSError: the package is there, and the library cairo is not
        return None
    return bytes(svg2pdf(bytestring=svg.encode()))


def model_index(result: RunResult) -> str:
    """The figures as the ``model-index`` of a model card on the hub, in YAML."""
    from yaml import safe_dump

    metrics: list[dict[str, Any]] = [
        {
            "name": key,
            "type": key,
            "value": item.value,
            "args": {"n": item.n, "unit": item.unit, "low": item.low, "high": item.high},
        }
        for one in result.all_metrics
        for key, item in one.metrics.items()
        if item.value is not None
    ]
    entry = {
        "task": {"type": "image-text-to-text", "name": result.recipe},
        "dataset": {"name": result.scenario, "type": result.scenario},
        "metrics": metrics,
    }
    index = {"model-index": [{"name": result.model, "results": [entry]}]}
    return str(safe_dump(index, sort_keys=False, allow_unicode=True))


#: How a data set of the hub is written.
HUB = "hf:"


def send(run: Run, place: str) -> str:
    """Send a scored run to a tracker; say what was done. DataError if it has no scores.

    ``place`` is ``wandb`` or ``mlflow`` (figures, configuration) or ``hf:OWNER/NAME`` (samples).
    """
    if place.startswith(HUB):
        return _hub(run, place.removeprefix(HUB))
    if place not in _TRACKERS:
        hint = nearest(place, [*_TRACKERS, f"{HUB}OWNER/NAME"])
        raise ConfigError(f"results cannot be sent to '{place}'", where="--to", hint=hint)
    names, figures = _figures(run)
    return _TRACKERS[place](run, names, figures)


def _figures(run: Run) -> tuple[dict[str, str], dict[str, float]]:
    """The names of a run, and its numbers: of each figure the value, both ends and n."""
    result = run.report
    numbers = {
        f"{key}{suffix}": number
        for one in result.all_metrics
        for key, item in one.metrics.items()
        for suffix, number in (
            ("", item.value), ("_low", item.low), ("_high", item.high), ("_n", item.n),
        )
        if number is not None
    }  # fmt: skip
    numbers["coverage"] = result.coverage.coverage
    names = {"model": result.model, "scenario": result.scenario, "recipe": result.recipe}
    return {**names, "metric": result.metric_type}, numbers


def _wandb(run: Run, names: Mapping[str, str], figures: Mapping[str, float]) -> str:
    wandb = _package("wandb")
    config = redact_data({**names, **run.config})
    with wandb.init(project="chef", name=run.folder.name, config=config) as session:
        session.summary.update(dict(figures))
    return f"{len(figures)} numbers to Weights & Biases, project chef"


def _mlflow(run: Run, names: Mapping[str, str], figures: Mapping[str, float]) -> str:
    mlflow = _package("mlflow")
    with mlflow.start_run(run_name=run.folder.name):
        mlflow.set_tags(dict(names))
        mlflow.log_dict(redact_data(dict(run.config)), "config.json")
        mlflow.log_metrics(dict(figures))
    return f"{len(figures)} numbers to MLflow"


def _hub(run: Run, name: str) -> str:
    if name.count("/") != 1:
        raise ConfigError(f"'{name}' is no data set", where="--to", hint=f"write {HUB}OWNER/NAME")
    rows: list[dict[str, Any]] = [redact_data(row) for row in run.rows]
    _package("datasets").Dataset.from_list(rows).push_to_hub(name, private=True)
    return f"{len(rows)} samples to the private data set {name}"


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        what = f"results are sent there by the package {name}, which is not installed"
        raise DependencyError(what, hint=f"pip install {name}") from None


_TRACKERS: dict[str, Callable[[Run, Mapping[str, str], Mapping[str, float]], str]] = {
    "wandb": _wandb,
    "mlflow": _mlflow,
}
