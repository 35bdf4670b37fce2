"""Tables in JSON, one object a line or a document with a list, and the one reader of JSON.

It tells where the items of a document and its lines are; memory holds one.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from chef.errors import DataError, nearest
from chef.scenario.table.delimited import CHUNK, MAX_ROW
from chef.scenario.table.rows import SMALL, UTF8, PositionedTable, Problem, Row

#: What lies between two brackets: whole strings, and all else.
_BETWEEN = re.compile(rb'(?:[^"{}\[\]]+|"[^"\\]*(?:\\.[^"\\]*)*")*', re.DOTALL)
_OPENING, _QUOTE = b"{[", b'"'
_NO_SPACE = re.compile(rb"[^ \t\r\n]")
_SCALAR_END = re.compile(rb"[,\]} \t\r\n]")
_TORN = "download it again, or write it again with json.dump"


class JsonItem(NamedTuple):
    """A value in the document, or a member of a mapping with its key."""

    offset: int
    content: bytes


class JsonScanner:
    """Walks through a list or a mapping at the top of a document (after a BOM), or at an offset.

    DataError while iterating: it ends too early, is malformed, or an item is longer than `MAX_ROW`
    bytes.
    """

    def __init__(self, file: BinaryIO, offset: int = 0) -> None:
        self._file = file
        file.seek(offset)
        self._data, self._base, self._at = bytearray(), offset, 0
        while len(self._data) < len(BOM_UTF8) and self._more():
            pass
        if offset == 0 and self._data.startswith(BOM_UTF8):
            self._at = len(BOM_UTF8)
        self.opening = self._next_byte()

    def items(self, *, to_end: bool = False) -> Iterator[JsonItem]:
        """The items of the list or the mapping; ``to_end``: nothing may follow it."""
        closing = b"]" if self.opening == b"[" else b"}"
        self._at += 1
        first = True
        while (byte := self._next_byte()) != closing:
            if not first:
                self._expect(byte, b",")
                self._at += 1
                self._next_byte()
            self._drop()
            self._at = self._member_end() if closing == b"}" else self._value_end(self._at)
            yield JsonItem(self._base, bytes(self._data[: self._at]))
            first = False
        if to_end:
            self._check_end()

    def _check_end(self) -> None:
        self._at += 1
        while not (match := _NO_SPACE.search(self._data, self._at)):
            self._at = len(self._data)
            if not self._more():
                return
        raise self._malformed(match.start())

    def _member_end(self) -> int:
        """The end of the key and the value that begin here."""
        self._expect(self._next_byte(), b'"')
        self._at = self._string_end(self._at)
        self._expect(self._next_byte(), b":")
        self._at += 1
        self._next_byte()
        return self._value_end(self._at)

    def _value_end(self, at: int) -> int:
        byte = bytes(self._data[at : at + 1])
        if byte == b'"':
            return self._string_end(at)
        if byte not in (b"{", b"["):
            return self._search(_SCALAR_END, at)
        depth, at = 1, at + 1
        while depth:
            if between := _BETWEEN.match(self._data, at):
                at = between.end()
            if at == len(self._data):
                self._read_on()
            elif self._data[at] in _QUOTE:  # of a string that is not all there yet
                at = self._string_end(at)
            else:
                depth += 1 if self._data[at] in _OPENING else -1
                at += 1
        return at

    def _string_end(self, opening: int) -> int:
        """The position after the quote that closes the string."""
        at = opening + 1
        while True:
            while (quote := self._data.find(b'"', at)) < 0:
                at = max(at, len(self._data))
                self._read_on()
            escapes = quote
            while self._data[escapes - 1 : escapes] == b"\\":
                escapes -= 1
            at = quote + 1
            if (quote - escapes) % 2 == 0:
                return at

    def _search(self, pattern: re.Pattern[bytes], at: int) -> int:
        while not (match := pattern.search(self._data, at)):
            at = len(self._data)
            self._read_on()
        return match.start()

    def _next_byte(self) -> bytes:
        """The next byte that is no space; the position moves to it."""
        self._at = self._search(_NO_SPACE, self._at)
        return bytes(self._data[self._at : self._at + 1])

    def _expect(self, byte: bytes, wanted: bytes) -> None:
        if byte != wanted:
            raise self._malformed(self._at)

    def _malformed(self, at: int) -> DataError:
        shown = bytes(self._data[at : at + 1]).decode("latin-1")
        return DataError(f"is not JSON: there is {shown!r} at byte {self._base + at:,}", hint=_TORN)

    def _drop(self) -> None:
        """Forget what lies before the position."""
        del self._data[: self._at]
        self._base += self._at
        self._at = 0

    def _read_on(self) -> None:
        if len(self._data) >= MAX_ROW:
            raise DataError(
                f"the item at byte {self._base:,} is longer than {MAX_ROW:,} bytes",
                hint="keep the images in files, or write the data as Parquet",
            )
        if not self._more():
            raise DataError("is not JSON: it ends too early", hint=_TORN)

    def _more(self) -> bool:
        chunk = self._file.read(CHUNK)
        self._data += chunk
        return bool(chunk)


def line_items(file: BinaryIO) -> Iterator[JsonItem]:
    """The lines that are not blank; DataError for one longer than `MAX_ROW` bytes."""
    file.seek(0)
    offset = len(BOM_UTF8) if file.read(len(BOM_UTF8)) == BOM_UTF8 else 0
    file.seek(offset)
    while line := file.readline(MAX_ROW):
        if len(line) == MAX_ROW:
            raise DataError(
                f"the line at byte {offset:,} is longer than {MAX_ROW:,} bytes",
                hint="write one object a line",
            )
        if not line.isspace():
            yield JsonItem(offset, line)
        offset += len(line)


def member(content: bytes) -> tuple[str, int]:
    """The key of a member of a mapping, and where its value begins."""
    text, end = content, 1
    while True:
        end = text.index(b'"', end) + 1
        key = json_value(text[:end])
        if isinstance(key, str):
            break
    value = text.index(b":", end) + 1
    return key, value + len(text[value:]) - len(text[value:].lstrip())


def json_value(content: bytes) -> Any:
    """The value of JSON, with Python's NaN and large numbers; a `Problem` if it is none."""
    try:
        return msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        return json.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        return Problem(f"not UTF-8: byte 0x{error.object[error.start]:02x}", UTF8)
    except RecursionError:
        return Problem("it is nested too deeply", "write plain values and lists")
    except ValueError as error:  # also a number of thousands of digits
        return Problem(f"it is not valid JSON: {error}", "correct the row, or write it again")


