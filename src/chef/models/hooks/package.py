"""Models of other projects' packages: imported, and made, when they are first needed."""

from __future__ import annotations

import importlib.util
from abc import abstractmethod
from importlib import import_module
from pathlib import Path
from typing import Any

from chef.common.user_code import contained
from chef.errors import DependencyError, RunError
from chef.models.base import Model


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
