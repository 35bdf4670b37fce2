"""A user's class of data sets as a scenario."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Any, ClassVar

from chef.common.circular import circular_group, group_sizes, has_rotations
from chef.common.digest import content_digest
from chef.common.keys import class_keys
from chef.common.logs import logger
from chef.common.options import YES_NO
from chef.common.user_code import contained
from chef.errors import ConfigError, SampleError, nearest
from chef.scenario.base import Scenario, class_of
from chef.scenario.hooks.vlmevalkit import prompts
from chef.scenario.hooks.vlmevalkit.base import ImageBaseDataset
from chef.scenario.hooks.vlmevalkit.prompts import RowPrompt, prompt_of
from chef.scenario.questions.family import (
    chance,
    choice_fields,
    guess_kind,
    references,
    row_groups,
    yes_no,
)
from chef.scenario.vlmevalkit.table import TableRoots, reading_from
from chef.types import Sample

#: Chef's metric for each kind of question.
_USUAL: Mapping[str, str] = {
    "mcq": "Accuracy",
    "yesno": "YesNo",
    "vqa": "VQAAccuracy",
    "caption": "Caption",
    "mt": "ExactMatch",
}
#: Those of published data sets, by what their name contains.
_NAMED: Mapping[str, Mapping[str, str]] = {
    "yesno": {
        "MME": "MMEVQA", "POPE": "POPE_Metric", "Hallusion": "HallusionBench", "AMBER": "AMBER",
    },
    "vqa": {
        "ChartQA": "RelaxedAccuracy", "OCRVQA": "ExactMatch", "GQA": "ExactMatch",
        "DocVQA": "ANLS", "InfoVQA": "ANLS", "OCRBench": "OCRBench",
    },
    "mcq": {"MMBench": "MMBenchVQA", "CCBench": "MMBenchVQA"},
}  # fmt: skip


def evaluates(kind: type[ImageBaseDataset]) -> bool:
    """Whether a class has an ``evaluate`` of its own."""
    owner = next(base for base in kind.__mro__ if "evaluate" in vars(base))
    return owner is not ImageBaseDataset


def own_metric(kind: type[ImageBaseDataset]) -> str | None:
    """The name of the metric that calls a class's own ``evaluate``; None where it has none."""
    return f"{kind.__name__}.evaluate" if evaluates(kind) else None


def usual_metric(kind: str, dataset: str) -> str:
    """The name of chef's metric for a kind of question.

    >>> usual_metric("vqa", "DocVQA_VAL"), usual_metric("mcq", "Mine")
    ('ANLS', 'Accuracy')
    """
    named = _NAMED.get(kind, {})
    return next((metric for name, metric in named.items() if name in dataset), _USUAL[kind])


_log = logger(__name__)
#: The scenarios of each class: two recipes with the same plugin have the same.
_made: dict[type[ImageBaseDataset], dict[str, type[DatasetScenario]]] = {}
_CHEFS = "chef.scenario.hooks.vlmevalkit"


