"""Data sets of an installed VLMEvalKit by name (``dataset_name: vlmeval:NAME``).

Any of its classes is asked by its own ``build_prompt`` and scored by its own ``evaluate``, in
chef's engine and journal. The package is on ``PYTHONPATH``, installed or as a checkout.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, NoReturn

from chef.common.refused import RefusedClass
from chef.common.user_code import contained
from chef.errors import ConfigError, DependencyError, nearest
from chef.scenario.base import Scenario, class_of
from chef.scenario.hooks.vlmevalkit.base import ImageBaseDataset
from chef.scenario.hooks.vlmevalkit.prompts import running
from chef.scenario.vlmevalkit.table import VARIABLE, is_checked, root_folder
from chef.types import Sample

_PACKAGE, _DATASETS = "vlmeval", "vlmeval.dataset"
_WHERE = "scenario_cfg.dataset_name"


class PackagedDataset(ImageBaseDataset):
    """A data set of the package; the object of its class, ``installed``, loads and downloads."""

    installed_class: ClassVar[type[Any]]

    def __init__(self, dataset: str = "", **kwargs: Any) -> None:
        name = dataset or self.supported_datasets()[0]
        kind = self.installed_class
        if not is_checked():  # no digest is stated, so none is compared
            kind = type(kind.__name__, (kind,), {"DATASET_MD5": {}, "__module__": kind.__module__})
        with _root_in_environment(), contained(f"{kind.__name__}.__init__"):
            self.installed = kind(dataset=name, **kwargs)
        super().__init__(name, skip_noimg=False)

    def load_data(self, dataset: str) -> Any:
        del dataset
        return self.installed.data

    def dump_image(self, line: Any) -> list[str]:
        paths = self.installed.dump_image(line)
        return [paths] if isinstance(paths, str) else list(paths)

    def build_prompt(self, line: Any) -> Any:
        return self.installed.build_prompt(line)

    @classmethod
    def evaluate(cls, eval_file: str, **judge_kwargs: Any) -> Any:
        """What the package's class makes of the answers, with judges of the package."""
        running()
        with contained(f"{cls.installed_class.__name__}.evaluate"):
            return cls.installed_class.evaluate(eval_file, **judge_kwargs)


@contextmanager
def _root_in_environment() -> Iterator[None]:
    """Let the package, which reads ``$LMUData`` itself, find the data root of the recipe."""
    before = os.environ.get(VARIABLE)
    if (root := root_folder()).is_dir():
        os.environ[VARIABLE] = str(root)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(VARIABLE, None)
        else:
            os.environ[VARIABLE] = before


@cache
def packaged(name: str) -> type[PackagedDataset]:
    """The class that stands for a data set of the package (named without `PACKAGED`).

    DependencyError where the package cannot be imported, ConfigError where it has no such data set,
    or one of videos.
    """
    kinds = _classes()
    if name not in kinds:
        raise ConfigError(
            f"VLMEvalKit has no data set '{name}'", where=_WHERE, hint=nearest(name, kinds)
        )
    kind = kinds[name]
    if getattr(kind, "MODALITY", "IMAGE") == "VIDEO":
        raise ConfigError(
            f"'{name}' is a data set of videos, and chef asks no video",
            where=_WHERE,
            hint="make a table of frames, with a list of images in each row, and ask that",
        )
    body = {
        "__doc__": kind.__doc__ or f"The data set {name} of VLMEvalKit.",
        "__module__": __name__,
        "TYPE": getattr(kind, "TYPE", "") or "",
        "MODALITY": getattr(kind, "MODALITY", "IMAGE"),
        "installed_class": kind,
        "supported_datasets": classmethod(lambda _: [name]),
    }
    return type(f"vlmeval_{kind.__name__}", (PackagedDataset,), body)


def _classes() -> dict[str, type[Any]]:
    """The classes of the package by their data sets; DependencyError without the package."""
    try:
        spec = importlib.util.find_spec(_PACKAGE)
    except ValueError:  # a module without a spec
        spec = None
    if spec is None or spec.origin is None:  # without a file there are chef's own names alone
        raise DependencyError(
            "the package vlmeval (VLMEvalKit) is not installed",
            where=_WHERE,
            hint="pip install git+https://github.com/open-compass/VLMEvalKit.git, or put a "
            "checkout on PYTHONPATH; for its files alone no package is needed: "
            "plugins: [FILE.py], or the folder of the files",
        )
    try:
        with contained(f"import {_DATASETS}"):
            module = import_module(_DATASETS)
    except Exception as error:
        raise DependencyError(
            f"{_DATASETS} cannot be imported: {type(error).__name__}: {error}",
            where=_WHERE,
            hint=f"look at what this prints: python -c 'import {_DATASETS}'",
        ) from error
    kinds: dict[str, type[Any]] = {}
    for kind in vars(module).values():
        names = getattr(kind, "supported_datasets", None)
        if isinstance(kind, type) and callable(names):
            for name in _names_of(kind):
                # The class that names it last in the line of descent is the one that is meant.
                if name not in kinds or issubclass(kind, kinds[name]):
                    kinds[name] = kind
    return kinds


def _names_of(kind: type[Any]) -> list[str]:
    try:
        return [str(name) for name in kind.supported_datasets()]
    except Exception:  # a class that is no data set by itself
        return []


class RefusedDataset(Scenario):
    """A data set that cannot be asked: to make an object is a ConfigError that says why."""

    has_wordings = False
    metric = "Accuracy"
    takes_further_keys: ClassVar[bool] = True
    dataset_class: ClassVar[RefusedClass]

    def __init__(self, **_: Any) -> None:
        self._refuse()

    def __len__(self) -> int:
        return 0

    def __getitem__(self, index: int) -> Sample:
        self._refuse()

    def sample_id(self, index: int) -> str:
        return str(index)

    def _refuse(self) -> NoReturn:
        raise ConfigError(self.dataset_class.reason, hint=self.dataset_class.hint)


def refused_dataset(kind: RefusedClass) -> type[RefusedDataset]:
    """The scenario of a class that extends one which chef does not have."""
    name, doc = kind.__name__, f"{kind.reason}."
    return class_of(
        RefusedDataset, kind.__module__, f"{name}Scenario", doc=doc, dataset_class=kind, name=name
    )
