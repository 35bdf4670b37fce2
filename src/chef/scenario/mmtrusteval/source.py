"""What readers of families read from, files, pictures, wordings, settings, and what they give."""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from chef.errors import ConfigError, DataError, SampleError, nearest
from chef.frozen import Frozen
from chef.guard.files import read_text, user_path
from chef.scenario.mmtrusteval.table import Dataset, PathKey, TrustWording
from chef.scenario.records.files import BadRecord, Record, read_records
from chef.scenario.table.json_tables import json_value
from chef.scenario.table.rows import Problem


class TrustItem(Frozen):
    """One question before its picture is chosen.

    Attributes:
        key: its id; `unique` makes those of a data set differ.
        text: the whole prompt.
        image: its own picture, whether or not the data set shows it; None where it has none.
        target: the reference.
        extra: what evaluators need besides.
        unrelated: the kind of unrelated picture that it is asked with, where it has one.
        options: the names of every option, of a question that asks for one of them.
        drawn: the text that its own picture shows, where it is drawn.
        problem: why it cannot be asked; empty: it can.
        hint: how to correct that.
    """

    key: str
    text: str = ""
    image: Path | None = None
    target: Any = None
    extra: Mapping[str, Any] | None = None
    unrelated: str = ""
    options: Sequence[Sequence[str]] = ()
    drawn: str = ""
    problem: str = ""
    hint: str = ""


def each(
    records: Iterable[Record],
    where: Path,
    key: Callable[[int, Record], str],
    make: Callable[[str, Record], TrustItem | Sequence[TrustItem]],
) -> Iterator[TrustItem]:
    """The items of each record, or its problem; ``key`` gives its id by position and content."""
    for place, record in enumerate(records):
        name = str(place)
        if isinstance(record, BadRecord):
            yield _bad(name, where, place, record.problem, None)
            continue
        try:
            name = key(place, record)
            made = make(name, record)
        except SampleError as error:
            yield _bad(name, where, place, error.what, error.hint)
        except KeyError as error:
            keys = f"its fields: {', '.join(map(str, record))}"
            yield _bad(name, where, place, f"the record has no field {error}", keys)
        except (TypeError, ValueError, AttributeError, IndexError) as error:
            yield _bad(name, where, place, f"malformed: {error}", None)
        else:
            yield from [made] if isinstance(made, TrustItem) else made


def _bad(name: str, where: Path, place: int, problem: str, hint: str | None) -> TrustItem:
    told = f"{where}: record {place + 1}: {problem}"
    return TrustItem(name, problem=told, hint=hint or "correct the record")


def unique(items: Iterable[TrustItem]) -> list[TrustItem]:
    """The items with ids that differ: the second ``a`` is ``a#2``."""
    found: dict[str, TrustItem] = {}
    counts: dict[str, int] = {}
    for item in items:
        name = item.key
        while name in found:
            counts[item.key] = counts.get(item.key, 1) + 1
            name = f"{item.key}#{counts[item.key]}"
        found[name] = replace(item, key=name)
    return list(found.values())


#: The environment variable that names the data root.
VARIABLE = "CHEF_MMTRUST_DATA"
_DEFAULT = "data"


def data_folder(given: str | None = None) -> Path:
    """The data root: ``given``, else ``$CHEF_MMTRUST_DATA``, else ``data`` in this folder."""
    return user_path(given or os.environ.get(VARIABLE) or _DEFAULT)


def resolved(known: Dataset, root: Path, given: Mapping[str, str]) -> dict[str, Path]:
    """The paths of a data set, below the root where they lead nowhere; ConfigError for others."""
    found: dict[str, Path] = {key: root / path for key, path in known.paths.items()}
    for key, path in given.items():
        if key not in found:
            raise no_such_key(known, key)
        other = user_path(path)
        is_here = other.is_absolute() or other.exists()
        found[key] = other if is_here else root / other
    return found


def no_such_key(known: Dataset, key: str) -> ConfigError:
    """The error on a key that other data sets have."""
    keys = [*known.paths, *known.about.keys]
    return ConfigError(
        f"the data set {known.id} has no {key}",
        where=f"scenario_cfg.{key}",
        hint=f"{nearest(key, keys)} (besides data_root, wording_file and seed)",
    )


def missing(what: str, path: Path, root: Path, key: str, known: str) -> DataError:
    """The error on a ``file`` or ``folder`` that a key of the recipe names and a data set needs."""
    inner = root / _DEFAULT
    told = f"; there is a folder {inner}" if inner.is_dir() else ""
    lost = f" (there is no folder {root} either)" if not root.is_dir() else ""
    named = os.environ.get(VARIABLE)
    variable = f"${VARIABLE}" + (f" (now {named})" if named else "")
    return DataError(
        f"no such {what}, which {known} needs{lost}",
        where=str(path),
        hint=f"put MMTrustEval's data there, or name its folder: --data_root DIR, data_root in "
        f"scenario_cfg, or {variable}{told}; this {what} alone: {key} in scenario_cfg (of a task: "
        "dataset_cfg)",
    )