class DatasetScenario(Scenario):
    """The rows of a data set whose class was written for VLMEvalKit.

    What a row asks is the message of the class's ``build_prompt(line)``, word by word: no wording
    is added. Where the class has none, its family lays the row out, and the recipe's instruction
    words it.

    Args:
        dataset: which data set of the class, where it has several; default: the one that the name
            of the scenario says, or the first.
        data_root: the folder of its table and images; on the command line also ``--data_root DIR``;
            default: ``$LMUData`` if that is a folder, else ``~/LMUData``.
        check_md5: compare the table with the digest of the class's ``DATASET_MD5``.
        skip_noimg: leave out rows whose cell ``image`` is empty; default: that of the class.
        dataset_kwargs: further arguments for the class.

    Raises:
        ConfigError: the class has no such data set or argument.
        DataError: its table is missing or malformed as a whole.
    """

    has_wordings = False
    #: The user's class, and the data set that the scenario's name stands for.
    dataset_class: ClassVar[type[ImageBaseDataset]]
    fixed_name: ClassVar[str | None] = None
    paths: ClassVar[tuple[str, ...]] = ("data_root",)

    def __init__(
        self,
        *,
        dataset: str | None = None,
        data_root: str | None = None,
        check_md5: bool = True,
        skip_noimg: bool | None = None,
        dataset_kwargs: dict[str, Any] | None = None,
    ) -> None:
        kind = self.dataset_class
        self.name = wanted = self._wanted(dataset)
        given = {**(dataset_kwargs or {}), "dataset": wanted}
        if skip_noimg is not None:
            given["skip_noimg"] = skip_noimg
        self.source = TableRoots(data_root, check_md5)
        with reading_from(self.source), contained(f"{kind.__name__}.__init__"):
            self.dataset = _made_with(kind, given)
            self.rows = self.dataset.rows()
        self.kind = self._kind()
        self._words_itself = self.kind == "mt" or _is_own(kind, "build_prompt", "dump_image")
        if self.kind == "mt" or not self._words_itself:
            self.has_wordings, self.wording = True, prompts.pool_of(self.dataset.layout)
        if _is_own(kind, "build_prompt"):
            _say_once(f"questions are asked as {kind.__name__}.build_prompt words them")
        self.metric = own_metric(kind) or usual_metric(self.kind, self.name)
        self._is_circular = has_rotations({self.rows.id(i) for i in range(len(self))})
        self.random_accuracy = self._chance()

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> Sample:
        cells = self.rows.cells(index)
        prompt = self._prompt(index, cells)
        try:
            options, answer, fields = reference_of(self.kind, cells, prompt)
        except SampleError as error:
            if not own_metric(self.dataset_class):
                where = f"{self.name}: index '{self.rows.id(index)}'"
                raise SampleError(error.what, where=where, hint=error.hint) from None
            options, answer, fields = (), cells.get("answer"), {}  # the class knows what it means
        if self.metric == "MMEVQA":
            fields["task_type"] = cells.get("category") or "other"
        return Sample(
            id=self.sample_id(index),
            images=prompt.images,
            question=prompt.question,
            options=options,
            answer=answer,
            fields={**fields, **self._groups(index, cells)},
            turns=prompt.turns,
            image_marks=prompt.image_marks,
            form="" if self._words_itself else prompts.form_of(self.dataset.layout, cells),
        )

    def sample_id(self, index: int) -> str:
        return self.rows.id(index)

    def fingerprint(self) -> str:
        """A digest of the rows; of a table that is read as it is without its images."""
        return self.rows.fingerprint()

    def row_state(self) -> str:
        """What shows whether the table was written since."""
        return state and repr((state, self.kind)) if (state := self.rows.state()) else ""

    def row_digests(self) -> Mapping[str, str]:
        """A digest of each row with its images, by the id of its sample."""
        return {
            name: content_digest(digest, self.kind, size=8)
            for name, digest in self.rows.digests().items()
        }

    def group(self, index: int) -> str | None:
        """The question that the row is a rotation of; None if the rows have no rotations."""
        name = self.rows.id(index)
        if not self._is_circular:
            return None
        return circular_group(name, self.rows.light(index).get("g_index", ""), is_circular=True)

    def _prompt(self, index: int, cells: Mapping[str, str]) -> RowPrompt:
        """What the row asks: of the class's own message, or as its family lays it out."""
        if self._words_itself:
            with reading_from(self.source):  # for code of the class that asks for the data root
                message = self.dataset.build_prompt(self.rows.series(index))
            return prompt_of(message, f"{self.dataset_class.__name__}.build_prompt")
        shown = self.rows.images(index) if self.dataset.MODALITY == "IMAGE" else ()
        return RowPrompt(prompts.question_of(self.dataset.layout, cells), shown)

    def _groups(self, index: int, cells: Mapping[str, str]) -> dict[str, Any]:
        told = {**cells, "index": self.rows.id(index)}
        groups: dict[str, Any] = row_groups(told, is_circular=self._is_circular)
        if "circular_group" in groups:
            groups["circular_size"] = self._sizes[groups["circular_group"]]
        return groups

    @cached_property
    def _sizes(self) -> Mapping[str, int]:
        rows = range(len(self))
        return group_sizes((self.rows.id(i), self.group(i), self.rows.options(i)) for i in rows)

    def _wanted(self, given: str | None) -> str:
        """The name of the data set."""
        kind, fixed = self.dataset_class, self.fixed_name
        known = supported(kind)
        if given is not None and fixed is not None and given != fixed:
            raise ConfigError(
                f"dataset_name is {fixed}, and dataset is {given}",
                where="scenario_cfg.dataset",
                hint="remove dataset",
            )
        wanted = given or fixed or (known[0] if known else kind.__name__)
        if known and wanted not in known:
            raise ConfigError(
                f"{kind.__name__} has no data set '{wanted}'",
                where="scenario_cfg.dataset",
                hint=nearest(wanted, known),
            )
        return wanted

    def _kind(self) -> Any:
        """The kind of questions: what the class says, else what the columns look like."""
        kind = self.dataset.kind
        return kind if kind != "base" else guess_kind(self.rows.columns, self._answers())

    def _answers(self) -> Iterator[str]:
        return (self.rows.light(position).get("answer", "") for position in range(len(self)))

    def _chance(self) -> float | None:
        """The score of random guessing over the rows that are scored."""
        options = map(self.rows.options, range(len(self)))
        return chance(self.kind, zip(options, self._answers(), strict=True))


