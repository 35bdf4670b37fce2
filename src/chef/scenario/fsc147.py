"""FSC147: counting the objects of a kind (Ranjan et al. 2021, as listed by LAMM)."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from chef.scenario.base import read_section
from chef.scenario.records import values
from chef.scenario.records.files import Record
from chef.scenario.records.listed import Listed
from chef.types import Sample


class Window(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Keys of ``ppl_cfg``."""

    heatmap_width: Annotated[int, msgspec.Meta(ge=0)] = 2


class FSC147(Listed):
    """Counting; the number is generated or chosen.

    Args:
        base_data_path: the root of LAMM's 2D benchmark.
        ppl_cfg: give numbers around the right one as options. Key: ``heatmap_width`` (2), the
            largest distance on either side. Null, or a mapping without keys: no options.
    """

    name = "FSC147"
    wording = "counting"
    metric = "Counting"
    random_accuracy: float | None = 1 / 5

    def __init__(
        self,
        base_data_path: str = "data/LAMM/2D_Benchmark/",
        *,
        ppl_cfg: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(base_data_path, "meta_file/Counting_FSC147.json")
        # Unlike in other scenarios of ChEF, an empty mapping means no options here.
        self._window = read_section(Window, ppl_cfg or None, "scenario_cfg.ppl_cfg")
        width = self._window.heatmap_width if self._window else None
        self.random_accuracy = None if width is None else 1 / (1 + 2 * width)

    def sample(self, index: int, record: Record) -> Sample:
        number = values.count(record, "num")
        numbers = numbers_around(number, self._window.heatmap_width) if self._window else []
        options = tuple(str(item) for item in numbers)
        return Sample(
            id=self.sample_id(index),
            images=(self.image(record["image"]),),
            question=values.text(record, "query"),
            options=options,
            answer=number,
            fields={"gt_choice": numbers.index(number)} if numbers else {},
        )


def numbers_around(number: int, width: int) -> list[int]:
    """The options for a count: numbers near it that have the same number of tens.

    These are the numbers at most ``width`` away. Each of them with fewer tens is replaced by the
    next number above the window, each with more tens by the next number below. Negative numbers
    are left out. So the tens of an option do not show whether it is right.

    >>> numbers_around(19, 2), numbers_around(10, 2)
    ([17, 18, 19, 16, 15], [13, 14, 10, 11, 12])
    """
    window = range(max(0, number - width), number + width + 1)
    above, below = window[-1], window[0]
    found = []
    for item in window:
        if item // 10 < number // 10:
            above += 1
            found.append(above)
        elif item // 10 > number // 10:
            below -= 1
            found.append(below)
        else:
            found.append(item)
    return [item for item in found if item >= 0]
