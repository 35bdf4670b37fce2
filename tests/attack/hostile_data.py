"""Data sets that are damaged on purpose, drawn from a random stream, so that each run is the same.

A data set has good samples first and hostile ones behind them: what is good must be answered
whatever comes with it.
"""

from __future__ import annotations

import base64
import copy
import io
import json
import os
import random
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import PIL.Image

#: What stands where something else should.
VALUES: tuple[Any, ...] = (
    None, "", " \t", 0, -1, -7, 99, 3.5, "3.5", "NaN", True, float("nan"), float("inf"), 1e308,
    10**400, [], {}, [None], [[]], [0], ["a", "b"], {"a": 1}, "x" * 100_000, "\x00", "\ud800",
    "../../../etc/passwd", "/dev/zero", ".", "e\u0301" * 40, "\u202e(B)", "<think>", "{image}",
    "${oc.env:HOME}", [1, 2, [3, [4, [5]]]], [0.1, 0.2, float("nan"), 0.4], b"".hex(), "Yes\tNo",
)  # fmt: skip


def deep(levels: int) -> Any:
    """A list in a list in a list."""
    found: Any = "deep"
    for _ in range(levels):
        found = [found]
    return found


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything inside a record."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    return [
        place
        for key, item in inside
        for place in (
            (*path, key),
            *(places(item, (*path, key)) if isinstance(item, dict | list) else ()),
        )
    ]


def damaged(record: dict[str, Any], rng: random.Random) -> Any:
    """A copy of a record with one to three things in it replaced or removed; or something else."""
    if rng.random() < 0.08:
        return rng.choice((*VALUES, deep(300)))
    found = copy.deepcopy(record)
    for _ in range(rng.randint(1, 3)):
        *way, last = rng.choice(places(found) or [("new",)])
        holder: Any = found
        for key in way:
            holder = holder[key]
        act = rng.random()
        if act < 0.15 and [*way, last] != ["new"]:
            del holder[last]
        elif act < 0.2:
            holder[last] = deep(300)
        elif act < 0.25 and isinstance(holder, dict):
            holder |= {f"key {number}": number for number in range(1000)}
        else:
            holder[last] = copy.deepcopy(rng.choice(VALUES))
    return found


def written(records: list[Any], *, as_lines: bool, within: str | None = None) -> str:
    """A list of records as the text of a file."""
    if as_lines:
        return "".join(json.dumps(record) + "\n" for record in records)
    return json.dumps({within: records} if within else records)


HEADER = ("index", "question", "A", "B", "C", "answer", "image", "category")
PIXEL = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108020000009077"
        "53de0000000c49444154789c63f8cfc000000301010018dd8db00000000049454e44ae426082"
    )
).decode()
CELLS = (
    "", " ", "nan", "A", "Z", "AB", "(b)", '"', '""', '"a', 'a"b', "\x00", "\x0b", "\x1b[2J",
    "x" * 200_000, "[" * 2_000, "['a'", "[1, null]", "{'a': 1}", "2", "g1", "1000001", "-1",
    "99999999999999999999", "data:image/png;base64,", PIXEL, PIXEL[:40], "A" * 65, "A" * 4_000,
    "/9j/", "iVBORw0KGgo=", "\u202e", "\u0000\ufeff", "\U0001f600" * 300, "line\rline", "\u2028",
)  # fmt: skip


def good_rows(count: int) -> list[str]:
    """Lines of a TSV that can be asked."""
    return [f"g{n}\tWhat is it? {n}\tcat\tdog\tbird\tB\t{PIXEL}\tpets" for n in range(count)]


def hostile_row(number: int, rng: random.Random) -> bytes:
    """A line of a TSV that may be wrong in any way."""
    cells = [f"h{number}", "What?", "cat", "dog", "", "A", "", "pets"]
    for _ in range(rng.randint(1, 4)):
        cells[rng.randrange(len(cells))] = rng.choice(CELLS)
    act = rng.random()
    if act < 0.1:
        cells = cells[: rng.randint(0, 5)]
    elif act < 0.2:
        cells += ["more"] * rng.choice((1, 2, 500))
    elif act < 0.35:  # references in a circle, to themselves, to nothing
        cells[6] = rng.choice((f"h{number}", f"h{number + 1}", "nowhere", f"['h{number}', 'g0']"))
    elif act < 0.45:
        cells[1] = '"several\nlines\twith tabs"'
    elif act < 0.5:
        cells[0] = rng.choice(("", "g0", "h0", " "))
    line = "\t".join(cells).encode("utf-8", "surrogatepass")
    if rng.random() < 0.1:
        line += rng.choice((b"\xff\xfe", b"\xed\xa0\x80", b"\x00" * 50, b"\xc3"))
    return line


