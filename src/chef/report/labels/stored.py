"""What people said about the answers of a run: ``labels_NAME.jsonl`` of its folder, one a person.

A file is a journal: a line is appended for each reply and made to survive a power failure before
the next answer is shown; nothing is overwritten. The last line about an answer counts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path

import msgspec

from chef.common.writing import json_line
from chef.errors import ConfigError
from chef.guard.folder import names_in
from chef.report.labels.scales import SCALES
from chef.run.journal import Lines, load_lines

_FILE = re.compile(r"labels_(\w[\w.-]{0,39})\.jsonl")


class Label(msgspec.Struct, frozen=True):
    """The reply of a person to a question about a sample; no label: the person could not tell."""

    question: str
    id: str
    label: float | None


class Labels(Lines[Label]):
    """One person's replies in a run folder, open for appending; ConfigError for an odd name."""

    def __init__(self, run: Path, person: str) -> None:
        super().__init__(file_of(run, person), _read, _key)

    def add(self, label: Label) -> None:
        """Append a reply, which survives a power failure once this returns; or RunError."""
        self.append(json_line(label))
        self.sync()

    def replies(self, question: str) -> dict[str, float | None]:
        """The replies to a question that the file has now, by sample id."""
        return _of(self.path, question)


def file_of(run: Path, person: str) -> Path:
    """The file of a person, whose name counts in any case; ConfigError if it cannot be one."""
    name = f"labels_{unicodedata.normalize('NFC', person).casefold()}.jsonl"
    if not _FILE.fullmatch(name):
        raise ConfigError(
            f"{person!r} cannot be the name of a person",
            where="--by",
            hint="letters, digits, '-', '_' and '.', at most 40, such as --by anna",
        )
    return run / name


def label_files(run: Path) -> list[str]:
    """The names of the files of people in a run folder; none where it cannot be read."""
    try:
        return [name for name in names_in(run) if _FILE.fullmatch(name)]
    except OSError:
        return []


def replies_of(run: Path, question: str) -> dict[str, dict[str, float | None]]:
    """The replies to a question by person and sample id; ConfigError for a damaged file, a link."""
    files = {name: run / name for name in label_files(run)}
    found = {_person(name): _of(file, question) for name, file in files.items()}
    return {person: replies for person, replies in found.items() if replies}


def _person(name: str) -> str:
    """The name of a person, by that of the file."""
    return name.removeprefix("labels_").removesuffix(".jsonl")


def _of(file: Path, question: str) -> dict[str, float | None]:
    items: Mapping[object, Label] = load_lines(file, _read, _key)
    return {item.id: item.label for item in items.values() if item.question == question}


def _read(line: bytes) -> Label:
    """What a line means; msgspec.DecodeError if it is none, or its label no score of its kind."""
    item = _DECODER.decode(line)
    scale = SCALES.get(item.question)
    if scale is None:
        raise msgspec.ValidationError(f"no question is called {item.question!r}")
    if item.label is not None and not scale.least <= item.label <= scale.most:
        raise msgspec.ValidationError(f"{item.label} is no score of {item.question!r}")
    return item


def _key(item: Label) -> tuple[str, str]:
    return item.question, item.id


_DECODER = msgspec.json.Decoder(Label)
