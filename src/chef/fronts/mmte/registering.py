"""One registry for users' classes of MMTrustEval's kind, and where the files are that they name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from chef.config.tasks import model_ids, model_of
from chef.errors import ConfigError, nearest, similar
from chef.fronts.mmte.parts import ChefDataset, ZooChat
from chef.method import METHODS, BaseMethod
from chef.metric.mmtrusteval import EVALUATORS
from chef.metric.mmtrusteval.base import BaseEvaluator
from chef.models.hooks.mmtrusteval import CHATS, BaseChat
from chef.registry import Registry, class_ids, is_plugin
from chef.scenario import SCENARIOS
from chef.scenario.download import download
from chef.scenario.hooks.mmtrusteval import BaseDataset, scenarios_of
from chef.scenario.mmtrusteval.table import datasets

if TYPE_CHECKING:
    from chef.fronts.mmte.task import BaseTask


Kind = TypeVar("Kind", bound=type[Any])


class DuplicateIdError(ConfigError, KeyError):
    """An id belongs to another class already."""


class ClassRegistry:
    """Classes of users by the ids that they name; each kind has a map of its own."""

    def __init__(self) -> None:
        self._tasks: dict[str, type[BaseTask]] = {}

    def register_chatmodel(self) -> Callable[[Kind], Kind]:
        """A decorator that registers a class under the ids of its ``model_family``."""
        return partial(_registered, BaseChat, "model_family", CHATS)

    def register_dataset(self) -> Callable[[Kind], Kind]:
        """The same for a `BaseDataset` and its ``dataset_ids``."""

        def register(kind: Kind) -> Kind:
            for name in _checked(kind, BaseDataset, "dataset_ids"):
                known = SCENARIOS.get(name) if name in SCENARIOS else None
                owner = getattr(known, "dataset_class", known)
                is_taken = name in datasets() and not is_plugin(kind)
                if is_taken or not _may_have(owner, kind):
                    raise DuplicateIdError(f"data set '{name}' is registered already", hint=_OTHER)
            for name, scenario in scenarios_of(kind).items():
                if is_plugin(kind):
                    SCENARIOS.register(name, scenario)
                else:
                    SCENARIOS.replace(name, scenario)
            return kind

        return register

    def register_method(self) -> Callable[[Kind], Kind]:
        """The same for a `BaseMethod` and its ``method_ids``."""
        return partial(_registered, BaseMethod, "method_ids", METHODS)

    def register_evaluator(self) -> Callable[[Kind], Kind]:
        """The same for a `BaseEvaluator` and its ``evaluator_ids``."""
        return partial(_registered, BaseEvaluator, "evaluator_ids", EVALUATORS)

    def register_task(self) -> Callable[[Kind], Kind]:
        """The same for a `BaseTask` and its ``task_ids``."""
        from chef.fronts.mmte.task import BaseTask

        def register(kind: Kind) -> Kind:
            for name in _checked(kind, BaseTask, "task_ids"):
                if not _may_have(self._tasks.get(name), kind):
                    raise DuplicateIdError(f"task '{name}' is registered already", hint=_OTHER)
                self._tasks[name] = kind
            return kind

        return register

    def get_chatmodel_class(self, model_id: str) -> type[BaseChat]:
        """The class of the model with that id: a user's, or one for MMTrustEval's 38 ids."""
        if model_id in CHATS:
            return CHATS.get(model_id)
        if model_id in model_ids():
            return ZooChat
        model_of(model_id)  # one that was retired
        raise ConfigError(
            f"unknown model '{model_id}'", hint=nearest(model_id, self.list_chatmodels())
        )

    def get_dataset_class(self, dataset_id: str) -> type[BaseDataset]:
        """The class of the data set with that id, a user's or one of the 133."""
        if dataset_id in datasets():
            return ChefDataset
        known = SCENARIOS.get(dataset_id) if dataset_id in SCENARIOS else None
        found = getattr(known, "dataset_class", None)
        if isinstance(found, type) and issubclass(found, BaseDataset):
            return found
        near = similar(dataset_id, [*datasets(), *SCENARIOS])
        hint = f"did you mean '{near}'?" if near else "`chef list datasets` shows all"
        raise ConfigError(f"unknown data set '{dataset_id}'", hint=hint)

    def get_method_class(self, method_id: str) -> type[Any]:
        """The class of the method with that id; errors as above."""
        return METHODS.get(method_id)

    def get_evaluator_class(self, evaluator_id: str) -> type[BaseEvaluator]:
        """The class of the evaluator with that id; errors as above."""
        return EVALUATORS.get(evaluator_id)

    def get_task_class(self, task_id: str) -> type[BaseTask]:
        """The class of the task with that id; errors as above."""
        if task_id not in self._tasks:
            raise ConfigError(f"unknown task '{task_id}'", hint=nearest(task_id, self._tasks))
        return self._tasks[task_id]

    def list_chatmodels(self) -> list[str]:
        """The ids that `get_chatmodel_class` knows."""
        return list(dict.fromkeys([*CHATS, *model_ids()]))

    def list_datasets(self) -> list[str]:
        """The ids that `get_dataset_class` knows."""
        own = (getattr(SCENARIOS.get(name), "dataset_class", None) for name in SCENARIOS)
        kinds = [kind for kind in own if isinstance(kind, type) and issubclass(kind, BaseDataset)]
        return list(
            dict.fromkeys([*(item for kind in kinds for item in kind.dataset_ids), *datasets()])
        )

    def list_methods(self) -> list[str]:
        """The ids that `get_method_class` knows."""
        return list(METHODS)

    def list_evaluators(self) -> list[str]:
        """The ids that `get_evaluator_class` knows."""
        return list(EVALUATORS)

    def list_tasks(self) -> list[str]:
        """The ids that `get_task_class` knows."""
        return list(self._tasks)


