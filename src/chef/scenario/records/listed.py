"""Data sets that are a list of records in a JSON file, with images in folders next to it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.common.digest import file_digest
from chef.errors import DataError, SampleError
from chef.image import Image
from chef.scenario.base import Scenario
from chef.scenario.records.files import BadRecord, Record, read_records
from chef.scenario.records.hub import Origin, schema_of
from chef.scenario.records.values import as_text
from chef.types import Sample

if TYPE_CHECKING:
    from chef.scenario.records.hub import HubRecords


class Listed(Scenario):
    """A scenario over a list of records; a subclass implements `sample` for one record.

    The list is read on first use. A record that lacks a key or has a wrong value becomes one
    `SampleError`, which gives its position; the other records are not affected.

    Args:
        base_data_path: the data root; the paths in the records are relative to it.
        meta: the file that lists the records, relative to the root.
        within: the key of the list, if the file contains a mapping.
        source: ``hub`` takes the records from a data set of the hub instead. ``base_data_path`` is
            then its name, or a local folder that contains it (`chef.scenario.records.hub`).

    Raises:
        ConfigError: ``source`` is ``hub``, and the columns of such a data set are not known.
    """

    def __init__(
        self,
        base_data_path: str,
        meta: str,
        within: str | None = None,
        source: Origin = "files",
    ) -> None:
        self.root = Path(base_data_path).expanduser()
        self.meta = self.root / meta
        self._within = within
        self._hub_name = base_data_path if source == "hub" else None
        if source == "hub":
            schema_of(self.name)

    @cached_property
    def records(self) -> list[Record]:
        """The records of the samples, in order; DataError if the file is missing or malformed."""
        try:
            return self.read()
        except (KeyError, TypeError, ValueError) as error:
            fault = f"a record has no key {error}" if isinstance(error, KeyError) else str(error)
            raise DataError(
                f"malformed: {fault}", where=str(self.meta), hint="download it again"
            ) from error

    @property
    def data(self) -> list[Record]:
        """ChEF's name of `records`; a subclass may assign other ones."""
        return self.records

    @data.setter
    def data(self, records: list[Record]) -> None:
        self.records = records

    def read(self) -> list[Record]:
        """Read the records, and `expand` each. One that cannot be expanded stays, as an error."""
        given = self._hub.records if self._hub_name else read_records(self.meta, self._within)
        return [record for place, one in enumerate(given) for record in self._expanded(place, one)]

    def expand(self, place: int, record: Record) -> Sequence[Record]:  # noqa: ARG002
        """The records of the samples that the record at a place stands for; none leaves it out.

        A SampleError, KeyError, TypeError or ValueError becomes the error of one sample.
        """
        return (record,)

    def _expanded(self, place: int, record: Record) -> Sequence[Record]:
        if isinstance(record, BadRecord):
            return (record,)
        try:
            return self.expand(place, record)
        except SampleError as error:
            return (BadRecord(error.what, record),)
        except (KeyError, TypeError, ValueError) as error:
            fault = f"the record has no key {error}" if isinstance(error, KeyError) else str(error)
            return (BadRecord(f"malformed: {fault}", record),)

    @cached_property
    def _hub(self) -> HubRecords:
        from chef.scenario.records.hub import read_hub

        assert self._hub_name is not None
        return read_hub(self._hub_name, schema_of(self.name))

    @abstractmethod
    def sample(self, index: int, record: Record) -> Sample:
        """Make the sample ``sample_id(index)`` of a record.

        A KeyError, TypeError, ValueError, AttributeError or IndexError becomes its `SampleError`.
        """

    def __len__(self) -> int:
        return len(self.records)

    def sample_id(self, index: int) -> str:
        """The id in the record, or its position if it has none."""
        return str(self.records[index].get("id", index))

    def __getitem__(self, index: int) -> Sample:
        record = self.records[index]
        where = f"{self._hub_name or self.meta}: record {index}"
        if isinstance(record, BadRecord):
            raise SampleError(record.problem, where=where, hint="correct the record")
        try:
            # By keyword, so that a subclass with other parameters fails instead of mixing them up.
            sample = self.sample(index=index, record=record)
        except KeyError as error:
            raise SampleError(
                f"the record has no key {error}",
                where=where,
                hint=f"its keys: {', '.join(record)}",
            ) from None
        except (TypeError, ValueError, AttributeError, IndexError) as error:
            raise SampleError(f"malformed: {error}", where=where) from error
        except SampleError as error:
            if error.where is not None:
                raise
            raise type(error)(error.what, where=where, hint=error.hint) from error
        image = record.get("image")
        if isinstance(image, str) and "image_path" not in sample.fields:
            # As in ChEF's records. Metrics use it to find the samples that share an image.
            return replace(sample, fields={"image_path": image, **sample.fields})
        return sample

    def image(self, relative: str) -> Image:
        """The image at a path relative to the data root; SampleError if it is no path."""
        relative = as_text("image", relative)
        return Image(self.root / relative)

    def images(self, value: Any, folder: Path | None = None) -> tuple[Image, ...]:
        """The images of a path below a folder or the root, or of a cell of the hub; or none."""
        if not value:
            return ()
        if isinstance(value, str):
            return (Image((folder or self.root) / value),)
        images: tuple[Image, ...] = value.images()
        return images

    def fingerprint(self) -> str:
        """A digest of the file that lists the records, or of the data set; images are not read."""
        return self._hub.fingerprint if self._hub_name else file_digest(self.meta)
