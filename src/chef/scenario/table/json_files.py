"""Tables in JSON: one object a line, or a document with a list of objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from chef.errors import DataError, nearest
from chef.scenario.table.json_scan import JsonScanner, json_value, line_items, member
from chef.scenario.table.rows import SMALL, PositionedTable, Problem, Row

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
