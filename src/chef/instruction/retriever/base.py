"""What every retriever offers: examples for a query that do not give its answer away.

Examples come from the pool split of the scenario if it has one, else from the evaluated set. A
sample is never an example when it is the query itself, shows one of its images (the same pixels, in
any file format), or is a rotation of the same question (its circular group). The choice depends on
the query alone, not on batches or workers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from chef.common.keys import flat_keywords
from chef.common.seeding import sample_rng
from chef.errors import ConfigError, SampleError
from chef.frozen import Frozen
from chef.scenario.base import Scenario
from chef.types import Sample

Made = TypeVar("Made")

#: The key path of a retriever's section.
AT = "eval_cfg.instruction_cfg.incontext_cfg"
#: How many decoded examples are cached, the most recently used. Fixed examples are decoded once.
KEPT = 256


class ExamplePool:
    """Where examples come from.

    Args:
        scenario: its samples are the examples, except those that cannot be made.
        is_split: whether these are a split of their own, and not the evaluated set.
    """

    def __init__(self, scenario: Scenario, *, is_split: bool = False) -> None:
        self.scenario, self.is_split = scenario, is_split
        #: Sample ``index``, decoded; None when it is malformed or has no answer to show.
        self.example = lru_cache(KEPT)(self._make)
        self._made: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What retrievers make of the pool, such as an index; it is made once for each key.

        Retrievers that share a pool have equal keys, except for ``ice_num`` and ``random_seed``.
        """
        if key not in self._made:
            self._made[key] = make()
        found: Made = self._made[key]
        return found

    def __len__(self) -> int:
        return len(self.scenario)

    def _make(self, index: int) -> Sample | None:
        try:
            sample = self.scenario[index]
            if not self.usable(sample):
                return None
            for image in sample.images:
                image.view()
        except SampleError:
            return None
        return sample

    def check(self) -> None:
        """Refuse a data set whose true answers cannot be shown; the first known one decides.

        Raises:
            ConfigError: it is no text, or no true answer is known.
        """
        for index in range(len(self)):
            try:
                sample = self.scenario[index]
            except SampleError:
                continue
            if self.usable(sample):
                return
            if sample.answer not in (None, []):
                what = "are no texts that an example could show"
                break
        else:
            what = "are not known"
        raise ConfigError(
            f"the true answers of {self.scenario.name} {what}",
            where=AT,
            hint="remove incontext_cfg",
        )

    def usable(self, sample: Sample) -> bool:
        """Whether the true answer of ``sample`` can be shown."""
        return example_answer(sample) is not None


def leaks(example: Sample, query: Sample) -> bool:
    """Whether ``example`` is ``query``, shows one of its images, or is a rotation of it."""
    if example.id == query.id:
        return True
    group = query.fields.get("circular_group")
    if group is not None and example.fields.get("circular_group") == group:
        return True
    shown = {image.digest for image in query.images}
    return any(image.digest in shown for image in example.images)


def example_answer(sample: Sample) -> str | None:
    """The true answer as an example shows it; None when it is unknown or no text (boxes)."""
    if sample.shown_answer is not None:
        return sample.shown_answer
    answer = sample.answer
    if isinstance(answer, list | tuple):
        answer = answer[0] if answer else None
    return None if answer is None or isinstance(answer, dict | list | tuple) else str(answer)


class Selection(Frozen):
    """The keys of ``incontext_cfg`` that every retriever has.

    Attributes:
        ice_num: how many examples a query gets; 0 for none.
        random_seed: seed of every random choice.

    Raises:
        ConfigError: the number is negative.
    """

    ice_num: int = 1
    random_seed: int = 0

    def __post_init__(self) -> None:
        if self.ice_num < 0:
            raise ConfigError(
                f"ice_num is {self.ice_num}", where=f"{AT}.ice_num", hint="it must be 0 or more"
            )