def whole_file(rng: random.Random) -> bytes:
    """A TSV that is wrong as a whole, so that it may be refused."""
    lines = ["\t".join(HEADER), *good_rows(3)]
    text = "\n".join(lines)
    header, _, rest = text.partition("\n")
    wide = "\t".join(f"c{n}" for n in range(5_000))
    ways: tuple[bytes, ...] = (
        b"",
        b"\n\n\n",
        text.encode("utf-16"),
        text.encode("utf-32"),
        b"\xef\xbb\xbf" + text.encode(),
        text.replace("\n", "\r\n").encode(),
        text.replace("\n", "\r").encode(),
        text.replace("\t", ",").encode(),
        header.encode(),
        (header + "\n" * 1000).encode(),
        (header.replace("index", "Index") + "\n" + rest).encode(),
        (header.replace("question", "index") + "\n" + rest).encode(),
        (header.replace("A", "\x00") + "\n" + rest).encode(),
        f"{header}\t{wide}\n".encode() + rest.encode(),
        bytes(rng.randrange(256) for _ in range(3000)),
        text.encode()[: rng.randrange(len(text))],
        text.encode().replace(b"cat", b"\xff\xfe\xfd"),
        b"\x00" * 5000,
        b'"' * 5000,
        b"\t" * 5000,
        (header + '\n"' + "x\n" * 3000).encode(),
    )
    return rng.choice(ways)


def png(width: int, height: int, kind: bytes = b"\x08\x02\x00\x00\x00") -> bytes:
    """A PNG whose header promises a size; there are hardly any pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        check = zlib.crc32(name + data).to_bytes(4, "big")
        return len(data).to_bytes(4, "big") + name + data + check

    head = struct.pack(">II", width, height) + kind
    pixels = zlib.compress(b"\x00" * 10_000)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    )


def encoded(mode: str, form: str, **options: Any) -> bytes:
    """A small image in some mode and format."""
    size = (24, 16)
    image = PIL.Image.new(mode, size, 0 if len(mode) == 1 or ";" in mode else None)
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def animated() -> bytes:
    frames = [PIL.Image.new("P", (8, 8), color) for color in range(5)]
    file = io.BytesIO()
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:])
    return file.getvalue()


def turned(orientation: int) -> bytes:
    exif = PIL.Image.Exif()
    exif[0x0112] = orientation
    return encoded("RGB", "JPEG", exif=exif)


#: Images that are odd, and can be shown all the same.
ODD_IMAGES: dict[str, Callable[[], bytes]] = {
    "cmyk.jpg": lambda: encoded("CMYK", "JPEG"),
    "grey.jpg": lambda: encoded("L", "JPEG"),
    "deep.png": lambda: encoded("I;16", "PNG"),
    "palette.png": lambda: encoded("P", "PNG", transparency=0),
    "alpha.png": lambda: encoded("RGBA", "PNG"),
    "bits.png": lambda: encoded("1", "PNG"),
    "animated.gif": animated,
    "wrong_suffix.jpg": lambda: encoded("RGB", "PNG"),
    "no_suffix": lambda: encoded("RGB", "PNG"),
    "turned.jpg": lambda: turned(6),
    "odd_exif.jpg": lambda: turned(99),
    "tiff.tif": lambda: encoded("RGB", "TIFF"),
}
#: Images that cannot be shown.
BAD_IMAGES: dict[str, Callable[[], bytes]] = {
    "empty.png": lambda: b"",
    "text.png": lambda: b"not an image",
    "svg.png": lambda: b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    "bomb.png": lambda: png(60_000, 60_000),
    "huge.png": lambda: png(2**31 - 1, 2**31 - 1),
    "zero.png": lambda: png(0, 0),
    "no_pixels.png": lambda: png(9_000, 9_000),
    "kind.png": lambda: png(10, 10, b"\x63\x63\x63\x63\x63"),
    "float.tif": lambda: encoded("F", "TIFF"),
    "cut.jpg": lambda: encoded("RGB", "JPEG")[:200],
    "cut.png": lambda: encoded("RGB", "PNG")[:40],
    "cut.webp": lambda: encoded("RGB", "WEBP")[:30],
    "header.bmp": lambda: b"BM" + b"\xff" * 60,
    "header.gif": lambda: b"GIF89a" + b"\xff" * 60,
}


def flipped(rng: random.Random) -> bytes:
    """An image with some bytes changed; it may still be one."""
    modes = (("RGB", "PNG"), ("RGB", "JPEG"), ("P", "GIF"), ("RGB", "WEBP"), ("RGB", "TIFF"))
    data = bytearray(encoded(*rng.choice(modes)))
    for _ in range(rng.randint(1, 20)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def odd_paths(folder: Path) -> list[str]:
    """Make paths that lead to no file, and return them."""
    (folder / "folder.png").mkdir()
    (folder / "loop.png").symlink_to(folder / "loop.png")
    (folder / "dangling.png").symlink_to(folder / "nothing.png")
    (folder / "device.png").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.png")
    return ["folder.png", "loop.png", "dangling.png", "device.png", "pipe.png", "x" * 5000, "a\0b"]