def reference_of(
    kind: str, cells: Mapping[str, str], prompt: RowPrompt
) -> tuple[tuple[str, ...], Any, dict[str, Any]]:
    """Options, reference answer and fields of a row; SampleError for no such answer."""
    if kind == "mt":
        return (), [turn.truth for turn in prompt.turns], {}
    if kind == "yesno":
        return YES_NO, *yes_no(cells)
    choices = prompts.choices_of(cells) if kind == "mcq" else {}
    if not choices:
        return (), references(cells.get("answer", "")), {}
    fields = choice_fields(choices, cells)
    correct = fields.get("gt_choice")
    return tuple(choices), None if correct is None else fields["labels"][correct], fields


def _is_own(kind: type[ImageBaseDataset], *names: str) -> bool:
    """Whether a class, or one that it extends, overrides a method of chef's classes."""
    owners = (next(base for base in kind.__mro__ if name in vars(base)) for name in names)
    return any(not owner.__module__.startswith(_CHEFS) for owner in owners)


@cache
def _say_once(text: str) -> None:
    _log.info("%s", text)


def supported(kind: type[ImageBaseDataset]) -> list[str]:
    """The names of a class's data sets; ConfigError where they are no list of names."""
    with contained(f"{kind.__name__}.supported_datasets"):
        names: Any = kind.supported_datasets()
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise ConfigError(
            f"{kind.__name__}.supported_datasets gives {names!r}", hint="return a list of names"
        )
    return list(names)


def scenarios_of(kind: type[ImageBaseDataset]) -> dict[str, type[DatasetScenario]]:
    """The scenarios that a class stands for: one under its own name, one for each data set."""
    if kind in _made:
        return _made[kind]
    own = kind.__name__
    names: dict[str, str | None] = {own: None} | {name: name for name in supported(kind)}
    _made[kind] = {
        name: class_of(
            DatasetScenario, kind.__module__, f"{own}Scenario", doc=kind.__doc__,
            dataset_class=kind, fixed_name=fixed,
        )
        for name, fixed in names.items()
    }  # fmt: skip
    return _made[kind]


def _made_with(kind: type[ImageBaseDataset], given: dict[str, Any]) -> ImageBaseDataset:
    """The data set of a class with what its constructor takes; ConfigError for other arguments."""
    parameters = inspect.signature(kind).parameters
    takes_any = any(item.kind is item.VAR_KEYWORD for item in parameters.values())
    if not takes_any and "dataset" not in parameters:
        del given["dataset"]
    if not takes_any and (unknown := [name for name in given if name not in parameters]):
        raise _no_argument(kind, unknown[0])
    try:
        return kind(**given)
    except TypeError as error:
        refused = re.search(r"__init__\(\) got an unexpected keyword argument '(\w+)'", str(error))
        if not refused or refused[1] not in given:
            raise
        raise _no_argument(kind, refused[1]) from error


def _no_argument(kind: type[ImageBaseDataset], name: str) -> ConfigError:
    where = f"scenario_cfg.dataset_kwargs.{name}"
    if name in {"dataset", "skip_noimg"}:  # chef gives the first, and the second has its own key
        where = f"scenario_cfg.{name}"
    known = [key.name for key in class_keys(kind) if key.name != "dataset"]
    return ConfigError(
        f"{kind.__name__} takes no argument '{name}'", where=where, hint=nearest(name, known)
    )
