"""MMTrustEval's tasks: those that come with chef, model ids, and a task as a recipe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgspec

from chef.errors import ConfigError, similar
from chef.scenario.mmtrusteval.table import UNRELATED

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


#: What the evaluators of a task need besides the tested model.
Needs: TypeAlias = Literal["", "judge", "classifier", "services"]


class ShippedTask(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A task file of chef's.

    Attributes:
        task: the numbers of MultiTrust's tasks that it makes: ``T1``, or ``S4 S5 S6``.
        needs: what its evaluators need besides the tested model.
    """

    task: str
    datasets: tuple[str, ...]
    needs: Needs = ""

    def runs(self) -> Iterator[tuple[str, list[str]]]:
        """Every data set that it is run on, with its kind of question, and the overrides for it."""
        for item in self.datasets:
            stem, plus, _ = item.partition("+3")
            if plus:
                names = (f"{stem}-unrelated-image-{kind}" for kind in UNRELATED)
                yield from ((name, [f"dataset_id={name}"]) for name in names)
            elif ":" in item:
                name, _, kind = item.partition(":")
                keys = [f"dataset_id={name}", f"dataset_cfg.data_type_id={kind}"]
                yield f"{name}-{kind}", keys
            else:
                yield item, [f"dataset_id={item}"]


@cache
def shipped_tasks() -> Mapping[str, ShippedTask]:
    """The task files by name (``privacy/p3-infoflow``), in the order of the benchmark."""
    from yaml import safe_load

    text = Path(__file__).with_name("tasks.yaml").read_text(encoding="utf-8")
    return msgspec.convert(safe_load(text), dict[str, ShippedTask])


@cache
def _table() -> Mapping[str, Any]:
    from yaml import safe_load

    text = Path(__file__).with_name("models.yaml").read_text(encoding="utf-8")
    return dict(safe_load(text))


def model_ids() -> list[str]:
    """The 38 ids of MMTrustEval."""
    return [*_table()["models"], *_table()["packaged"]]


def model_of(model_id: str, where: str | None = None) -> dict[str, Any] | None:
    """The content of a model file for one of MMTrustEval's ids; None for another name.

    Args:
        model_id: the id.
        where: the place of the key, for errors.

    Raises:
        ConfigError: a model that was retired.

    >>> model_of("gpt-4o")["model"], model_of("tiny")
    ('gpt-4o', None)
    """
    table = _table()
    if model_id in table["packaged"]:
        return {"model_name": "MMTrustEval", "model_id": model_id}
    if model_id in table["retired"]:
        near = similar(model_id, model_ids())
        meant = f"did you mean '{near}'? Otherwise " if near else ""
        raise ConfigError(
            f"MMTrustEval has no model '{model_id}' any more",
            where=where,
            hint=f"{meant}name a model file, such as tiny, or one of its ids: `chef list tasks`",
        )
    content = table["models"].get(model_id)
    if content is None:
        return None
    key = {"model": model_id} if content["model_name"] == "OpenAI" else {}
    return {**content, "name": model_id, **key}
