"""The base class of MMTrustEval's data sets, as files that were written for it use it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import CodeType, FunctionType, MappingProxyType
from typing import Any, ClassVar, Protocol

from chef.common.keys import class_keys, constructors
from chef.common.mmtrusteval import TrustSample
from chef.errors import ConfigError, DataError, similar
from chef.registry import check_id

#: What chef gives to the constructor; its other arguments are keys of the recipe.
GIVEN = ("dataset_id", "method_hook")


class MethodHook(Protocol):
    """What a data set may do to a sample before it gives it: a method."""

    def run(self, data: TrustSample) -> TrustSample:
        """The sample with another image or text."""


class BaseDataset:
    """A data set: a list of samples under one of the ids of its class.

    A subclass names its ids in ``dataset_ids`` (and may note of each what it knows in
    ``dataset_config``), and fills ``self.dataset`` in its constructor or overrides `__getitem__`
    and `__len__`. In a plugin each id is a scenario, and a ``dataset_id`` of tasks; further
    arguments of its constructor are keys of ``dataset_cfg``. ConfigError for another id.
    """

    dataset_ids: ClassVar[Sequence[str]] = ()
    dataset_config: Any = MappingProxyType({})  # an object may replace it by the entry of its id
    dataset: Sequence[TrustSample] | None = None

    def __init__(
        self, dataset_id: str, method_hook: MethodHook | None = None, **kwargs: Any
    ) -> None:
        check_id(type(self), "dataset_ids", dataset_id, "data set")
        check_read(type(self), kwargs)
        self.dataset_id = dataset_id
        self.method_hook = method_hook

    def __getitem__(self, index: int) -> TrustSample:
        """Sample number ``index``, after the method."""
        sample = self._samples()[index]
        return sample if self.method_hook is None else self.method_hook.run(sample)

    def __len__(self) -> int:
        return len(self._samples())

    def __iter__(self) -> Iterator[TrustSample]:
        return (self[index] for index in range(len(self)))

    def _samples(self) -> Sequence[TrustSample]:
        if self.dataset is None:
            raise DataError(
                f"{type(self).__name__} has no samples",
                hint="let its constructor set self.dataset = [TxtSample(...), ...], or override "
                "__getitem__ and __len__",
            )
        return self.dataset


def check_read(kind: type[BaseDataset], given: Mapping[str, Any]) -> None:
    """ConfigError where no constructor names what is given, or reads it from its ``**kwargs``."""
    named = {key.name for key in class_keys(kind)} - {*GIVEN}
    read = {text for init in constructors(kind) for text in _constants(init)}
    for name in given:
        if name not in named | read:
            raise ConfigError(
                f"{kind.__name__} takes no argument '{name}'",
                where=f"scenario_cfg.{name}",
                hint=_meant(name, named, read),
            )


def _meant(name: str, named: set[str], read: set[str]) -> str:
    if near := similar(name, named | read):
        return f"did you mean '{near}'?"
    return f"it names {', '.join(sorted(named))}" if named else "its constructor names none"


def codes_of(code: CodeType) -> list[CodeType]:
    """The code of a function with that of the functions in it."""
    inner = [item for item in code.co_consts if isinstance(item, CodeType)]
    return [code, *(found for item in inner for found in codes_of(item))]


def _constants(init: Any) -> set[str]:
    codes = codes_of(init.__code__) if isinstance(init, FunctionType) else []
    return {item for code in codes for item in code.co_consts if isinstance(item, str)}
