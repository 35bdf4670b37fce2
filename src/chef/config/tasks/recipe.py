"""A task of MMTrustEval as a recipe: the same keys at other places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

Key: TypeAlias = tuple[str, ...]

#: The keys of a task file: MMTrustEval's, and those that chef adds.
TASK_KEYS = (
    "dataset_id", "model_id", "log_file", "method_cfg", "dataset_cfg", "generation_kwargs",
    "evaluator_seq_cfgs",
)  # fmt: skip
CHEF_KEYS = ("compat", "plugins", "judge_cfg", "classifier_cfg")
#: The name of the scenario with MMTrustEval's data sets, and that of the metric.
SCENARIO, METRIC = "MMTrustEval", "Evaluators"
#: What replies are generated with where a task says nothing.
USUAL = {"max_new_tokens": 50, "do_sample": False}
#: Where the keys of a task stand in a recipe, by their beginning.
_PLACES: Mapping[Key, Key] = {
    ("dataset_id",): ("scenario_cfg", "dataset_id"),
    ("dataset_cfg",): ("scenario_cfg",),
    ("method_cfg",): ("scenario_cfg", "method_cfg"),
    ("generation_kwargs", "stop_sequences"): ("eval_cfg", "inferencer_cfg", "stop"),
    ("generation_kwargs",): ("eval_cfg", "inferencer_cfg"),
    ("evaluator_seq_cfgs",): ("eval_cfg", "metric_cfg", "evaluator_seq_cfgs"),
    ("judge_cfg",): ("eval_cfg", "judge_cfg"),
    ("classifier_cfg",): ("eval_cfg", "metric_cfg", "classifier_cfg"),
}

#: The same the other way round: how errors spell the keys of the recipe.
SPELLED: Mapping[Key, Key] = {place: key for key, place in _PLACES.items()}


def is_task(values: Mapping[str, Any]) -> bool:
    """Whether the content of a file is a task, not a recipe.

    >>> is_task({"dataset_id": "safebench"}), is_task({"scenario_cfg": {"dataset_id": "a"}})
    (True, False)
    """
    return "scenario_cfg" not in values and not {"dataset_id", "evaluator_seq_cfgs"}.isdisjoint(
        values
    )


def recipe_of(task: Mapping[str, Any], *, is_own: bool) -> dict[str, Any]:
    """The content of a checked task as that of a recipe; a data set of the user's is a scenario
    itself.
    """
    dataset = {} if is_own else {"dataset_id": task["dataset_id"]}
    scenario = {"dataset_name": task["dataset_id"] if is_own else SCENARIO, **dataset}
    classifier = {"classifier_cfg": task["classifier_cfg"]} if task.get("classifier_cfg") else {}
    evaluation: dict[str, Any] = {
        "inferencer_cfg": {"inferencer_type": "Direct", **decoding(task)},
        "metric_cfg": {
            "metric_type": METRIC,
            "evaluator_seq_cfgs": task.get("evaluator_seq_cfgs") or [],
            **classifier,
        },
    }
    if task.get("judge_cfg") is not None:
        evaluation["judge_cfg"] = task["judge_cfg"]
    methods = {"method_cfg": task["method_cfg"]} if task.get("method_cfg") else {}
    return {
        **{key: task[key] for key in ("compat", "plugins") if key in task},
        "scenario_cfg": {**scenario, **(task.get("dataset_cfg") or {}), **methods},
        "eval_cfg": evaluation,
    }


def decoding(task: Mapping[str, Any]) -> dict[str, Any]:
    """``generation_kwargs`` as the keys of an inferencer.

    >>> decoding({"generation_kwargs": {"do_sample": True}})
    {'max_new_tokens': 50, 'temperature': 1.0}
    """
    given = {**USUAL, **(task.get("generation_kwargs") or {})}
    found = {"max_new_tokens": given["max_new_tokens"]}
    found["temperature"] = given.get("temperature", 1.0) if given["do_sample"] else 0.0
    if given["do_sample"] and "top_p" in given:
        found["top_p"] = given["top_p"]
    if given.get("stop_sequences") is not None:
        stop = given["stop_sequences"]
        found["stop"] = [stop] if isinstance(stop, str) else stop
    return found


def placed(key: Key) -> Key:
    """Where a key of a task stands in the recipe.

    >>> placed(("dataset_cfg", "force_prompt"))
    ('scenario_cfg', 'force_prompt')
    """
    for length in (2, 1):
        if (place := _PLACES.get(key[:length])) is not None and len(key) >= length:
            return (*place, *key[length:])
    return key
