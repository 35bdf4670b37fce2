"""The task files that come with chef, and the data sets that each is run on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias

import msgspec

from chef.scenario.mmtrusteval.table import UNRELATED

#: What the evaluators of a task need besides the tested model.
Needs: TypeAlias = Literal["", "judge", "classifier", "services"]


class ShippedTask(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A task file that comes with chef.

    Attributes:
        task: the numbers of MultiTrust's tasks that it makes: ``T1``, or ``S4 S5 S6``.
        datasets: the data sets that it is run on, as ``tasks.yaml`` has them.
        needs: what its evaluators need besides the tested model.
    """

    task: str
    datasets: tuple[str, ...]
    needs: Needs = ""

    def runs(self) -> Iterator[tuple[str, str]]:
        """Every data set that it is run on, with its ``data_type_id``, which is mostly empty."""
        for item in self.datasets:
            stem, plus, _ = item.partition("+3")
            if plus:
                yield from ((f"{stem}-unrelated-image-{kind}", "") for kind in UNRELATED)
            else:
                name, _, kind = item.partition(":")
                yield name, kind


@cache
def shipped_tasks() -> Mapping[str, ShippedTask]:
    """The task files by name (``privacy/p3-infoflow``), in the order of the benchmark."""
    from yaml import safe_load

    text = files("chef.config.tasks").joinpath("tasks.yaml").read_text(encoding="utf-8")
    return msgspec.convert(safe_load(text), dict[str, ShippedTask])
