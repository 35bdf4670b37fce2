"""A page as a file that opens in any browser, from disk and without a network.

The page is one file. Where the details of its samples, or their pictures, are more than a browser
should read at once, they are in a folder beside it, ``<name>_files``, and the page reads the piece
that a reader opens.

The files of that folder have names that end in a digest of their content, and are written first;
then the page is replaced; then files that it does not name are removed. A crash therefore leaves
the page of before, complete, or the new one. Two processes that write pages to one folder take
turns, so that neither removes what the other is about to name.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from chef.common.digest import content_digest
from chef.common.writing import write_parts
from chef.errors import RunError
from chef.guard import folder
from chef.guard.folder import alone_in
from chef.report.page.content import PageContent
from chef.report.page.render import clean, folded, index_data, page_json, shell, view_data
from chef.report.sample_view import SampleView
from chef.report.views.thumbnails import Picture, is_exact

_ELSEWHERE = "or write the page elsewhere: chef show RUN --page -o FILE (Python: output=)"
_DATA = b'<script type="application/json" id="%b">%b</script>\n'


def write_page(content: PageContent, file: Path) -> list[Path]:
    """Write a page without the secrets of this process; return it and the files beside it.

    An earlier page is replaced. RunError if a file cannot be written, ValueError for a drawing with
    what a page must not have.
    """
    before, after = shell(content)
    make_folder(file.parent)
    chunks = Chunks(file)
    with alone_in(file.parent):
        if not content.links:
            chunks.fill(content)
        write_parts(file, [before, *_data(content, chunks), after], otherwise=_ELSEWHERE)
        chunks.remove_others()
    return [file, *chunks.files]


def _data(content: PageContent, chunks: Chunks) -> Iterator[bytes]:
    """The elements that hold the page's data."""
    index: dict[str, Any] = {
        "kind": content.kind,
        "runs": clean(list(content.runs)),
        **index_data(content.rows),
        "starts": chunks.starts,
        "folder": next((path.parent.name for path in chunks.files), ""),
        "files": [path.name for path in chunks.details.files],
        "pictures": [path.name for path in chunks.pictures.files],
        "hasThumbnails": chunks.has_thumbnails,
        "commands": clean(list(content.commands)),
        "links": clean(list(content.links)),
        "live": content.live,
        "choices": clean([list(choice) for choice in content.choices]),
    }
    yield _DATA % (b"index", page_json(index))
    for kind, stack in ((b"piece", chunks.details), (b"pictures", chunks.pictures)):
        for position, piece in enumerate(stack.inline):
            yield _DATA % (b"%b-%d" % (kind, position), piece)


#: Bytes of details, and of pictures, that stay in the page itself.
INLINE = 8_000_000
#: Bytes of a piece, after which the next begins. A browser reads one in a few milliseconds.
PIECE = 400_000
#: Bytes of a piece of pictures.
PICTURES = 2_000_000
#: Bytes of all pictures of a page, as base64; those of right answers have half of it.
ROOM = 256_000_000
#: The names of files with details and with whole texts, which end in a digest of what is in them.
_NAME = re.compile(r"p?\d{4,}-[0-9a-f]{16}\.js|text-[0-9a-f]{16}\.txt")


def folder_of(file: Path) -> Path:
    """The folder beside a page that holds the details of its samples."""
    return file.with_name(f"{file.stem}_files")


class Stack:
    """Pieces of one kind, in memory (as JSON) until they are too many, and then in files."""

    def __init__(self, folder: Path, kind: str = "") -> None:
        self.inline: list[bytes] = []
        self.files: list[Path] = []
        self._folder, self._kind, self._size = folder, kind, 0

    def __len__(self) -> int:
        return len(self.inline) + len(self.files)

    def add(self, piece: bytes) -> None:
        """Take a piece; RunError if its file cannot be written."""
        self._size += len(piece)
        self.inline.append(piece)
        if self._size > INLINE:
            for held in self.inline:
                self._write(held)
            self.inline = []

    def _write(self, piece: bytes) -> None:
        name = f"{self._kind}{len(self.files):04d}-{content_digest(piece, size=8)}.js"
        path = self._folder / name
        _put(path, [f'chefChunk("{name}",'.encode(), piece, b");\n"])
        self.files.append(path)


