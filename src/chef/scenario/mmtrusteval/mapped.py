"""Families whose files are tables: the table of data sets says which field is what."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from chef.common.logs import logger
from chef.errors import DataError, SampleError, nearest
from chef.image import Image
from chef.scenario.mmtrusteval.source import (
    TrustFiles,
    TrustItem,
    each,
    first_there,
    missing,
    natural,
    with_ending,
)
from chef.scenario.mmtrusteval.table import UNRELATED, Mapped, PathKey
from chef.scenario.questions.values import as_text, transformed
from chef.scenario.records.files import BadRecord, Record

#: Makes the target of a record.
Target: TypeAlias = Callable[[Record], Any]
_log = logger(__name__)


def mapped(source: TrustFiles, target: Target | None = None) -> Iterator[TrustItem]:
    """The items of the records as the table maps their fields, or with other targets."""
    how = source.dataset.about.rows
    assert how is not None
    where = source.annotations if how.file not in ("pictures", "folders") else source.root
    for records in _parts(source, how):
        made = _Made(source, how, records, target)
        yield from each(made.records, where, made.key, made.items)


class _Made:
    """Makes the items of records that stand together: those of a file, or of one of its groups."""

    def __init__(
        self, source: TrustFiles, how: Mapped, records: list[Record], target: Target | None
    ) -> None:
        self.source, self.how, self._target = source, how, target or self._mapped_target
        self.is_own = source.dataset.variant.image == "own"
        self.records, self._pictures = records, list[Path]()
        if how.picture == "every" and self.is_own:
            self._pictures = source.pictures()
        if how.picture == "next":
            self._pair()
        self._next = iter(self._pictures)

    def _pair(self) -> None:
        """Note the picture that each record names, else take those of the folder in order."""
        source, first = self.source, self.records[0] if self.records else {}
        names = self.how.columns["images"]
        if column := next((name for name in names if name in first), None):
            self.records = [{**one, "picture": one[column]} for one in self.records]
        elif self.is_own:
            self._pictures = source.pictures()
            if len(self._pictures) != len(self.records):
                _log.warning(
                    "%s: %d questions and %d pictures in %s, paired in natural order of their "
                    "names; a column 'image' would tell which belong together",
                    *(source.annotations, len(self.records), len(self._pictures)),
                    source.paths["image_dir"],
                )

    def key(self, place: int, one: Record) -> str:
        """The id of a record: its fields, else its position in the file."""
        number = place + int(self.how.file == "csv")
        fields = [_id_part(one, field, number) for field in self.how.columns.get("id", ())]
        return "/".join(fields) or str(number)

    def items(self, name: str, one: Record) -> list[TrustItem]:
        """The items of a record, whose own one has this id."""
        how, path = self.how, self._picture(one)
        flags = {key: flagged(one, key, columns) for key, columns in how.flags.items()}
        texts = self._texts(one, flags)
        truth, extra = self._target(one), dict[str, Any](flags)
        if (category := how.column("category")) and category != how.ways:
            extra["subset"] = one[category]
        if how.size and path is not None:
            extra[how.size] = list(Image(path).size)
        options = tuple(self._options.values())
        item = TrustItem(name, texts[0], path, truth, extra or None, options=options)
        if self.source.dataset.variant.image == "each":
            return per_kind(item, how.times)
        if how.picture == "every" and self.is_own:
            return [replace(item, key=f"{name}/{one.stem}", image=one) for one in self._pictures]
        return _each_way(how, item, texts) if how.ways else [item]

    @property
    def _options(self) -> Mapping[str, Sequence[str]]:
        """The names of every option by its label; none where the target is no option."""
        options = self.how.options
        return self.source.wording.answers if options == "answers" else dict(options)

    def _texts(self, one: Record, flags: Mapping[str, str]) -> list[str]:
        """The question in each of its wordings."""
        how, source = self.how, self.source
        if not (prompt := source.dataset.variant.prompt or how.prompt):
            field = how.column("question")
            return [filled(one, field) if field else ""]
        # The two halves of MNLI are asked alike.
        group = str(one.get("group", "")).split("-", maxsplit=1)[0]
        prompt = prompt.replace("{part}", source.part).replace("{group}", group)
        if prompt not in (prompts := source.wording.prompts):
            raise SampleError(f"unknown task '{group}'", hint=nearest(prompt, prompts))
        fields = [name for name in source.wording.fields(prompt) if name not in flags]
        values = {name: _field(one, how.fields.get(name, name)) for name in fields}
        texts = source.wording.ways(prompt, **values, **flags)
        if any(field.endswith("?") for field in how.fields.values()):
            return [text.strip() for text in texts]  # of a missing field a line may be left
        return texts

    def _mapped_target(self, one: Record) -> Any:
        """The target of a record: a field, a text with fields in braces, or an option."""
        name = self.how.column("answer").replace("{file}", self.source.dataset.variant.file)
        if options := self._options:
            label = filled(one, name)
            known = label if label in options else label.capitalize()
            if known not in options:
                raise SampleError(f"unknown {name} '{label}'", hint=nearest(label, options))
            return list(options[known])
        if "{" in name:
            return name.format_map(one)
        transform = self.how.transforms.get("answer", "as_is")
        return transformed(transform, name, one[name]) if name else None

    def _picture(self, one: Record) -> Path | None:
        """The picture of a record, whether or not it is there; None without."""
        source, how, shown = self.source, self.how, next(self._next, None)
        if "path" in one:
            return Path(one["path"])
        if how.picture in ("named", "by_part"):
            if source.dataset.is_text:
                return None
            name = one[how.column("images")]
            # Pictures may also be in a folder of the part, as in those of several sensors.
            others = [f"{source.part}/{name}"] if how.picture == "by_part" else []
            return source.picture(name, *others)
        if how.picture == "next" and "picture" not in one:
            return shown
        return self._in_folder(one) if self.is_own and how.picture != "every" else None

    def _in_folder(self, one: Record) -> Path:
        """The picture that fields name without its ending, or without a folder."""
        source, how = self.source, self.how
        folder = source.paths["image_dir"]
        if how.picture == "ending":
            return with_ending(folder / how.column("images").format_map(one))
        if how.picture == "next":
            name = filled(one, "picture")
            return first_there(source.picture(name), with_ending(folder / name))
        kind, number = (filled(one, name) for name in how.columns["images"])
        inner = (folder / kind, folder / kind.lower(), folder)
        return first_there(*(with_ending(place / number.strip()) for place in inner))


def filled(one: Record, field: str) -> str:
    """The text of a field; KeyError if there is none, SampleError if it is empty or no text."""
    return as_text(field, one[field])


def per_kind(item: TrustItem, times: int = 1) -> list[TrustItem]:
    """An item with unrelated pictures: so many of every kind."""
    return [
        replace(item, key=f"{item.key}/{kind}" + (f"-{number}" if times > 1 else ""), image=None,
                unrelated=kind)
        for kind in UNRELATED
        for number in range(1, times + 1)
    ]  # fmt: skip


def of_kind(source: TrustFiles, key: PathKey, kind: str) -> list[Path]:
    """The pictures whose names contain a kind, in natural order; DataError without any."""
    if matching := [path for path in source.pictures(key) if kind in path.name]:
        return matching
    raise DataError(
        f"has no pictures with '{kind}' in their names",
        where=str(source.paths[key]),
        hint=f"put them there, or set {key} in scenario_cfg",
    )


def inner_folders(source: TrustFiles) -> list[str]:
    """The names of the folders in that of the pictures, in natural order; DataError without any."""
    folder = source.paths["image_dir"]
    if not folder.is_dir():
        raise missing("folder", folder, source.root, "image_dir", source.dataset.id)
    names = [path.name for path in folder.iterdir() if path.is_dir()]
    if not names:
        raise DataError(
            "has no inner folders", where=str(folder), hint="put a folder for each kind there"
        )
    return sorted(names, key=natural)


def flagged(one: Record, attribute: str, columns: Mapping[str, str]) -> str:
    """What the one column that is set means; KeyError or SampleError unless one is."""
    is_set = ("1", "1.0", "true", "yes")
    values = [v for name, v in columns.items() if str(one[name]).strip().lower() in is_set]
    if len(values) != 1:
        what = f"several of {attribute}: {', '.join(values)}" if values else f"no {attribute}"
        raise SampleError(f"it has {what}", hint=f"set one of {', '.join(columns)} to 1")
    return values[0]


def _id_part(one: Record, field: str, number: int) -> str:
    """A field of an id; that of a field that may be missing is the position."""
    if "{" in field:
        return field.format_map(one)
    if not field.endswith("?"):
        return filled(one, field)
    value = one.get(field[:-1])
    return str(number) if value is None or value == "" else str(value)


def _field(one: Record, field: str) -> str:
    """The text of a field; one whose name ends in ``?`` may be missing."""
    return one.get(field[:-1]) or "" if field.endswith("?") else filled(one, field)


def _each_way(how: Mapped, item: TrustItem, texts: Sequence[str]) -> list[TrustItem]:
    """A record in each wording of its prompt; its id and perhaps its subset have the number."""
    is_subset = how.column("category") == how.ways
    if len(texts) == 1 and not is_subset:
        return [item]
    labels = [how.ways.replace("{number}", str(number)) for number in range(1, len(texts) + 1)]
    return [
        replace(item, key=f"{item.key}/{label}", text=text,
                extra={"subset": label} if is_subset else None)
        for label, text in zip(labels, texts, strict=True)
    ]  # fmt: skip


def _parts(source: TrustFiles, how: Mapped) -> Iterable[list[Record]]:
    """The records of the file, or of each of its groups."""
    if how.file == "csv":
        return [source.rows()]
    if how.file == "list":
        return [source.records()]
    if how.file == "pictures":
        paths = of_kind(source, "image_dir", source.part) if source.part else source.pictures()
        return [[{"name": path.name, "path": path} for path in paths]]
    if how.file == "folders":
        return [
            [{"group": folder, "name": path.name, "path": path}
             for path in source.pictures(inner=folder)]
            for folder in inner_folders(source)
        ]  # fmt: skip
    groups = source.mapping()
    if how.file == "named":
        return [[_of_group(name, value) for name, value in groups.items()]]
    if lost := next((name for name, some in groups.items() if not isinstance(some, list)), None):
        where = f"{source.annotations}: {lost}"
        raise DataError("is not a list of records", where=where, hint="download it again")
    make = _of_group if how.file == "groups" else _of_text
    return [[make(name, value) for value in some] for name, some in groups.items()]


def _of_group(name: str, value: Any) -> Record:
    if isinstance(value, dict):
        return {**value, "group": name}
    return BadRecord(f"it is a {type(value).__name__}, not a mapping")


def _of_text(name: str, value: Any) -> Record:
    """A text alone as a record, with its digest, by which its picture is called."""
    if not isinstance(value, str):
        return BadRecord(f"the text of {name} is {value!r}")
    # Nothing depends on its being hard to forge.
    digest = hashlib.md5(value.encode("utf-8", "surrogatepass")).hexdigest()  # noqa: S324
    return {"group": name, "text": value, "md5": digest}
