"""The page docs/reference/metrics.md: a section on each metric with its figures and keys.

The text comes from the docstrings and constructors of the classes, as that of `chef list` does.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from chef.cli.description import keys_in_files, notes, type_name
from chef.common.keys import REQUIRED
from chef.metric import METRICS, Metric
from chef.scenario import SCENARIOS

ROOT = Path(__file__).parents[2]
_HEAD = """\
# Metrics

Written by `python tools/write_reference.py`; a test holds it. `chef list NAME` shows the
same in the terminal.

## How to read a table

| column | meaning |
|---|---|
| value | the figure, in its unit: `%`, 0 to 1, or as its section says; `-` where it is undefined |
| 95% interval | what the value is compatible with; empty where it is not known, see below |
| n | samples, questions or boxes that the figure is based on |
| clusters | samples that share an image, a question or a group, where fewer than n; or said below |
| chance | what random guessing scores, where it is known; beside the figures it belongs to |
| coverage | samples scored, in % of those that the run should have |

`results.json` has the same numbers unrounded, with `unit`, `method`, the
standard error and the effective number of answers
([the run folder](run_folder.md#resultsjson)).

- **Intervals** (95 %) are of what samples like these would give, not of this benchmark alone.
  Samples that share an image, a question or a group, directly or through others, are one cluster,
  and only clusters are taken as independent; a figure of a single cluster has no interval. The
  variance is that of what each cluster does to the figure (Bell and McCaffrey 2002). Shares, and
  figures between two ends, have Wilson's interval at the number of answers that would tell as much,
  with Student's quantile; F1 that of TP / (TP + FP + FN) on its scale; counts and scores without an
  upper end have one on the logarithmic scale. A figure that is perfect, or constant, has an
  interval, too. [How often they hold the truth](#coverage-of-intervals).
- **Differences that show.** The sentence under a table names the smallest true difference that a
  comparison with another run finds with a power of 80 %, if the two differ on 30 % of the answers;
  answers count as many as are effective. `--dry-run` says it before the run.
- **Undefined.** A figure that would divide by zero, or has nothing to average, has no value.
- **Unparsed.** An answer that cannot be read counts as not correct; `match_ratio` says how many
  were read.
- **Errors.** A sample that failed is never scored. It lowers the coverage, not the figures.
- **Judges.** Where a judge had a part in the figures, its name and the beginning of its fingerprint
  stand beside them, and under the table how many answers it judged ([below](#judged-figures)).
- **Truncated and refused** answers are scored like any other, and counted.
- **Options and text.** Unless its section says otherwise, a metric scores options that were chosen
  by likelihood (`PPL`) and written text ([how it is read](../background/reading.md)).
- **Rules of others**: `compat: upstream` ([ChEF's](../background/compat.md#chefs-own-numbers)) and
  `compat: vlmevalkit` ([VLMEvalKit's](../background/compat.md#vlmevalkits-own-numbers)).

## Judged figures

A metric that a [judge](../guide/judges.md) (a model) reads answers for says so in its section.
What it is asked is the kind of its judgements: which `option` an answer means, `equivalence` with
the reference, a `grade` from 0 to 1, a `rating` from 1 to 10, or a `preference` between two
answers.

- **When.** With `when: unread` the judge is asked about answers that the metric's rule cannot
  read, with `when: always` about all. An option that was chosen by likelihood is never judged.
- **Unjudged.** An answer that a judge was to read and that has no judgement (the request failed,
  the reply cannot be read, nobody was asked) is not scored, by a rule either. It lowers the
  coverage.
- **Several judges.** Judges without a reading of an answer are left out. Of options and of true
  or false, the reading of more than half of the others counts; without such a majority the
  answer is unjudged ("the judges disagree"). Of grades and ratings the mean counts. A preference
  without a majority is a tie.
- **Groups.** Of questions whose options are rotated, the rotations are judged until one is
  wrong. The others are `skipped`: they count as wrong in the figure on whole groups and in no
  other one.
- **Agreement** between each pair of judges, and of each judge with the rule: Cohen's kappa; of
  grades and ratings, which are numbers, Krippendorff's interval alpha. Over all judges:
  Krippendorff's alpha, nominal or interval. 1 is perfect, 0 is what chance gives. The intervals
  take questions and images as whole clusters; answers that only one of the two has read are left
  out; a coefficient is undefined if there are fewer than two answers, or all readings are equal.

## Choose a metric

`metric_cfg: {metric_type: NAME}` in a recipe, or `chef score RUN_DIR --metric NAME` afterwards.
Without it, a recipe takes the metric of its scenario.

| metric | what it measures | main figure | scenarios |
|---|---|---|---|
"""


def page() -> str:
    """The whole page."""
    names = own_metrics()
    rows = [_row(name) for name in names]
    return _HEAD + "".join(rows) + "".join(map(_section, names)) + _coverage()


def _coverage() -> str:
    """What `benchmarks/coverage.py` has measured."""
    return "\n" + (ROOT / "benchmarks" / "coverage.md").read_text(encoding="utf-8")


def own_metrics() -> list[str]:
    """The metrics of the package, without those of plugins."""
    return sorted(name for name in METRICS if METRICS.get(name).__module__.startswith("chef."))


def _row(name: str) -> str:
    kind = METRICS.get(name)
    first = _plain((inspect.getdoc(kind) or "").partition("\n\n")[0])
    main = f"`{kind.primary}`" if kind.primary else "the first one"
    cells = [f"[`{name}`](#{name.lower()})", first, main, ", ".join(_users(name))]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _users(metric: str) -> list[str]:
    """The scenarios whose metric it is, or one of whose protocols names it."""
    found = []
    for name in SCENARIOS:
        kind = SCENARIOS.get(name)
        basic = getattr(kind, "metric", "")
        if metric == basic:
            found.append(f"`{name}`")
        elif metric in kind.protocols.values():
            protocol = next(key for key, value in kind.protocols.items() if value == metric)
            found.append(f"`{name}` ({protocol})")
    return found


def _section(name: str) -> str:
    kind = METRICS.get(name)
    parts = [f"\n## {name}\n", *_prose(kind), *_explained(kind)]
    if keys := list(_keys(name, kind)):
        parts += ["\nKeys of `metric_cfg`:\n\n", *keys]
    return "".join(parts)


def _prose(kind: type[Metric]) -> Iterator[str]:
    """The docstring up to its arguments; a list of figures becomes bullets."""
    text = re.split(r"\n\n(?:Args|Attributes|Raises|Returns):", inspect.getdoc(kind) or "")[0]
    for paragraph in text.split("\n\n"):
        head, *indented = re.split(r"\n(?=    )", paragraph)
        yield f"\n{_plain(head)}\n"
        if indented:
            items = " ".join(line.strip() for line in indented)
            yield "\n" + "".join(f"- {item}\n" for item in _items(_plain(items)))


def _explained(kind: type[Metric]) -> Iterator[str]:
    """What the functions say that the docstring refers to ("see `outcome`")."""
    module = sys.modules[kind.__module__]
    for name in re.findall(r"see `(\w+)`", inspect.getdoc(kind) or ""):
        text = re.split(r"\n\n>>>", inspect.getdoc(getattr(module, name)) or "")[0]
        text = re.sub(r"\n\nArgs:(?:\n    .*)+", "", text).replace("\nReturns:\n", "\n")
        yield f"\n`{name}`: {_plain(text)}\n"


def _items(text: str) -> list[str]:
    """Split at the sentences that begin with the name of a figure.

    >>> _items("`ACC`: right. `E_1` .. `E_4`, `R` (a count): in 0..1; so. Turns: `mAP`: none.")
    ['`ACC`: right.', '`E_1` .. `E_4`, `R` (a count): in 0..1; so.', 'Turns: `mAP`: none.']
    """
    name = r"`[^`]+`(?: \([^)]*\))?"
    return re.split(rf"(?<=[^.][.;]) (?=(?:[A-Z][a-z ]*: )?{name}(?:(?:,| \.\.) {name})*:)", text)


def _keys(name: str, kind: type[Metric]) -> Iterator[str]:
    explained = notes(kind)
    for key in keys_in_files(METRICS, name):
        default = "required" if key.default is REQUIRED else f"default `{_written(key.default)}`"
        note = _plain(explained.get(key.name) or "")
        yield f"- `{key.name}` ({type_name(key.annotation)}; {default}): {note}\n"


def _plain(text: str) -> str:
    """Docstring markup as Markdown, on one line."""
    return " ".join(text.replace("``", "`").split())


def _written(default: object) -> str:
    if default is None:
        return "null"
    return str(default).lower() if isinstance(default, bool) else str(default)
