"""Data sets whose samples are the records of a JSON file, with images in folders beside it."""

from __future__ import annotations

import hashlib
import json
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from chef.errors import DataError, SampleError
from chef.image import Image
from chef.scenario.base import Scenario
from chef.types import Sample

Record: TypeAlias = Mapping[str, Any]


class Listed(Scenario):
    """A scenario over a list of records; a subclass makes one record a sample.

    The list is read when it is first needed. A record that lacks a key, or holds a wrong value,
    is one `SampleError` that names its place, and the others run.

    Args:
        base_data_path: the data root, where the paths in the records start.
        meta: the file that lists the records, below the root.
        within: the key of the list, where the file holds a mapping.
    """

    def __init__(self, base_data_path: str, meta: str, within: str | None = None) -> None:
        self.root = Path(base_data_path).expanduser()
        self.meta = self.root / meta
        self._within = within

    @cached_property
    def records(self) -> list[Record]:
        """What the samples are made of, in order.

        Raises:
            DataError: the file is missing or malformed.
        """
        return read_records(self.meta, self._within)

    @abstractmethod
    def sample(self, name: str, record: Record) -> Sample:
        """The sample of one record; a KeyError, TypeError or ValueError counts as its fault."""

    def __len__(self) -> int:
        return len(self.records)

    def sample_id(self, index: int) -> str:
        """The record's own id, or its position."""
        return str(self.records[index].get("id", index))

    def __getitem__(self, index: int) -> Sample:
        record = self.records[index]
        where = f"{self.meta}: record {index}"
        try:
            sample = self.sample(self.sample_id(index), record)
        except KeyError as error:
            raise SampleError(
                f"the record has no key {error}",
                where=where,
                mend=f"its keys: {', '.join(record)}",
            ) from None
        except (TypeError, ValueError, AttributeError, IndexError) as error:
            raise SampleError(f"malformed: {error}", where=where) from error
        image = record.get("image")
        if isinstance(image, str) and "image_path" not in sample.fields:
            # As in ChEF's records; metrics know from it which samples share an image.
            return replace(sample, fields={"image_path": image, **sample.fields})
        return sample

    def image(self, relative: str) -> Image:
        """An image by its path below the data root."""
        return Image(self.root / relative)

    def fingerprint(self) -> str:
        """Of the file that lists the records; images are not read for it."""
        return file_digest(self.meta)


def read_records(file: Path, within: str | None = None) -> list[Record]:
    """The mappings listed in a JSON file, or one a line in a file of JSON lines.

    Args:
        file: UTF-8. JSON lines are told by a first line that is a mapping by itself.
        within: the key of the list, where the file holds a mapping.

    Raises:
        DataError: no such file, no JSON, or no list of mappings.
    """
    where = str(file)
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DataError(
            "no such file",
            where=where,
            mend="put the data set there, or set scenario_cfg.base_data_path; "
            "tools/prepare_data.py knows where to get it",
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"cannot be read: {error}", where=where) from None
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        content = _json_lines(text)
        if content is None:
            raise DataError(f"no JSON: {error}", where=where, mend="download it again") from None
    if within is not None and isinstance(content, dict):
        content = content.get(within)
    if isinstance(content, dict):  # a single line of JSON lines
        content = [content]
    if not isinstance(content, list) or not all(isinstance(item, dict) for item in content):
        inside = f" under '{within}'" if within else ""
        raise DataError(f"holds no list of mappings{inside}", where=where)
    return content


def file_digest(*files: Path) -> str:
    """Names the content of files: 32 hex digits.

    Raises:
        DataError: one is missing.
    """
    state = hashlib.blake2b(digest_size=16)
    for file in files:
        try:
            with file.open("rb") as stream:
                while chunk := stream.read(1 << 20):
                    state.update(chunk)
        except OSError as error:
            raise DataError(f"cannot be read: {error.strerror}", where=str(file)) from None
    return state.hexdigest()


def _json_lines(text: str) -> list[Any] | None:
    """The lines as JSON; None where they are not."""
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except json.JSONDecodeError:
        return None