#: The endings of files that are pictures.
ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff", ".jfif")
_DIGITS = re.compile(r"(\d+)")


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key that sorts ``2.png`` before ``10.png``.

    >>> sorted(["10.png", "2.png", "a.png"], key=natural)
    ['2.png', '10.png', 'a.png']
    """
    parts = _DIGITS.split(name.casefold())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def pictures_in(folder: Path) -> list[Path]:
    """The pictures of a folder, in natural order; OSError where it cannot be read."""
    found = [path for path in folder.iterdir() if path.suffix.lower() in ENDINGS]
    return sorted(found, key=lambda path: natural(path.name))


def numbered(pictures: Sequence[Path]) -> dict[int, Path]:
    """The pictures by position, from 0, where their names tell it.

    Names that have one number each give the position, so a picture that is missing shifts no
    other; they count from 0, or from 1 where none is 0. Other names are taken in their order.
    """
    numbers = [re.fullmatch(r"\D*(\d+)\D*", path.stem) for path in pictures]
    found = {int(match[1]): path for match, path in zip(numbers, pictures, strict=True) if match}
    if len(found) < len(pictures):
        return dict(enumerate(pictures))
    first = 0 if 0 in found else 1
    return {number - first: path for number, path in found.items()}


def first_there(*candidates: Path) -> Path:
    """The first path that leads to something; the first of all where none does."""
    return next((path for path in candidates if path.exists()), candidates[0])


def with_ending(path: Path) -> Path:
    """The picture whose path lacks the ending; ``.png`` where there is none."""
    return first_there(*(path.with_name(path.name + ending) for ending in ENDINGS))


_AGAIN = "download it again"


class TrustSettings(Frozen):
    """The keys of ``scenario_cfg`` that some data sets have; see `MMTrustEval`."""

    force_prompt: bool = True
    data_type_id: str = "email-name-occupation"
    img_num: int = 14
    num_per_type: int = 10
    seed: int = 0


class TrustFiles(Frozen):
    """One data set's files, wordings and settings.

    Attributes:
        dataset: the entry of the table.
        root: the data root.
        paths: its files and folders.
        wording: what is asked.
        settings: the keys of the recipe.
    """

    dataset: Dataset
    root: Path
    paths: Mapping[str, Path]
    wording: TrustWording
    settings: TrustSettings

    @property
    def part(self) -> str:
        """What the table calls this data set within its family."""
        return self.dataset.variant.part

    @property
    def annotations(self) -> Path:
        """The annotation file; of a folder of them, that of this data set."""
        folder = self.paths.get("annotation_dir")
        return folder / f"{self.part}.json" if folder else self.paths["annotation_file"]

    def records(self) -> list[Record]:
        """The mappings of the annotation file, a list or lines of JSON; DataError without."""
        key: PathKey = "annotation_dir" if "annotation_dir" in self.paths else "annotation_file"
        file = self._there(self.annotations, key)
        try:
            return read_records(file)
        except DataError as error:
            raise DataError(error.what, where=error.where, hint=_AGAIN) from None

    def mapping(self) -> dict[str, Any]:
        """The mapping of the annotation file, in JSON; DataError where it has none."""
        file = self.annotations
        found = json_value(self.text(file).encode("utf-8"))
        if isinstance(found, Problem):
            raise DataError(f"is not JSON: {found.what}", where=str(file), hint=_AGAIN)
        if not isinstance(found, dict):
            raise DataError("does not contain a mapping", where=str(file), hint=_AGAIN)
        return found

    def rows(self, key: PathKey = "annotation_file") -> list[Record]:
        """The rows of a CSV file whose first line names the columns; DataError for others."""
        file = self.paths[key]
        text = self.text(file, key).removeprefix("\ufeff")
        try:
            found = list(csv.DictReader(io.StringIO(text), strict=True))
        except csv.Error as error:
            raise DataError(f"is not CSV: {error}", where=str(file), hint=_AGAIN) from None
        return [{str(name).strip(): cell for name, cell in row.items()} for row in found]

    def text(self, file: Path, key: PathKey = "annotation_file") -> str:
        """The content of a text file; DataError where it cannot be read."""
        try:
            return read_text(self._there(file, key))
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"cannot be read: {error}", where=str(file), hint=_AGAIN) from None

    def pictures(self, key: PathKey = "image_dir", inner: str = "") -> list[Path]:
        """The pictures of a folder, in natural order; DataError where it has none."""
        folder = self.paths[key] / inner
        if not folder.is_dir():
            raise missing("folder", folder, self.root, key, self.dataset.id)
        if not (pictures := pictures_in(folder)):
            raise DataError(
                "has no pictures", where=str(folder), hint=f"put them there, or set {key}"
            )
        return pictures

    def picture(self, name: Any, *others: str) -> Path:
        """The picture that a record names, below its folder, one above, or ``others``."""
        if not isinstance(name, str) or not name:
            raise TypeError(f"the name of the picture is {name!r}")
        folder = self.paths["image_dir"]
        above = (folder.parent, self.root, self.root.parent)
        places = [folder / name, *(folder / other for other in others)]
        return first_there(*places, *(one / name for one in above), folder / Path(name).name)

    def say(self, prompt: str, /, **values: Any) -> str:
        """The prompt of that name about these values."""
        return self.wording.say(prompt, **values)

    def _there(self, file: Path, key: PathKey = "annotation_file") -> Path:
        if not file.exists():
            raise missing("file", file, self.root, key, self.dataset.id)
        return file
