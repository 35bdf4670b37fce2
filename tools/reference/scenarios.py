"""The page docs/reference/scenarios.md: all scenarios with their keys, metrics and files.

The text comes from the classes and from the table of sources; no data is read.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence

from chef.common.keys import REQUIRED, keys_of
from chef.preparing.sources import Source, read_sources
from chef.scenario import SCENARIOS, Scenario
from chef.scenario.vlmevalkit.table import registered_name, table

_HEAD = """\
# Scenarios

Written by `python tools/write_reference.py`; a test holds it.

**Keys** are those of `scenario_cfg` besides `dataset_name`, with their defaults; the ones in bold
are required. The docstring of each class explains them. **Metric** is the metric for
`metric_type: basic`, then those for other values. **Chance** is the score of random guessing, if it
is one number. **Files** are below the data root;
[your data](../guide/data.md#benchmarks-by-name) explains how to get them.

Every scenario also takes `circular: true`
([rotations](../guide/recipes.md#every-rotation-of-the-options)), `samples: K`
([several answers](../guide/recipes.md#several-answers-to-each-question)) and `method_cfg`,
which changes its images or texts ([methods](../background/methods.md)).

| scenario | description | wording pool | metric | chance | keys | files |
|---|---|---|---|---|---|---|
"""
_BENCHMARKS = """
## Benchmarks of VLMEvalKit

Each name goes in `dataset_name`; `chef list NAME` shows its keys, its file and its digest
([benchmarks by name](../background/vlmevalkit.md#benchmarks-by-name)).

| benchmarks | layout | wording pool | metric | recipe |
|---|---|---|---|---|
"""
_DEPENDS = "depends on its keys"


def page() -> str:
    """The whole page."""
    sources = read_sources()
    rows = [_row(name, SCENARIOS.get(name), sources.get(name)) for name in own_scenarios()]
    return _HEAD + "".join(rows) + benchmarks()


def benchmarks() -> str:
    """The section on VLMEvalKit's benchmarks: a row for each family."""
    names: dict[str, list[str]] = {}
    for name, one in table().benchmarks.items():
        names.setdefault(one.family, []).append(f"`{registered_name(name)}`")
    rows = []
    for name, family in table().families.items():
        judge = f"{family.metric} (a judge: {family.judge})" if family.judge else family.metric
        cells = [" ".join(names[name]), family.layout, family.wording, judge]
        rows.append(f"| {' | '.join(cells)} | `VLMEvalKit/{family.recipe}` |\n")
    joined = [
        f"\n`{name}` asks {', '.join(f'`{part}`' for part in parts)} in one run.\n"
        for name, parts in table().joined.items()
    ]
    return _BENCHMARKS + "".join([*rows, *joined])


def own_scenarios() -> list[str]:
    """The scenarios of the package, without those of plugins."""
    return [name for name in SCENARIOS if SCENARIOS.get(name).__module__.startswith("chef.")]


def _row(name: str, kind: type[Scenario], source: Source | None) -> str:
    chance = kind.random_accuracy
    cells = [
        f"`{name}`",
        _first_line(kind),
        getattr(kind, "wording", _DEPENDS),
        _metrics(kind),
        f"{100 * chance:.1f} %" if isinstance(chance, float) else "",
        ", ".join([*_keys(kind), *_compat(name)]),
        _files(source.needs) if source else "",
    ]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _files(names: Sequence[str]) -> str:
    shown = [f"`{name}`" for name in names[:4]]
    return "<br>".join([*shown, f"and {len(names) - 4} more"] if len(names) > 4 else shown)


def _first_line(kind: type[Scenario]) -> str:
    return (inspect.getdoc(kind) or "").partition("\n")[0].replace("``", "`")


def _metrics(kind: type[Scenario]) -> str:
    basic = getattr(kind, "metric", _DEPENDS)
    others = [f"{name}: {metric}" for name, metric in sorted(kind.protocols.items())]
    return "; ".join([basic, *others])


def _keys(kind: type[Scenario]) -> list[str]:
    keys = []
    for key in keys_of(kind.__init__):
        needed = key.default is REQUIRED
        keys.append(f"**`{key.name}`**" if needed else f"`{key.name}: {_written(key.default)}`")
    return keys


def _compat(name: str) -> list[str]:
    """The key that chooses between two classes of a scenario."""
    return ["`compat: corrected`"] if SCENARIOS.compats(name) else []


def _written(default: object) -> str:
    """A default, written as YAML."""
    if default is None:
        return "null"
    return str(default).lower() if isinstance(default, bool) else str(default) or "''"
