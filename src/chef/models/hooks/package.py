"""Models of other projects' packages: imported, and made, when they are first needed."""

from __future__ import annotations

import ast
import importlib.util
from abc import abstractmethod
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from chef.common.digest import digest, file_digest
from chef.common.redaction import redact_data
from chef.common.user_code import contained
from chef.errors import ConfigError, DependencyError, RunError, nearest
from chef.guard.files import read_bytes
from chef.models.base import Model
from chef.types import Generate, Generated, Request, Score, Scored


def package_file(package: str) -> Path | None:
    """The file of an installed package; None without one: chef's own names have none."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):  # no package above it, or a module without a spec
        return None
    return None if spec is None or spec.origin is None else Path(spec.origin)


def of_package(module: str, name: str, model_name: str) -> Any:
    """What a module of a package calls so; a DependencyError if it cannot be imported."""
    try:
        with contained(f"import {module}"):
            return getattr(import_module(module), name)
    except Exception as error:
        raise DependencyError(
            f"{name} cannot be imported from {module}: {type(error).__name__}: {error}",
            where=f"model_name: {model_name}",
            hint=f"look at what this prints: python -c 'from {module} import {name}'",
        ) from error


class PackageModel(Model):
    """A model whose object another project's class makes, before the first question."""

    _made: Any = None

    @abstractmethod
    def make(self) -> Any:
        """The object of the other class."""

    @abstractmethod
    def where_made(self) -> tuple[str, str]:
        """What the model is called in messages, and by what it is made."""

    @property
    def made(self) -> Any:
        """The object; a RunError if it cannot be made."""
        if self._made is None:
            who, by = self.where_made()
            try:
                with contained(who):
                    self._made = self.make()
            except Exception as error:
                raise RunError(
                    f"{who} cannot be made: {type(error).__name__}: {error}",
                    hint=f"make it in Python{by}, and correct what is wrong there",
                ) from error
        return self._made

    def prepare(self) -> None:
        """Make the model."""
        super().prepare()
        _ = self.made

    def close(self) -> None:
        """Drop the model; it is made anew when it is needed again."""
        self._made = None
        super().close()


_MODELS = "ChEF.models"


class PackagedModel(PackageModel):
    """A model class of ChEF's own, from ``ChEF/models`` on ``PYTHONPATH``.

    The class is imported, and its weights are loaded, before the first question.

    Args:
        model: the class, with or without the ``Test`` that its name begins with, or its file.
        kwargs: the arguments of its constructor, as ChEF's model file has them.
        name: the folder of its results; default: ``model``.

    Raises:
        DependencyError: the package is not there.
        ConfigError: it has no such class.
    """

    def __init__(
        self, *, model: str, kwargs: dict[str, Any] | None = None, name: str | None = None
    ) -> None:
        self.model_class, self.kwargs = model, dict(kwargs or {})
        self.name = name or model
        self._module, self._class = _place_of(model)

    def make(self) -> Any:
        return _asked_by_chef(getattr(import_module(self._module), self._class))(**self.kwargs)

    def where_made(self) -> tuple[str, str]:
        return f"the model {self.model_class} of ChEF", f", by {self._module}.{self._class}"

    def prepare(self) -> None:
        super().prepare()
        self.made.prepare()

    def generate(self, requests: Any) -> list[Generated]:
        asked: list[Generate] = list(requests)
        replies: list[Generated] = self.made.generate(asked)
        return replies

    def score(self, requests: Any) -> list[tuple[Scored, ...]]:
        asked: list[Score] = list(requests)
        scores: list[tuple[Scored, ...]] = self.made.score(asked)
        return scores

    def answers_singly(self, request: Request) -> bool:
        singly: bool = self.made.answers_singly(request)
        return singly

    def check_request(self, request: Request) -> None:
        self.made.check_request(request)

    def fingerprint(self) -> str:
        """A digest of the class's file and of its arguments."""
        file = _files()[self._module]
        return digest([self._class, redact_data(self.kwargs), file_digest(file)])


@cache
def _asked_by_chef(kind: type[Any]) -> type[Any]:
    """A class of ChEF's that chef's engine can ask: its hooks, under chef's base class."""
    return kind if issubclass(kind, Model) else type(kind.__name__, (kind, Model), {})


def _place_of(name: str) -> tuple[str, str]:
    """The module and the class of a model; a DependencyError or ConfigError if there is none."""
    wanted, classes = _folded(name), dict[str, tuple[str, str]]()
    for module, file in _files().items():
        for node in ast.parse(read_bytes(file)).body:
            if isinstance(node, ast.ClassDef):
                spellings = (node.name, node.name.removeprefix("Test"))
                classes.update({_folded(item): (module, node.name) for item in spellings})
                if _folded(file.stem.removeprefix("test_")) == wanted and _is_model(node):
                    return module, node.name
    if wanted not in classes:
        known = [item for _, item in classes.values()]
        raise ConfigError(f"ChEF has no model '{name}'", where="model", hint=nearest(name, known))
    return classes[wanted]


def _is_model(node: ast.ClassDef) -> bool:
    return any("TestBase" in ast.unparse(base) for base in node.bases)


def _files() -> dict[str, Path]:
    """The modules of ``ChEF.models`` with their files; a DependencyError if it is not there."""
    if (package := package_file(_MODELS)) is None:
        raise DependencyError(
            "the package ChEF (LAMM) is not there",
            where="model_name: ChEF",
            hint="put the folder src of a checkout of LAMM on PYTHONPATH; for one of its files "
            "alone no package is needed: plugins: [FILE.py] and its class under model_name",
        )
    return {f"{_MODELS}.{file.stem}": file for file in sorted(package.parent.glob("*.py"))}


def _folded(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter.isalnum())
