"""The example that `chef list` shows of an ingredient: a recipe or a model file."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterable

from chef.common.keys import REQUIRED, Key, keys_of

#: The key that names each kind of ingredient, and where its section stands in a recipe.
PLACES: dict[str, tuple[str, str]] = {
    "scenario": ("dataset_name", "scenario_cfg"),
    "instruction": ("instruction_type", "eval_cfg.instruction_cfg"),
    "retriever": ("retriever_type", "eval_cfg.instruction_cfg.incontext_cfg"),
    "inferencer": ("inferencer_type", "eval_cfg.inferencer_cfg"),
    "metric": ("metric_type", "eval_cfg.metric_cfg"),
    "model": ("model_name", ""),
    "judge": ("kind", "eval_cfg.judge_cfg"),
    "evaluator": ("", "eval_cfg.metric_cfg.evaluator_seq_cfgs"),
    "method": ("", "scenario_cfg.method_cfg"),
    "chat": ("", "kwargs"),
}
#: The file that the example of a scenario reads, and its two lines.
_FILES = {
    "Records": ("my_benchmark.csv", "question,A,B,answer", "Which is a color?,red,seven,A"),
    "Tsv": (
        "my_benchmark.tsv",
        r"index\tquestion\tA\tB\tanswer",
        r"1\tWhich is a color?\tred\tseven\tA",
    ),
}
#: Keys that the example of a kind has besides the required ones.
_FURTHER = {"retriever": ["ice_num: 2"], "judge": ["model_cfg: tiny"]}
#: Recipes whose inferencer is one of these need no other key than its name.
_PLAIN = re.compile(r"inferencer_type:\s*(Direct|PPL)\b")


def example(kind: str, name: str, keys: list[Key]) -> list[str]:
    """The lines of a recipe, or of a model file, that uses the ingredient."""
    name_key, place = PLACES[kind]
    required = _required(keys)
    if (own := {"evaluator": _chain, "method": _method, "chat": _chat}.get(kind)) is not None:
        return own(name, required)
    if kind == "scenario" and name in _FILES:
        required = [f"path: {_FILES[name][0]}"]
    if not place:
        return [f"{name_key}: {name}", *required]
    required += _FURTHER.get(kind, [])
    scenario, inferencer = _setting(name) if kind == "metric" else ("Shapes", "PPL")
    if kind == "judge":  # what is judged is written
        inferencer = "Direct"
    lines = [] if kind == "scenario" else [_scenario_line(scenario)]
    indent = ""
    for part in place.split("."):
        lines.append(f"{indent}{part}:")
        indent += "  "
    lines += [f"{indent}{line}" for line in (f"{name_key}: {name}", *required)]
    if kind == "scenario":
        return [*lines, "eval_cfg:", *_scenario_example(name)]
    if kind != "inferencer":
        lines.append(f"  inferencer_cfg: {{inferencer_type: {inferencer}}}")
    if kind == "judge" and (metric := _metric_with(name)):
        lines.append(f"  metric_cfg: {{{metric}}}")
    return lines


def _chain(name: str, required: Iterable[str]) -> list[str]:
    """A recipe with a chain of one evaluator."""
    return [_scenario_line("Shapes"), "eval_cfg:", *_chain_lines(name, required)]


def _method(name: str, required: Iterable[str]) -> list[str]:
    """A recipe whose samples a method changes."""
    keys = ", ".join(required)
    return [
        "scenario_cfg:",
        "  dataset_name: Shapes",
        f"  method_cfg: {{{name}: {{{keys}}}}}",
        "eval_cfg:",
        "  inferencer_cfg: {inferencer_type: PPL}",
    ]


def _chat(name: str, required: Iterable[str]) -> list[str]:
    """A model file that names a user's chat model."""
    keys = ", ".join(required)
    given = [f"kwargs: {{{keys}}}"] if keys else []
    return ["plugins: [FILE.py]", "model_name: MMTrustEval", f"model_id: {name}", *given]