_ONE_OBJECT = 'write the row as one object: {"question": ..., "answer": ...}'
#: So many bytes of a value tell whether it is a list of objects, whatever space is in it.
_HEAD = 256
_JSON_NAMES = {list: "a list", str: "a text", int: "a number", float: "a number",
               bool: "true or false", type(None): "null"}  # fmt: skip
#: Parses an object without building its values.
_SHALLOW = msgspec.json.Decoder(dict[str, msgspec.Raw])
_VALUE = msgspec.json.Decoder()


class JsonTable(PositionedTable):
    """Rows that are JSON objects."""

    def __init__(self, path: Path) -> None:
        self._found = dict[str, None]()
        super().__init__(path)
        self.columns = tuple(self._found)

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        for row in super().scan(columns):
            yield row if columns or isinstance(row, Problem) else {}

    def _small(self, content: bytes) -> bytes | None:
        """What is small in a row, of which the names of its columns are taken; None if unclear."""
        row = self._parsed(content, ())
        if isinstance(row, Problem):
            return None
        if not row.keys() <= self._found.keys():
            self._found.update(dict.fromkeys(row))
        if len(content) <= SMALL or self._kept is None:
            return content
        small = []
        for name, value in row.items():
            if not isinstance(value, msgspec.Raw):  # a row with NaN, say
                return None
            if len(value) > SMALL:
                self._left_out.add(name)
            else:
                small.append(msgspec.json.encode(name) + b":" + bytes(value))
        return b"{" + b",".join(small) + b"}"

    def _parsed(self, content: bytes, columns: Sequence[str] | None) -> Row | Problem:
        if columns is not None:
            try:
                shallow = _SHALLOW.decode(content)
                if not columns:
                    return shallow
                return {name: _VALUE.decode(shallow[name]) for name in columns if name in shallow}
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
                pass  # slower, and with a message
        value = json_value(content)
        if not isinstance(value, dict | Problem):
            what = _JSON_NAMES[type(value)]
            return Problem(f"the row is {what}, not an object", _ONE_OBJECT)
        return value