class Retriever(ABC):
    """Chooses examples; subclasses say in which order they prefer them.

    A subclass takes its ``incontext_cfg`` keys as annotated keyword arguments.

    Args:
        selection: how many examples, and the random seed.
    """

    @flat_keywords
    def __init__(self, *, selection: Selection = Selection()) -> None:
        self.ice_num = selection.ice_num
        self.random_seed = selection.random_seed
        self.pool: ExamplePool | None = None

    def prepare(self, pool: ExamplePool) -> None:
        """Set the pool. Called once, before any query.

        Raises:
            ConfigError: the pool has too few examples, none can be shown, or the settings do not
                suit it.
        """
        if self.ice_num:
            if len(pool) < self.least(pool):
                raise ConfigError(
                    f"{self.ice_num} examples are wanted, and the pool has {len(pool)} samples",
                    where=f"{AT}.ice_num",
                    hint="ask for fewer",
                )
            pool.check()
        self.pool = pool

    def least(self, pool: ExamplePool) -> int:
        """The number of samples that the pool must have.

        A query is never its own example, so the evaluated set needs one sample more than a split of
        its own.
        """
        return self.ice_num + (not pool.is_split)

    def prefetch(self, scenario: Scenario, indices: Sequence[int]) -> None:  # noqa: B027
        """Do work for these queries in advance, where that is faster than one by one.

        It does not change which examples are chosen, and queries need not be announced.
        """

    def release(self) -> None:  # noqa: B027
        """Free memory that the model may need. A later query loads again what it needs."""

    def record(self) -> dict[str, Any]:
        """What decides the choices besides the recipe, for environment.json."""
        return {}

    @abstractmethod
    def preference(self, query: Sample) -> Iterator[int]:
        """Distinct positions in the pool, in order of preference."""

    def retrieve(self, query: Sample) -> tuple[Sample, ...]:
        """The examples for ``query``, in order of preference.

        Raises:
            SampleError: fewer than ``ice_num`` samples of the pool are allowed.
        """
        assert self.pool is not None, "prepare has to be called first"
        if not self.ice_num:
            return ()
        found: list[Sample] = []
        for index in self._positions(query, len(self.pool)):
            example = self.pool.example(index)
            if example is not None and not leaks(example, query):
                found.append(example)
            if len(found) == self.ice_num:
                return tuple(found)
        raise SampleError(
            f"only {len(found)} samples of the pool may serve as examples, not {self.ice_num}",
            where=f"sample '{query.id}'",
            hint="lower ice_num, or give the scenario a larger pool",
        )

    def _positions(self, query: Sample, size: int) -> Iterator[int]:
        """What `preference`, perhaps of a user's class, prefers, each once; SampleError for what is
        no position in a pool of that size.
        """
        preferred: Any = self.preference(query)
        kind, before = type(self).__name__, set[int]()
        hint = f"give positions in self.pool: whole numbers from 0 to {size - 1}, the best first"
        if not isinstance(preferred, Iterable):
            raise SampleError(
                f"{kind}.preference returned {preferred!r}, and no positions",
                where=f"sample '{query.id}'",
                hint=hint,
            )
        for item in preferred:
            if not hasattr(item, "__index__") or not 0 <= (index := int(item)) < size:
                raise SampleError(
                    f"{kind}.preference gave {item!r}, which is no position in the pool",
                    where=f"sample '{query.id}'",
                    hint=hint,
                )
            if index not in before:
                before.add(index)
                yield index


class Fixed(Retriever):
    """Examples that the recipe assigns, or one random draw.

    All queries begin with the same examples, which is fast to score. An example that a query may
    not see is replaced by the next sample of the pool, in a random order.

    Args:
        selection: how many examples; the seed of the draw and of that order.
        ice_assigned_ids: positions in the pool; as many as ``ice_num``.
    """

    @flat_keywords
    def __init__(
        self,
        *,
        selection: Selection = Selection(),
        ice_assigned_ids: list[int] | None = None,
    ) -> None:
        super().__init__(selection=selection)
        if ice_assigned_ids is not None:
            self.check_assigned(ice_assigned_ids)
        self.assigned = tuple(ice_assigned_ids or ())
        self._line: list[int] = []

    def check_assigned(self, ids: list[int]) -> None:
        """Check ``ice_assigned_ids``.

        They must differ: a repeated id shows nothing new and is most likely a slip.

        Raises:
            ConfigError: they are not ``ice_num`` different ids.
        """
        if len(set(ids)) != self.ice_num:
            raise ConfigError(
                f"{len(set(ids))} different ids for {self.ice_num} examples",
                where=f"{AT}.ice_assigned_ids",
                hint="give ice_num different ids",
            )

    def prepare(self, pool: ExamplePool) -> None:
        super().prepare(pool)
        for index in self.assigned:
            if not 0 <= index < len(pool):
                raise ConfigError(
                    f"id {index} is outside the pool, which has {len(pool)} samples",
                    where=f"{AT}.ice_assigned_ids",
                    hint=f"choose from 0 to {len(pool) - 1}",
                )
        others = list(range(len(pool)))
        sample_rng(self.random_seed, "fixed").shuffle(others)
        self._line = list(dict.fromkeys([*self.assigned, *others]))

    def preference(self, query: Sample) -> Iterator[int]:  # noqa: ARG002 (the same for all)
        return iter(self._line)


class Random(Retriever):
    """Every query draws without replacement, from a random stream of its own."""

    def preference(self, query: Sample) -> Iterator[int]:
        assert self.pool is not None
        rng = sample_rng(self.random_seed, "retrieve", query.id)
        drawn: set[int] = set()
        # One by one, because a permutation of a large pool would be slow.
        while len(drawn) < len(self.pool):
            index = rng.randrange(len(self.pool))
            if index not in drawn:
                drawn.add(index)
                yield index