class PagePictures:
    """Pictures in full, each once and by its key, as far as there is room for them.

    The stack takes them in pieces, each a list of ``data:`` addresses.
    """

    def __init__(self, stack: Stack, read: Callable[[str], Picture | None]) -> None:
        self._stack, self._read = stack, read
        self._places: dict[str, list[int | bool] | None] = {}
        self._held: list[bytes] = []
        self._held_size = self._size = 0

    def place(self, key: str, *, is_right: bool) -> list[int | bool] | None:
        """Number of the piece, place in it, and whether each pixel is as sent; None if absent."""
        if key not in self._places:
            if self._size > (ROOM // 2 if is_right else ROOM):
                return None
            self._places[key] = self._added(self._read(key))
        return self._places[key]

    def _added(self, picture: Picture | None) -> list[int | bool] | None:
        if picture is None:
            return None
        place: list[int | bool] = [len(self._stack), len(self._held), picture.is_exact]
        coded = b'"data:%b;base64,%b"' % (picture.mime.encode(), base64.b64encode(picture.data))
        self._held.append(coded)
        self._held_size += len(coded)
        self._size += len(coded)
        if self._held_size > PICTURES:
            self.flush()
        return place

    def flush(self) -> None:
        """End the piece."""
        if self._held:
            self._stack.add(b"[%b]" % b",".join(self._held))
        self._held, self._held_size = [], 0


class Chunks:
    """All that a page shows on demand: pieces of details and of pictures, and whole texts.

    ``starts`` has the position of the first sample of each piece of details.
    """

    def __init__(self, file: Path) -> None:
        self._folder = folder_of(file)
        self.starts: list[int] = []
        self.details, self.pictures = Stack(self._folder), Stack(self._folder, "p")
        self.texts: list[Path] = []
        self.has_thumbnails = False

    @property
    def files(self) -> list[Path]:
        """All files, those of the details first."""
        return [*self.details.files, *self.pictures.files, *self.texts]

    def fill(self, content: PageContent) -> None:
        """Take the details of all samples, in order; one piece at a time is in memory.

        A piece has ``views``, for each sample those of each run, and ``thumbnails``, to which
        images refer by position. RunError if a file cannot be written.
        """
        pictures = PagePictures(self.pictures, content.picture)
        piece, start = _Piece(content.thumbnail, pictures, self.keep_text), 0
        for position, row in enumerate(content.rows):
            piece.add(content.views(row.id))
            if piece.size > PIECE:
                self._take(start, piece)
                piece, start = _Piece(content.thumbnail, pictures, self.keep_text), position + 1
        if piece.views:
            self._take(start, piece)
        pictures.flush()

    def _take(self, start: int, piece: _Piece) -> None:
        self.starts.append(start)
        self.has_thumbnails = self.has_thumbnails or bool(piece.thumbnails)
        self.details.add(piece.encoded())

    def keep_text(self, text: str) -> str:
        """Put a whole text, free of secrets, into a file beside the page; return its name."""
        content = text.encode("utf-8", "replace")
        name = f"text-{content_digest(content, size=8)}.txt"
        path = self._folder / name
        if path not in self.texts:
            _put(path, [content])
            self.texts.append(path)
        return name

    def remove_others(self) -> None:
        """Remove the files of an earlier page, once no page names them; leave all others."""
        kept = {path.name for path in self.files}
        try:
            names = folder.names_in(self._folder, below=1)
            stale = [name for name in names if _NAME.fullmatch(name) and name not in kept]
            for name in stale:
                folder.remove(self._folder / name, below=2)
            if stale and len(stale) == len(names):
                self._folder.rmdir()
        except OSError:  # there is none, or they are only of no use
            return


def _put(path: Path, parts: list[bytes]) -> None:
    try:
        folder.make_folder(path.parent)
    except folder.LinkError:  # a run folder from elsewhere may lead out of it
        raise RunError(
            "the folder of the page's details is a link, which is not followed",
            where=str(path.parent),
            hint="remove the link, or choose another place for the page with -o",
        ) from None
    except OSError as error:
        raise _unmade(path.parent, error) from None
    write_parts(path, parts, below=2, otherwise=_ELSEWHERE)


def make_folder(path: Path) -> None:
    """Make a folder, and those above it; RunError if that fails."""
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


class _Piece:
    """The views of a few samples, and the thumbnails that they show."""

    def __init__(
        self,
        thumbnail: Callable[[str], bytes | None],
        pictures: PagePictures,
        keep: Callable[[str], str],
    ) -> None:
        self._thumbnail, self._pictures, self._keep = thumbnail, pictures, keep
        self.views: list[bytes] = []
        self.thumbnails: list[bytes] = []
        self.size = 0
        self._places: dict[str, int | None] = {}
        self._exact: set[str] = set()

    def add(self, views: Sequence[SampleView | None]) -> None:
        data = [None if view is None else folded(view_data(view), self._keep) for view in views]
        for view, plain in zip(views, data, strict=True):
            if view is not None and plain is not None:
                for image, shown in zip(view.images, plain["images"], strict=True):
                    shown["thumbnail"] = self._place(image.key)
                    shown["picture"] = self._picture(view, image.key)
                    del shown["key"]
        line = page_json(data)
        self.views.append(line)
        self.size += len(line)

    def encoded(self) -> bytes:
        views, images = b",".join(self.views), b",".join(self.thumbnails)
        return b'{"views":[%b],"thumbnails":[%b]}' % (views, images)

    def _picture(self, view: SampleView, key: str) -> list[int | bool] | bool | None:
        """Where the picture is; True: its thumbnail has every pixel; None: not in the page."""
        if key in self._exact:
            return True
        return self._pictures.place(key, is_right=view.verdict == "right") if key else None

    def _place(self, key: str) -> int | None:
        if key not in self._places:
            image = self._thumbnail(key) if key else None
            self._places[key] = None if image is None else len(self.thumbnails)
            if image is not None:
                if is_exact(image):
                    self._exact.add(key)
                coded = b'"%b"' % base64.b64encode(image)
                self.thumbnails.append(coded)
                self.size += len(coded)
        return self._places[key]