registry = ClassRegistry()
_OTHER = "choose another id"


def _registered(base: type[Any], attribute: str, table: Registry[Any], kind: Kind) -> Kind:
    for name in _checked(kind, base, attribute):
        if not _may_have(table.get(name) if name in table else None, kind):
            raise DuplicateIdError(f"{table.kind} '{name}' is registered already", hint=_OTHER)
        if is_plugin(kind):
            table.register(name, kind)
        else:
            table.replace(name, kind)
    return kind


def _may_have(owner: Any, kind: type[Any]) -> bool:
    """Whether a class may have an id: no other has it, except one that was edited in a notebook."""
    if owner is None or owner is kind:
        return True
    if is_plugin(kind) and owner.__module__.startswith("chef."):
        return True  # in the recipes that name the plugin
    return kind.__module__ == "__main__" and _place(owner) == _place(kind)


def _place(kind: type[Any]) -> tuple[str, str]:
    return kind.__module__, kind.__qualname__


def _checked(kind: type[Any], base: type[Any], attribute: str) -> Any:
    """The ids of a class that is to be registered."""
    if not (isinstance(kind, type) and issubclass(kind, base)):
        raise ConfigError(
            f"{getattr(kind, '__name__', kind)} is no {base.__name__}",
            hint=f"derive the class from {base.__name__}",
        )
    return class_ids(kind, attribute, "my-id")


def get_abs_path(rel: str) -> str:
    """The absolute path of a file beside the calling file, or in the current folder."""
    frame = inspect.currentframe()
    caller = frame.f_back.f_globals.get("__file__") if frame and frame.f_back else None
    beside = Path(caller).resolve().parent / rel if caller else None
    return str(beside if beside is not None and beside.exists() else Path(rel).absolute())


def download_image(url: str, path: str) -> str:
    """Download an image to a path, which appears when it is complete; returns the path."""
    download(url, Path(path))
    return path


def __getattr__(name: str) -> str:
    """``lib_path``: the folder that paths of data begin in, which is the current one."""
    if name != "lib_path":
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return str(Path.cwd())
