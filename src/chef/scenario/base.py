"""The interface of scenarios."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, ClassVar, TypeVar

import msgspec
from msgspec import field

from chef.errors import ConfigError, SampleError
from chef.frozen import Frozen
from chef.types import Sample


class ColumnUse(Frozen):
    """Which columns of a table became what.

    Attributes:
        lacking: ``images`` and ``answer``, where no column is known to have them and a run is
            refused, with the column that looks like it, or an empty text.
        headers: what such a column has to be called in the file; empty: ``columns`` says it.
        kind: of its questions, and how answers are read; empty: as its name or the recipe says.
    """

    roles: Mapping[str, tuple[str, ...]]
    unused: tuple[str, ...] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = ""

    def __str__(self) -> str:
        shown = [f"{role}: {', '.join(columns)}" for role, columns in self.roles.items()]
        return "; ".join(
            [*shown, *([f"not used: {', '.join(self.unused)}"] if self.unused else [])]
        )


def _other_name(attribute: str, doc: str) -> property:
    """Another name of an attribute, by which it is read and set."""

    def write(scenario: Scenario, value: str) -> None:
        setattr(scenario, attribute, value)

    return property(attrgetter(attribute), write, doc=doc)


class Scenario(ABC):
    """A data set with one kind of question.

    A subclass takes its keys of ``scenario_cfg`` as annotated keyword arguments of ``__init__``.
    Recipes are checked against them, so a misspelt key is refused before anything runs.
    ``__init__`` must be fast (no download, no decoding); samples are made one at a time, on demand.

    Attributes:
        name: the name of the folder for its results.
        wording: the pool with the wordings of its questions (``VQA``, ``counting``, ...).
        has_wordings: whether there is such a pool; False: questions are asked as they are.
        metric: the metric for ``metric_type: basic``.
        metric_by_name: that metric by VLMEvalKit's rules, where ``metric`` depends on the rows and
            theirs on the name of the data set alone; None: the same.
        protocols: the metrics for other values of ``metric_type`` (``LAMM``, ``KOSMOS``,
            ``Calibration``, ...).
        paths: the keys that are paths. A relative one is looked for in the folder of the recipe,
            then in the current folder.
        groupings: the fields of the samples by which results are grouped, in tables of their own
            (``--by``). A mapping names the groupings: ``{"category": "task_type"}``.
        system_message: the system message of every conversation; empty for none.
        random_accuracy: the expected score of random guessing, in 0..1; None where it is undefined.
    """

    name: str
    wording: str
    has_wordings: bool = True
    metric: str
    metric_by_name: str | None = None
    protocols: ClassVar[Mapping[str, str]] = {}
    paths: ClassVar[Sequence[str]] = ("path", "base_data_path", "image_root")
    groupings: ClassVar[Sequence[str] | Mapping[str, str]] = ("category", "l2-category", "split")
    system_message: str = ""
    random_accuracy: float | None = None
    #: Whether its samples may have turns; where none has, no inferencer asks turn by turn.
    may_have_turns: ClassVar[bool] = True
    #: Whether no code but chef's makes its samples.
    is_own: bool = False

    def __init_subclass__(cls, **options: Any) -> None:
        """Accept ``task``, the former name of ``wording``, in the body of a class."""
        super().__init_subclass__(**options)
        if "task" in vars(cls):
            cls.wording = vars(cls)["task"]
            del cls.task

    @classmethod
    def grouped_by(cls, keys: Mapping[str, Any] | None = None) -> dict[str, str]:  # noqa: ARG003
        """The field of the samples that each grouping stands for.

        Args:
            keys: the keys of ``scenario_cfg``, for scenarios where these name further groupings.
        """
        groupings = cls.groupings
        return dict(
            groupings if isinstance(groupings, Mapping) else zip(groupings, groupings, strict=True)
        )

    task = _other_name("wording", "The former name of ``wording``.")
    task_name = _other_name("wording", "ChEF's name of ``wording``.")
    dataset_name = _other_name("name", "ChEF's name of ``name``.")

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __getitem__(self, index: int) -> Sample:
        """Make sample number ``index``, the same each time; SampleError where it is malformed."""

    def outlines(self) -> Iterator[Sample | None]:
        """The samples in order; None for one that cannot be made.

        A scenario whose images are costly to read may leave them out here: what looks at all
        questions before the first is asked looks at their texts.
        """
        for index in range(len(self)):
            try:
                yield self[index]
            except Exception:  # it becomes the error of its sample when that is asked
                yield None

    def column_use(self) -> ColumnUse | None:
        """Which columns of its table became what; None where it is made of no table, or of one
        whose columns are known.
        """
        return None

    def pool(self) -> Scenario | None:
        """The scenario that in-context examples come from; None for this one."""
        return None

    def group(self, index: int) -> str | None:  # noqa: ARG002
        """The name of the group that sample ``index`` belongs to; None for no group.

        The samples of a group are scored together, for example the rotations of one question. A
        subset (``--sample_len``) consists of whole groups.
        """
        return None

    def fingerprint(self) -> str:
        """A digest of the data files; empty for a scenario without files.

        A run does not resume if it has changed, unless `row_digests` tell what has.
        """
        return ""

    def row_state(self) -> str:
        """What shows, without reading the data, whether it was written since; empty: not known.

        For scenarios with `row_digests`: as long as it is the same, they are not computed.
        """
        return ""

    def row_digests(self) -> Mapping[str, str]:
        """A digest of what each sample is made of, by id; empty where only the whole is known.

        With it a run resumes though its data has changed: the changed samples are asked again.
        """
        return {}

    @abstractmethod
    def sample_id(self, index: int) -> str:
        """The id of sample ``index``, without making the sample."""


def checked_scenario(scenario: Scenario) -> Scenario:
    """The scenario; ConfigError where it lacks an attribute that every scenario needs, or cannot be
    counted.
    """
    wanted = {"name": "'Mine'", "metric": "'Accuracy'", "wording": "'VQA'"}
    if not scenario.has_wordings:
        del wanted["wording"]
    if lacking := [key for key in wanted if not hasattr(scenario, key)]:
        lines = ", ".join(f"{key} = {wanted[key]}" for key in lacking)
        raise ConfigError(
            f"the scenario {type(scenario).__name__} has no {', '.join(lacking)}",
            where="scenario_cfg.dataset_name",
            hint=f"write them in its class, for example {lines}",
        )
    size = scenario.__len__()  # len() would say neither whose it is nor what it was
    if isinstance(size, int) and size < 0:
        raise ConfigError(
            f"{type(scenario).__name__}.__len__ returned {size!r}",
            where="scenario_cfg.dataset_name",
            hint="return the number of samples",
        )
    return scenario


def checked_sample(sample: object, name: str, safe: Callable[[Sample, str], Sample]) -> Sample:
    """What `Scenario.__getitem__` returned for a sample; SampleError if it is none, or another one.

    ``name`` is the id that the run knows it by, which is safe; ``safe`` makes texts safe to be
    written.
    """
    if not isinstance(sample, Sample):
        raise SampleError(
            f"__getitem__ returned a {type(sample).__name__}, not a Sample",
            where=f"sample '{name}'",
            hint="return chef.Sample(id=..., images=(chef.Image(path),), question=..., ...)",
        )
    made = safe(sample, name)
    if made.id != name:
        raise SampleError(
            f"the sample calls itself '{made.id}'",
            where=f"sample '{name}'",
            hint="let sample_id(index) and the sample's id agree",
        )
    return made


Scene = TypeVar("Scene", bound=Scenario)


def class_of(base: type[Scene], module: str, name: str, /, **body: Any) -> type[Scene]:
    """A class with that body and docstring, which the module's ``__getattr__`` has to give."""
    doc = body.pop("doc")
    places = {"__module__": module, "__qualname__": name, "__doc__": doc}
    return type(name, (base,), {**places, **body})


T = TypeVar("T", bound=msgspec.Struct)


def read_section(kind: type[T], given: Mapping[str, Any] | None) -> T | None:
    """The recipe's ``scenario_cfg.ppl_cfg`` as a struct; None stays None.

    ConfigError for wrong keys or values.
    """
    if given is None:
        return None
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        keys = ", ".join(kind.__struct_fields__)
        message = str(error).replace("`", "'").replace("Object", "the mapping")
        hint = f"its keys: {keys}"
        raise ConfigError(message, where="scenario_cfg.ppl_cfg", hint=hint) from None


def check_name(key: str, owner: str, given: str, known: Iterable[str]) -> None:
    """ConfigError for a name that is not known: calls from Python are not checked before."""
    known = tuple(known)
    if given not in known:
        raise ConfigError(
            f"unknown {key} '{given}' of {owner}", hint=f"use one of: {', '.join(known)}"
        )
