"""ChEF's builders: an ingredient by its type and the keys that a recipe gives it."""

from __future__ import annotations

from typing import Any

from chef.common.keys import make
from chef.config.metric import BASIC
from chef.errors import ConfigError
from chef.inferencer import INFERENCERS, Inferencer
from chef.instruction import INSTRUCTIONS, RETRIEVERS, Instruction
from chef.instruction.retriever import ExamplePool, Retriever
from chef.metric import METRICS, Metric
from chef.scenario import SCENARIOS
from chef.types import Compat

_OF_THE_ENGINE = ("batch_size", "dist_args")


def build_inferencer(inferencer_type: str, **kwargs: Any) -> Inferencer:
    """The inferencer of a type; ``batch_size`` and ``dist_args`` are the engine's, and not read."""
    handler = kwargs.pop("instruction_handler", None) or Instruction("")
    kind: Any = INFERENCERS.get(inferencer_type)
    keys = {key: item for key, item in kwargs.items() if key not in _OF_THE_ENGINE}
    return _made(kind, (handler,), keys)  # type: ignore[no-any-return]


def build_instructionhandler(  # noqa: PLR0917 (ChEF's order)
    task_name: str,
    dataset: Any,
    prompt_type: str = "singleturn",
    prompt_assigned_ids: int = 0,
    template_assigned_ids: int = 0,
    incontext_cfg: dict[str, Any] | None = None,
    **kwargs: Any,
) -> Instruction:
    """The instruction handler for a task, whose examples come from ``dataset`` (a scenario)."""
    given = dict(incontext_cfg or {})
    retriever = build_retriever(dataset, dataset, **given) if given else None
    kind: Any = INSTRUCTIONS.get("InstructionHandler")
    system = getattr(dataset, "system_message", "") or ""
    keys = {
        "prompt_type": prompt_type,
        "prompt_assigned_ids": prompt_assigned_ids,
        "template_assigned_ids": template_assigned_ids,
        **kwargs,
    }
    return _made(kind, (task_name, system, retriever, None), keys)  # type: ignore[no-any-return]


def build_retriever(
    train_dataset: Any, test_dataset: Any, retriever_type: str, **kwargs: Any
) -> Retriever:
    """The retriever of a type; a sample of ``test_dataset`` is never its own example."""
    kind: Any = RETRIEVERS.get(retriever_type)
    retriever: Retriever = _made(kind, (), kwargs)
    retriever.prepare(ExamplePool(train_dataset, is_split=train_dataset is not test_dataset))
    return retriever


def build_metric(
    metric_type: str, dataset_name: str, compat: Compat = "corrected", **kwargs: Any
) -> Metric:
    """The metric of a type (or ``basic``, or a protocol of the data set) for a data set."""
    known = SCENARIOS.get(dataset_name) if dataset_name in SCENARIOS else None
    protocols = {} if known is None else {BASIC: known.metric, **known.protocols}
    kind: Any = METRICS.get(protocols.get(metric_type, metric_type), compat=compat)
    return _made(kind, (dataset_name,), kwargs)  # type: ignore[no-any-return]


def build_prompt(prompt_type: str = "singleturn", **kwargs: Any) -> str | tuple[str, str]:
    """The wording (or pair) by ``task_name``, ``assigned_ids`` and ``defined_prompt``."""
    return _wording("prompts", kwargs.pop("defined_prompt", None), prompt_type, **kwargs)


def build_template(
    task_name: str,
    assigned_ids: int = 0,
    defined_template: str | None = None,
    prompt_type: str = "singleturn",
    **kwargs: Any,
) -> str | tuple[str, str]:
    """The wording of an answer; as `build_prompt`."""
    del kwargs
    return _wording("templates", defined_template, prompt_type, task_name, assigned_ids)


def _wording(
    what: str,
    defined: str | None,
    prompt_type: str,
    task_name: str = "",
    assigned_ids: int = 0,
) -> str | tuple[str, str]:
    if defined is not None:
        return defined
    keys = {"prompt_type": prompt_type, f"{what[:-1]}_assigned_ids": assigned_ids}
    handler = _made(INSTRUCTIONS.get("InstructionHandler"), (task_name,), keys)
    texts: tuple[str, ...] = getattr(handler, what)
    return texts[0] if len(texts) == 1 else (texts[0], texts[1])


def _made(kind: Any, first: tuple[Any, ...], keys: dict[str, Any]) -> Any:
    try:
        return make(kind, first, keys)
    except TypeError as error:
        raise ConfigError(f"{kind.__name__} cannot be made: {error}") from error
