"""The details of samples in pieces: few stay in the page, many go to files beside it."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from chef.common.digest import content_digest
from chef.common.writing import write_parts
from chef.errors import RunError
from chef.guard import folder
from chef.report.page.content import PageContent
from chef.report.page.encoding import page_json, view_data
from chef.report.page.folding import folded
from chef.report.sample_view import SampleView

#: Bytes of details that stay in the page itself.
INLINE = 8_000_000
#: Bytes of a piece, after which the next begins. A browser reads one in a few milliseconds.
PIECE = 400_000
#: The names of files with details and with whole texts, which end in a digest of what is in them.
_NAME = re.compile(r"\d{4,}-[0-9a-f]{16}\.js|text-[0-9a-f]{16}\.txt")


def folder_of(file: Path) -> Path:
    """The folder beside a page that holds the details of its samples."""
    return file.with_name(f"{file.stem}_files")


class Chunks:
    """The pieces, which are in memory until they are too many, and then in files.

    Attributes:
        starts: the position of the first sample of each piece.
        inline: the pieces as JSON; empty where they are files.
        files: the files; empty where the pieces are in the page.
        texts: the files of whole texts of which the pieces have both ends.
    """

    def __init__(self, file: Path) -> None:
        self.starts: list[int] = []
        self.inline: list[bytes] = []
        self.files: list[Path] = []
        self.texts: list[Path] = []
        self._folder = folder_of(file)
        self._size = 0

    def add(self, start: int, piece: bytes) -> None:
        """Take a piece, whose first sample is at position ``start``.

        Raises:
            RunError: its file cannot be written.
        """
        self.starts.append(start)
        self._size += len(piece)
        self.inline.append(piece)
        if self._size > INLINE:
            for held in self.inline:
                self._write(held)
            self.inline = []

    def keep_text(self, text: str) -> str:
        """Put a whole text into a file beside the page; return its name.

        Args:
            text: without secrets.

        Raises:
            RunError: its file cannot be written.
        """
        content = text.encode("utf-8", "replace")
        name = f"text-{content_digest(content, size=8)}.txt"
        path = self._folder / name
        if path not in self.texts:
            self._put(path, [content])
            self.texts.append(path)
        return name

    def _write(self, piece: bytes) -> None:
        name = f"{len(self.files):04d}-{content_digest(piece, size=8)}.js"
        path = self._folder / name
        self._put(path, [f'chefChunk("{name}",'.encode(), piece, b");\n"])
        self.files.append(path)

    def _put(self, path: Path, parts: list[bytes]) -> None:
        try:
            folder.make_folder(self._folder)
        except folder.LinkError:  # a run folder from elsewhere may lead out of it
            raise RunError(
                "the folder of the page's details is a link, which is not followed",
                where=str(self._folder),
                hint="remove the link, or choose another place for the page with -o",
            ) from None
        except OSError as error:
            raise _unmade(self._folder, error) from None
        write_parts(path, parts, below=2)

    def remove_others(self) -> None:
        """Remove the files of an earlier page, once no page names them; leave all others."""
        kept = {path.name for path in (*self.files, *self.texts)}
        try:
            names = folder.names_in(self._folder, below=1)
            stale = [name for name in names if _NAME.fullmatch(name) and name not in kept]
            for name in stale:
                folder.remove(self._folder / name, below=2)
            if stale and len(stale) == len(names):
                self._folder.rmdir()
        except OSError:  # there is none, or they are only of no use
            return


def make_folder(path: Path) -> None:
    """Make a folder, and those above it.

    Raises:
        RunError: it cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unmade(path, error) from None


def _unmade(path: Path, error: OSError) -> RunError:
    return RunError(
        f"the folder of the page cannot be made ({error.strerror})",
        where=str(path),
        hint="write the page to a folder that you may write to",
    )


def pieces(content: PageContent, keep: Callable[[str], str]) -> Iterator[tuple[int, bytes]]:
    """Position of the first sample and JSON of each piece; one piece at a time is in memory.

    A piece has ``views``, for each sample those of each run, and ``thumbnails``, to which images
    refer by position.

    Args:
        content: what the page shows.
        keep: puts a very long text into a file of its own, and returns the file's name.
    """
    piece = _Piece(content.thumbnail, keep)
    start = 0
    for position, row in enumerate(content.rows):
        piece.add(content.views(row.id))
        if piece.size > PIECE:
            yield start, piece.encoded()
            piece, start = _Piece(content.thumbnail, keep), position + 1
    if piece.views:
        yield start, piece.encoded()


class _Piece:
    """The views of a few samples, and the thumbnails that they show."""

    def __init__(
        self, thumbnail: Callable[[str], bytes | None], keep: Callable[[str], str]
    ) -> None:
        self._keep = keep
        self.views: list[bytes] = []
        self.size = 0
        self._thumbnail = thumbnail
        self._places: dict[str, int | None] = {}
        self._thumbnails: list[bytes] = []

    def add(self, views: Sequence[SampleView | None]) -> None:
        data = [None if view is None else folded(view_data(view), self._keep) for view in views]
        for view, plain in zip(views, data, strict=True):
            if view is not None and plain is not None:
                for image, shown in zip(view.images, plain["images"], strict=True):
                    shown["thumbnail"] = self._place(image.key)
                    del shown["key"]
        line = page_json(data)
        self.views.append(line)
        self.size += len(line)

    def encoded(self) -> bytes:
        views, images = b",".join(self.views), b",".join(self._thumbnails)
        return b'{"views":[%b],"thumbnails":[%b]}' % (views, images)

    def _place(self, key: str) -> int | None:
        if key not in self._places:
            image = self._thumbnail(key) if key else None
            self._places[key] = None if image is None else len(self._thumbnails)
            if image is not None:
                coded = b'"%b"' % base64.b64encode(image)
                self._thumbnails.append(coded)
                self.size += len(coded)
        return self._places[key]
