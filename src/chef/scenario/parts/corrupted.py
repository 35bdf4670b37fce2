"""Corrupted questions and images that replace the clean ones (ChEF's robustness data)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from chef.common.digest import file_digest
from chef.errors import DataError, SampleError
from chef.scenario.records.files import Record, read_records


def corrupted_root(path: str, *, with_images: bool) -> Path:
    """The root of the corrupted data; DataError where its images are needed and it is not there."""
    folder = Path(path).expanduser()
    if with_images and not folder.is_dir():
        raise DataError(
            "no such folder",
            where=str(folder),
            hint="put the corrupted data there, or set scenario_cfg.data_c_path",
        )
    return folder


class CorruptedQuestions:
    """The questions (``id, query, gt_choices, gt_choice``) of a corrupted copy of a data set.

    A record belongs to the sample with the same id. Where the ids of the file are its positions, a
    record belongs to the sample at the same position. Both must have the same number of choices.
    """

    def __init__(self, file: Path) -> None:
        self.file = file

    @cached_property
    def records(self) -> list[Record]:
        """The corrupted records, read when they are first needed."""
        return read_records(self.file)

    @cached_property
    def _positions(self) -> dict[str, int]:
        """Positions by id; DataError where an id occurs twice."""
        names = [str(record.get("id", place)) for place, record in enumerate(self.records)]
        if len(set(names)) < len(names):
            raise DataError("an id occurs twice", where=str(self.file))
        return {name: place for place, name in enumerate(names)}

    def position(self, name: str, place: int) -> int:
        """The position of the corrupted form of the sample at a place; SampleError without one."""
        if name in self._positions:
            return self._positions[name]
        if all(key == str(at) for key, at in self._positions.items()) and place < len(self.records):
            return place
        raise self._missing(name)

    def of_id(self, name: str) -> Record:
        """The record with the id of a sample; SampleError where there is none."""
        if name not in self._positions:
            raise self._missing(name)
        return self.records[self._positions[name]]

    def _missing(self, name: str) -> SampleError:
        hint = "create the corrupted data for this split (python tools/corrupt.py), or download it"
        return SampleError(f"no corrupted form of '{name}'", where=str(self.file), hint=hint)

    def question(self, name: str, place: int, choices: Sequence[str]) -> Record:
        """The corrupted record of a sample, its choices in any order; SampleError without one."""
        at = self.position(name, place)
        try:
            record = self.records[at]
            given = record["gt_choices"]
        except (IndexError, KeyError) as error:
            raise SampleError(
                f"no corrupted question at position {at}: {error}", where=str(self.file)
            ) from None
        self.check_choices(at, given, choices)
        return record

    def check_choices(self, at: int, corrupted: Sequence[str], clean: Sequence[str]) -> None:
        """SampleError where the record at a position has not as many choices as its sample."""
        if len(corrupted) != len(clean):
            raise SampleError(
                f"the corrupted question has {len(corrupted)} choices, the clean one {len(clean)}",
                where=f"{self.file}: record {at}",
                hint="it belongs to another version of the data",
            )

    def digest(self) -> str:
        """A digest of the file."""
        return file_digest(self.file)
