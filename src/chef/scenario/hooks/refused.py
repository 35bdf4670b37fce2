"""Data sets of plugins whose base class chef does not have: they are listed, and not asked."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

from chef.common.refused import RefusedClass
from chef.errors import ConfigError
from chef.scenario.base import Scenario
from chef.types import Sample


class RefusedDataset(Scenario):
    """A data set that cannot be asked.

    Raises:
        ConfigError: an object is made; it says why.
    """

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
    body = {
        "__module__": kind.__module__,
        "__doc__": f"{kind.reason}.",
        "dataset_class": kind,
        "name": kind.__name__,
    }
    return type(f"{kind.__name__}Scenario", (RefusedDataset,), body)