def _chain_lines(name: str, required: Iterable[str] = ()) -> list[str]:
    """The keys of ``eval_cfg`` that score free answers by a chain of one evaluator."""
    indent = " " * 10
    return [
        "  metric_cfg:",
        "    metric_type: Evaluators",
        "    evaluator_seq_cfgs:",
        f"      - {name}:",
        *(f"{indent}{line}" for line in required if not line.startswith("metrics_cfg")),
        f"{indent}metrics_cfg: {{pred_mean: }}",
        "  inferencer_cfg: {inferencer_type: Direct}",
    ]


def further(kind: str, name: str) -> list[str]:
    """What stands under the example."""
    if kind == "scenario" and name in _FILES:
        file, head, row = _FILES[name]
        return [
            "",
            "to try it, save the example as my_recipe.yaml, make a table of one row, and run it:",
            f"  printf '{head}\\n{row}\\n' > {file}",
            "  chef eval --model_cfg tiny --recipe_cfg my_recipe.yaml",
        ]
    if kind != "metric":
        return []
    other = "ExactMatch" if name == "Accuracy" else "Accuracy"
    both = f"  metric_cfg: [{{metric_type: {name}}}, {{metric_type: {other}}}]"
    return ["", "metric_cfg may also be a list; its metrics score the same answers:", both]


def _scenario_example(name: str) -> list[str]:
    """The keys of ``eval_cfg`` for a scenario."""
    from chef.scenario import SCENARIOS

    if getattr(SCENARIOS.get(name), "metric", None) == "Evaluators":
        return _chain_lines("rule_yes_or_no_eval")
    return ["  inferencer_cfg: {inferencer_type: PPL}"]


def _metric_with(kind: str) -> str | None:
    """The keys of a metric that uses judgements of a kind; None where the scenario's own does."""
    from chef.metric import METRICS

    if kind in METRICS.get("Accuracy").judge_kinds:
        return None
    for compat in ("corrected", "vlmevalkit"):
        for name in METRICS:
            rules = METRICS.compats(name)
            if (
                compat in ("corrected", *rules)
                and kind in METRICS.get(name, compat=compat).judge_kinds
            ):
                own = "" if compat == "corrected" else f", compat: {compat}"
                return f"metric_type: {name}{own}"
    return "metric_type: YOUR_METRIC"


def _required(keys: Iterable[Key]) -> list[str]:
    return [f"{key.name}: {_sample(key)}" for key in keys if key.default is REQUIRED]


def _scenario_line(name: str) -> str:
    from chef.scenario import SCENARIOS

    named = [f"dataset_name: {name}", *_required(keys_of(SCENARIOS.get(name).__init__))]
    return f"scenario_cfg: {{{', '.join(named)}}}"


def _setting(metric: str) -> tuple[str, str]:
    """A scenario with answers that the metric scores, and an inferencer that gets them."""
    from chef.config.shipped import shipped, shipped_names
    from chef.metric import METRICS
    from chef.scenario import SCENARIOS

    kind = METRICS.get(metric)
    if kind.needs_hold and kind.needs_options is not None:
        return ("Shapes", "PPL") if kind.needs_options else ("Tsv", "Direct")
    for name, owner in SCENARIOS.classes():
        if metric not in (getattr(owner, "metric", ""), *owner.protocols.values()):
            continue
        named = re.compile(rf"\bdataset_name:\s*{re.escape(name)}\s*[,}}#\n]")
        files = [shipped("recipes") / f"{recipe}.yaml" for recipe in shipped_names("recipes")]
        texts = (file.read_text(encoding="utf-8") for file in files)
        ways = {match[1] for text in texts if named.search(text) for match in _PLAIN.finditer(text)}
        if ways:
            return name, min(ways)  # Direct where there is such a recipe
    return "Shapes", "PPL"


def _sample(key: Key) -> str:
    """A value of the right type for a required key."""
    known = {
        "path": "my_benchmark.tsv",
        "base_data_path": "data",
        "dataset_id": "g-text-none",
        "model_path": "owner/name",
        "model_cfg": "tiny",
        "evaluator_seq_cfgs": "[{rule_yes_or_no_eval: {metrics_cfg: {pred_mean: }}}]",
    }
    inner = typing.get_args(key.annotation)
    if typing.get_origin(key.annotation) is typing.Literal:
        return str(inner[0])
    if key.name in known:
        return known[key.name]
    return {int: "1", float: "0.5", bool: "true", str: "text"}.get(key.annotation, "[]")
