"""The classes of a plugin file that are ingredients: each by its base, registered by its names.

It loads the bases of all kinds, so `chef.config.plugins` imports it where there is a plugin.
"""

from __future__ import annotations

import ast
import inspect
from abc import ABC
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from chef.common.refused import RefusedClass
from chef.config.code_digest import parsed, source_digest
from chef.config.installed import REGISTRIES
from chef.errors import ConfigError, similar
from chef.guard.files import read_bytes
from chef.inferencer import Inferencer
from chef.instruction import Instruction
from chef.instruction.pools import pool_names
from chef.instruction.retriever import Retriever
from chef.method import BaseMethod, Method
from chef.metric import METRICS, Metric
from chef.metric.hooks import metric_of
from chef.metric.judge_kind import JudgeKind
from chef.metric.mmtrusteval.base import BaseEvaluator, check_class
from chef.metric.mmtrusteval.metrics import METRICS as TRUST_METRICS
from chef.models import Model
from chef.models.hooks.mmtrusteval import BaseChat, ids_of
from chef.registry import class_ids, is_plugin
from chef.scenario import SCENARIOS, Scenario
from chef.scenario.hooks.chef import is_dataset
from chef.scenario.hooks.chef import scenarios_of as items_of
from chef.scenario.hooks.mmtrusteval import BaseDataset
from chef.scenario.hooks.mmtrusteval import scenarios_of as trust_scenarios_of
from chef.scenario.hooks.packaged import packaged, refused_dataset
from chef.scenario.hooks.vlmevalkit.base import ImageBaseDataset
from chef.scenario.hooks.vlmevalkit.scenario import scenarios_of
from chef.scenario.mmtrusteval.table import datasets
from chef.scenario.vlmevalkit.table import PACKAGED

#: The methods that read answers and decide none.
_EVALUATES = frozenset({"evaluate"})


def register_dataset(kind: type[Any]) -> bool:
    """Register a class of data sets under its names; whether it is one.

    ConfigError: a name is in use.
    """
    if issubclass(kind, BaseDataset):
        return register_trust_dataset(kind)
    if is_dataset(kind) and not issubclass(kind, Scenario):
        return _register_items(kind)
    if not issubclass(kind, ImageBaseDataset):
        return False
    for name, scenario in scenarios_of(kind).items():
        if not _is_inherited(name, kind):
            SCENARIOS.register(name, scenario)
    if (metric := metric_of(kind)) is not None:
        METRICS.register(*metric)
    return True


def register_packaged(dataset: str) -> None:
    """Register VLMEvalKit's data set ``vlmeval:NAME``; plugins of the recipe have the name first.

    ConfigError: there is no such data set. DependencyError: the package is not installed.
    """
    name = dataset.removeprefix(PACKAGED)
    if SCENARIOS.is_in_scope(name):
        SCENARIOS.register(dataset, SCENARIOS.get(name))
        return
    kind = packaged(name)
    SCENARIOS.register(dataset, scenarios_of(kind)[name])
    if (metric := metric_of(kind)) is not None:
        METRICS.register(*metric)


def _register_items(kind: type[Any]) -> bool:
    """Register a class written for ChEF; its metric is that of chef's data set of that name."""
    known = SCENARIOS.get(kind.dataset_name) if kind.dataset_name in SCENARIOS else None
    metric = getattr(known, "metric", "") or "Accuracy"
    pools = pool_names()
    made = items_of(
        kind, metric, getattr(known, "protocols", {}), has_wordings=kind.task_name in pools
    )
    for name, scenario in made.items():
        SCENARIOS.register(name, scenario)
    return True


def register_trust_dataset(kind: type[BaseDataset]) -> bool:
    """Register a class of MMTrustEval's form under its ids; whether it has any.

    ConfigError: one is in use.
    """
    if not vars(kind).get("dataset_ids"):
        return False
    for name, scenario in trust_scenarios_of(kind).items():
        if name in datasets() and not is_plugin(kind):
            raise ConfigError(
                f"data set '{name}' of {kind.__name__} is one of chef's already",
                hint="choose another id in dataset_ids",
            )
        SCENARIOS.register(name, scenario)
    return True


def _is_inherited(name: str, kind: type[Any]) -> bool:
    """Whether a name of a class is one of the class that it extends, and stands for that one."""
    if name not in SCENARIOS:
        return False
    owner = getattr(SCENARIOS.get(name), "dataset_class", None)
    return owner is not None and issubclass(kind, owner)


def evaluation_methods(node: ast.ClassDef, module: ModuleType) -> list[ast.FunctionDef]:
    """The methods of a class of data sets that only read answers; none of another class."""
    kind = getattr(module, node.name, None)
    if not isinstance(kind, type) or not issubclass(kind, ImageBaseDataset):
        return []
    return [
        item for item in node.body if isinstance(item, ast.FunctionDef) and item.name in _EVALUATES
    ]


#: What the ingredients of each of `REGISTRIES` are subclasses of.
_BASES: tuple[type[Any], ...] = (
    Scenario,
    Inferencer,
    Metric,
    Model,
    Retriever,
    Instruction,
    JudgeKind,
    BaseEvaluator,
    Method,
    BaseChat,
)
#: Ingredients that read answers and decide none.
_READERS = (Metric, JudgeKind, BaseEvaluator)


