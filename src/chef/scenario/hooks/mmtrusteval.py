"""Data sets of a user's own, written for MMTrustEval, as scenarios: one for each of their ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import CodeType, FunctionType, MappingProxyType
from typing import Any, ClassVar, Protocol, cast

from chef.common.digest import digest
from chef.common.keys import class_keys, constructors, with_keys_of
from chef.common.mmtrusteval import ImageTxtSample, TrustSample, TxtSample, to_sample
from chef.common.user_code import contained
from chef.errors import ConfigError, DataError, SampleError, similar
from chef.registry import check_id, class_ids
from chef.scenario.base import Scenario, class_of
from chef.types import Sample

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


#: The scenarios of each class: a decorator and a plugin register the same ones.
_made: dict[type[BaseDataset], dict[str, type[TrustDataset]]] = {}


class TrustDataset(Scenario):
    """The samples of a data set whose class was written for MMTrustEval, asked word by word.

    The class is made when its samples are first needed. A sample's id is its place, or what the
    class's own ``sample_id(index)`` gives.
    """

    has_wordings = False
    metric = "Evaluators"
    groupings: ClassVar[Sequence[str] | Mapping[str, str]] = ("subset",)
    #: Whether keys that no constructor names may be meant for its ``**kwargs``.
    takes_further_keys: ClassVar[bool] = True
    dataset_class: ClassVar[type[BaseDataset]]
    dataset_id: ClassVar[str]

    def __init__(self, **kwargs: Any) -> None:
        self.name = self.dataset_id
        self._keys, self._hook = kwargs, cast("Any", None)
        check_read(self.dataset_class, kwargs)

    @cached_property
    def dataset(self) -> BaseDataset:
        """The object of the user's class; ConfigError where it does not take a key."""
        kind = self.dataset_class
        with contained(f"{kind.__name__}.__init__"):
            return kind(dataset_id=self.dataset_id, method_hook=self._hook, **self._keys)

    def take_method(self, method: Any) -> bool:
        """Whether the class itself applies a method; otherwise its samples are changed after it."""
        if not hasattr(method, "run") or not _reads(self.dataset_class, "method_hook"):
            return False
        self._hook = method
        for name in ("dataset", "_digests"):
            self.__dict__.pop(name, None)
        return True

    def __len__(self) -> int:
        with contained(f"{self.dataset_class.__name__}.__len__"):
            return len(self.dataset)

    def __getitem__(self, index: int) -> Sample:
        return to_sample(self.sample_id(index), self.trust_sample(index))

    def trust_sample(self, index: int) -> TrustSample:
        """What the class gives; SampleError unless it is a `TxtSample` or an `ImageTxtSample`."""
        with contained(f"{self.dataset_class.__name__}.__getitem__"):
            item: Any = self.dataset[index]
        if not isinstance(item, TxtSample | ImageTxtSample):
            raise SampleError(
                f"{self.dataset_class.__name__}.__getitem__ returned a {type(item).__name__}",
                where=f"sample '{self.sample_id(index)}'",
                hint="return TxtSample(text, target, extra) or "
                "ImageTxtSample(image_path, text, target, extra)",
            )
        return item

    def sample_id(self, index: int) -> str:
        own = getattr(self.dataset, "sample_id", None)
        return str(own(index)) if callable(own) else str(index)

    def row_digests(self) -> dict[str, str]:
        """A digest of each sample with the name of its picture; none where a method makes it."""
        return self._digests

    def fingerprint(self) -> str:
        return digest(self._digests) if self._digests else ""

    def row_state(self) -> str:
        return self.fingerprint()

    @cached_property
    def _digests(self) -> dict[str, str]:
        if self._hook is not None:
            return {}
        return {self.sample_id(index): self._digest(index) for index in range(len(self))}

    def _digest(self, index: int) -> str:
        try:
            item = self.trust_sample(index)
        except Exception as error:  # it is told when the sample is asked
            return digest(["error", str(error)])
        shown = Path(item.image_path).name if isinstance(item, ImageTxtSample) else None
        return digest([shown, item.text, repr(item.target), repr(item.extra)])


def scenarios_of(kind: type[BaseDataset]) -> dict[str, type[TrustDataset]]:
    """The scenarios that a class stands for, by its ids; ConfigError where it names none."""
    if kind not in _made:
        init = with_keys_of(kind, TrustDataset.__init__, GIVEN)
        _made[kind] = {
            name: class_of(
                TrustDataset, kind.__module__, f"{kind.__name__}Scenario", doc=kind.__doc__,
                __init__=init, dataset_class=kind, dataset_id=name,
            )
            for name in class_ids(kind, "dataset_ids", "my-data")
        }  # fmt: skip
    return _made[kind]


def _reads(kind: type[BaseDataset], attribute: str) -> bool:
    """Whether what gives the samples of a class uses an attribute."""
    functions = [
        value
        for owner in kind.__mro__
        for value in vars(owner).values()
        if isinstance(value, FunctionType)
        if owner is not BaseDataset or kind.__getitem__ is BaseDataset.__getitem__
    ]
    return any(attribute in code.co_names for item in functions for code in codes_of(item.__code__))
