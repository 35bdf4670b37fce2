"""The benchmarks of the table as scenarios: a class for each name, made when it is asked for."""

from __future__ import annotations

from functools import cache

from chef.scenario.base import class_of
from chef.scenario.vlmevalkit.scenario import NamedBenchmark
from chef.scenario.vlmevalkit.table import Entry, entry, table

#: What the kinds of questions are called.
KINDS = {
    "mcq": "multiple choice",
    "yesno": "yes or no",
    "vqa": "open questions",
    "caption": "captions",
    "turns": "conversations",
}


@cache
def benchmark_class(name: str) -> type[NamedBenchmark]:
    """The scenario of a benchmark of the table; KeyError if there is none of that name."""
    known = entry(name)
    return class_of(
        NamedBenchmark, __name__, known.name, doc=_described(known), entry=known, name=known.name,
        wording=known.family.wording, metric=known.family.metric,
    )  # fmt: skip


def _described(known: Entry) -> str:
    family, benchmark = known.family, known.benchmark
    facts = [
        f"Its layout is {family.layout}, its wordings are those of the pool {family.wording}",
        *(["its file has the rotations of each question"] if family.circular else []),
        *([f"its answers need a judge ({family.judge}): --judge_cfg"] if family.judge else []),
    ]
    digest = f"its md5 is {benchmark.md5}" if benchmark.md5 else "its digest is not known"
    where = f"from {benchmark.url}" if benchmark.url else "to be brought by hand"
    return (
        f"{KINDS[family.kind].capitalize()}, scored by {family.metric}; "
        f"recipe VLMEvalKit/{family.recipe}.\n\n"
        f"{'; '.join(facts)}.\n\n"
        f"The file {known.file_names[0]} in $LMUData or ~/LMUData, {where}; {digest}."
    )


def __getattr__(name: str) -> type[NamedBenchmark]:
    """The class of a name, so that it is found where a registry or a pickle says it is."""
    if name.startswith("__") or name not in table().benchmarks:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return benchmark_class(name)
