"""Ways to damage a run folder, drawn from a seeded random stream."""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

FILES = (
    "predictions.jsonl", ".lock", "environment.json", "results.json", "scores.jsonl", "rows.json",
    "images.json", "config.yaml", "traceback.txt", "errors.json",
)  # fmt: skip
#: What a value of JSON, or a whole file, may become.
ODD = (
    None, 0, -1, 10**30, 1.5, float("nan"), True, "", "x", "\ud800", "\0", [], [1], [None], {},
    {"a": 1}, [[]], {"": {"": []}},
)  # fmt: skip


def nodes(data: Any) -> list[tuple[Any, Any]]:
    """Every place in nested data: its container and its key."""
    keys = data.keys() if isinstance(data, dict) else range(len(data))
    found = [(data, key) for key in keys]
    inner = [data[key] for key in keys if isinstance(data[key], dict | list)]
    return found + [place for item in inner for place in nodes(item)]


def retyped(data: Any, draw: random.Random) -> Any:
    """The data with one value, or all of it, replaced by an odd one."""
    places = nodes(data) if isinstance(data, dict | list) else []
    if not places or draw.random() < 0.1:
        return draw.choice(ODD)
    container, key = draw.choice(places)
    if isinstance(container, dict) and draw.random() < 0.2:
        del container[key]
    else:
        container[key] = draw.choice(ODD)
    return data


# -- bytes ------------------------------------------------------------------------------------


def cut(data: bytes, draw: random.Random) -> bytes:
    return data[: draw.randrange(len(data) + 1)]


def cut_at_a_line(data: bytes, draw: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join(lines[: draw.randrange(len(lines) + 1)])[: draw.choice((None, -1))]


def flipped(data: bytes, draw: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(draw.choice((1, 1, 1, 5, 50)) if data else 0):
        changed[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def lines_moved(data: bytes, draw: random.Random) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    one, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    what = draw.choice(("repeat", "swap", "remove", "join"))
    if what == "repeat":
        lines.insert(other, lines[one])
    elif what == "swap":
        lines[one], lines[other] = lines[other], lines[one]
    elif what == "remove":
        del lines[one]
    else:
        lines[one] = lines[one].rstrip(b"\n")
    return b"".join(lines)


def inserted(data: bytes, draw: random.Random) -> bytes:
    odd = (
        b"\0" * 300, b"\xff\xfe\n", b"\n\n\r\n", b"\xef\xbb\xbf", b"[" * 200_000,
        b'{"a":' * 99_999, b"{}\n", b"null\n", b'"text"\n', b"1e999\n", b"# \n", b"&a [*a]\n",
        b"!!python/none\n", b"a: &a [x]\nb: *a\n", bytes(range(256)),
    )  # fmt: skip
    place = draw.choice((0, len(data), draw.randrange(len(data) + 1)))
    return data[:place] + draw.choice(odd) + data[place:]


def value_changed(data: bytes, draw: random.Random) -> bytes:
    """One value of a JSON file, or of a line of it, is of another type."""
    lines = data.splitlines(keepends=True)
    try:
        return json.dumps(retyped(json.loads(data), draw)).encode()
    except ValueError:
        pass
    if not lines:
        return json.dumps(draw.choice(ODD)).encode()
    number = draw.randrange(len(lines))
    try:
        lines[number] = json.dumps(retyped(json.loads(lines[number]), draw)).encode() + b"\n"
    except ValueError:  # YAML: the value of one key
        head = lines[number].partition(b":")[0]
        lines[number] = head + b": " + json.dumps(draw.choice(ODD)).encode() + b"\n"
    return b"".join(lines)


def replaced(_: bytes, draw: random.Random) -> bytes:
    return json.dumps(draw.choice(ODD)).encode() * draw.choice((1, 1, 3))


BYTES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    cut, cut_at_a_line, flipped, lines_moved, inserted, value_changed, value_changed, replaced,
)  # fmt: skip

# -- files ------------------------------------------------------------------------------------


def a_socket(file: Path) -> None:
    here = Path.cwd()
    os.chdir(file.parent)  # the name of a socket has at most 107 bytes
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(file.name)
    finally:
        os.chdir(here)


def a_full_folder(file: Path) -> None:
    file.mkdir()
    (file / "inside").write_text("x")


KINDS: tuple[Callable[[Path], object], ...] = (
    Path.mkdir, a_full_folder, os.mkfifo, a_socket,
    lambda file: file.symlink_to("/dev/zero"), lambda file: file.symlink_to("nowhere/at/all"),
    lambda file: file.symlink_to(file.name), lambda file: None,
)  # fmt: skip


def damage(run: Path, draw: random.Random) -> str:
    """Damage one file of a run folder, or two; return what was done."""
    done = []
    for _ in range(draw.choice((1, 1, 1, 2))):
        # The journal is what must not be lost, so it is damaged in every second folder.
        file = run / (FILES[0] if draw.random() < 0.5 else draw.choice(FILES[1:]))
        if draw.random() < 0.25:
            kind = draw.choice(KINDS)
            remove(file)
            kind(file)
            done.append(f"{file.name}: {KINDS.index(kind)}")
        elif not file.exists() or file.is_file():
            way = draw.choice(BYTES)
            data = file.read_bytes() if file.exists() else b""
            remove(file)
            file.write_bytes(way(data, draw))
            done.append(f"{file.name}: {way.__name__}")
    return ", ".join(done)


def remove(file: Path) -> None:
    if file.is_dir() and not file.is_symlink():
        shutil.rmtree(file)
    else:
        file.unlink(missing_ok=True)