class JsonLines(JsonTable):
    """One JSON object in each line; blank lines are skipped."""

    def _index(self, file: BinaryIO) -> None:
        for offset, line in line_items(file):
            self._add(offset, len(line), self._small(line))


def _captions(annotations: JsonScanner) -> dict[str, list[Any]]:
    """The captions of COCO's annotations by the id of their image; of other kinds none."""
    captions: dict[str, list[Any]] = {}
    for item in annotations.items():
        one = json_value(item.content)
        if not isinstance(one, dict) or not {"image_id", "caption"} <= {*one}:
            return {}
        captions.setdefault(str(one["image_id"]), []).append(one["caption"])
    return captions


class JsonDocument(JsonTable):
    """The objects of a list (``within`` a mapping), or those of a mapping, whose keys are then the
    column ``id``. Of COCO's captions the rows are the images, with the column ``captions``.
    """

    def __init__(self, path: Path, within: str | None = None) -> None:
        self._within, self._has_keys = within, False
        self._captions: dict[str, list[Any]] | None = None
        super().__init__(path)

    def _index(self, file: BinaryIO) -> None:
        scanner = JsonScanner(file)
        if scanner.opening == b"{":
            scanner = self._list_within(file, scanner)
        elif scanner.opening != b"[":
            raise DataError("is JSON, but no list of objects", hint="write a list: [{...}, ...]")
        for offset, content in scanner.items(to_end=self._within is None):
            self._add(offset, len(content), self._small(content))
        if self._captions:
            self._found["captions"] = None

    def _list_within(self, file: BinaryIO, scanner: JsonScanner) -> JsonScanner:
        """The scanner at the list in a mapping; or at the mapping, if its values are the rows."""
        starts: dict[str, tuple[int, bytes]] = {}
        for offset, content in scanner.items():
            key, length = member(content)
            head = content[length : length + _HEAD].translate(None, b" \r\n\t")
            starts[key] = offset + length, head
        lists = [key for key, (_, head) in starts.items() if head.startswith(b"[{")]
        if self._within is None and {"images", "annotations"} <= {*lists}:
            self._captions = _captions(JsonScanner(file, starts["annotations"][0]))
            self._within = "images" if self._captions else None
        if self._within is None and len(lists) == 1:
            self._within = lists[0]
        if self._within in lists:
            return JsonScanner(file, starts[self._within][0])
        has_objects = any(head.startswith(b"{") for _, head in starts.values())
        if self._within is None and not lists and has_objects:
            self._has_keys, self._kept = True, None
            return JsonScanner(file)
        asked = f"no list '{self._within}'" if self._within else "no list of objects"
        if lists and not self._within:
            asked = "several lists of objects"
        known = nearest(self._within or "", lists)
        hint = f"set within in scenario_cfg: {known}" if lists else self._rows_hint(starts)
        raise DataError(f"is a mapping with {asked}", hint=hint)

    def _rows_hint(self, starts: Mapping[str, tuple[int, bytes]]) -> str:
        """What to do with a mapping that has no rows: it may have a list for each column."""
        if not starts or not all(head.startswith(b"[") for _, head in starts.values()):
            return "write a list: [{...}, ...]"
        orient = ", orient='split'" if {"columns", "data"} <= starts.keys() else ""
        to = Path(self.path).with_suffix(".jsonl")
        return (
            "it has a list for each column; write its rows: "
            f"python -c \"import pandas; pandas.read_json('{self.path}'{orient})"
            f".to_json('{to}', orient='records', lines=True)\""
        )

    def _digested(self, position: int, content: bytes) -> bytes | memoryview:
        row = self._parsed(content, None) if self._captions else None
        if isinstance(row, dict):
            return msgspec.json.encode(row)
        return super()._digested(position, content)

    def _parsed(self, content: bytes, columns: Sequence[str] | None) -> Row | Problem:
        if self._captions and columns != ():
            row = super()._parsed(content, None)
            if isinstance(row, Problem):
                return row
            row = {**row, "captions": self._captions.get(str(row.get("id")))}
            return row if columns is None else {n: row[n] for n in columns if n in row}
        if not self._has_keys:
            return super()._parsed(content, columns)
        key, length = member(content)
        row = super()._parsed(content[length:], columns)
        return row if isinstance(row, Problem) else {"id": key, **row}