def register(module: ModuleType, where: str) -> tuple[dict[str, type[Any]], dict[str, ConfigError]]:
    """Register the ingredients of a module; return what each one is, by name, and the errors of
    those that lack a method, which are not registered.
    """
    parts: dict[str, type[Any]] = {}
    unfinished: dict[str, ConfigError] = {}
    own = {name: value for name, value in vars(module).items() if is_own(value, module)}
    for name, kind in own.items():
        if isinstance(kind, RefusedClass):
            SCENARIOS.register(name, refused_dataset(kind))
            parts[kind.__name__] = Scenario
            continue
        if register_dataset(kind):
            parts[kind.__name__] = Scenario
        for base, registry in zip(_BASES, REGISTRIES, strict=True):
            if not issubclass(kind, base):
                continue
            missing = _missing(kind)
            if missing and _is_base(kind, own.values()):
                continue
            parts[kind.__name__] = base
            if missing:
                unfinished[name] = _incomplete(kind, base, missing, where)
                continue
            for known_as in _names(name, kind, where):
                registry.register(known_as, kind)
    functions = [item for item in TRUST_METRICS.values() if _is_of(item.compute, module)]
    parts |= dict.fromkeys((item.compute.__name__ for item in functions), BaseEvaluator)
    return parts, unfinished


def _is_of(function: Any, module: ModuleType) -> bool:
    return getattr(function, "__module__", None) == module.__name__


def _names(name: str, kind: type[Any], where: str) -> Sequence[str]:
    """The names of an ingredient: that of its class, or the ids of one of MMTrustEval's kind."""
    try:
        if issubclass(kind, BaseMethod):
            return class_ids(kind, "method_ids", "my-method")
        if issubclass(kind, BaseChat):
            return ids_of(kind)
        if issubclass(kind, BaseEvaluator):
            check_class(kind)
            return kind.evaluator_ids
    except ConfigError as error:
        raise ConfigError(error.what, where=where, hint=error.hint) from None
    # A class written for ChEF, such as one that extends a scenario of chef's.
    short = name.removesuffix("Dataset").rstrip("_") if issubclass(kind, Scenario) else name
    return tuple(dict.fromkeys((short or name, name)))


def _missing(kind: type[Any]) -> Sequence[str]:
    """The methods that a class has to have and lacks; of a model one of them is enough."""
    if issubclass(kind, Model) and not _answers(kind):
        return "generate_one", "score_one"
    return sorted(kind.__abstractmethods__) if inspect.isabstract(kind) else ()


def _is_base(kind: type[Any], own: Iterable[type[Any]]) -> bool:
    """Whether an abstract class is meant to be one: it says so, or others of the file use it."""
    declares = any(getattr(value, "__isabstractmethod__", False) for value in vars(kind).values())
    return declares or ABC in kind.__bases__ or any(kind in other.__mro__[1:] for other in own)


def _arguments(method: Callable[..., Any]) -> str:
    """The arguments of a method without their types, as a newcomer would write them."""
    names = inspect.signature(method).parameters
    return f"({', '.join(names)})"


def _answers(kind: type[Model]) -> bool:
    """Whether a class of a model has any of the methods that answer."""
    names = ("generate", "score", "generate_one", "score_one", "do_generate", "do_ppl")
    own = any(getattr(kind, name) is not getattr(Model, name) for name in names)
    return own or hasattr(kind, "batch_generate") or hasattr(kind, "ppl_inference")


def _incomplete(
    kind: type[Any], base: type[Any], missing: Sequence[str], where: str
) -> ConfigError:
    """The error for a class that lacks methods; misspelt ones are recognised."""
    lines = [f"def {method}{_arguments(getattr(kind, method))}" for method in missing]
    own = [item for item, value in vars(kind).items() if inspect.isfunction(value)]
    near = [
        f"is '{given}' meant to be '{method}'?"
        for method in missing
        if (given := similar(method, own))
    ]
    file = inspect.getsourcefile(kind) or kind.__module__
    return ConfigError(
        f"the {base.__name__.lower()} {kind.__name__} of {Path(file).name} lacks "
        f"{', '.join(missing)}",
        where=where,
        hint=" ".join([*near, f"add: {'; '.join(lines)}"]),
    )


def digest_of_file(
    path: Path, module: ModuleType, bases: dict[str, type[Any]], shown: str
) -> dict[str, str]:
    """The digest of a file under its name; nothing where it decides no answer."""
    if all(base in _READERS for base in bases.values()):
        return {}
    readers = {name for name, base in bases.items() if base in _READERS}
    return {shown: _digest_without(path, readers, module)}


def _digest_without(path: Path, classes: Collection[str], module: ModuleType) -> str:
    """The digests of a file without some classes, and without methods of data sets that only
    evaluate.
    """
    source = read_bytes(path)
    nodes = tuple(
        node
        for item in parsed(source).body
        if isinstance(item, ast.ClassDef)
        for node in ([item] if item.name in classes else evaluation_methods(item, module))
    )
    return source_digest(source, nodes)


def base_hint(module: ModuleType) -> str:
    """How the classes of a file without ingredients become some."""
    own = [name for name, value in vars(module).items() if is_own(value, module)]
    bases = "Scenario, Instruction, Inferencer, Retriever, Metric or Model"
    if not own:
        return f"subclass {bases} in it"
    if unnamed := next((name for name in own if issubclass(vars(module)[name], BaseDataset)), ""):
        return f'write dataset_ids = ["my-data"] into the class {unnamed}'
    return f"let {own[0]} be a subclass of one: class {own[0]}(chef.Model), or of {bases}"


def is_own(value: Any, module: ModuleType) -> bool:
    """Whether a value is a class that the module defines."""
    return inspect.isclass(value) and value.__module__ == module.__name__
