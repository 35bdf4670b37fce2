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

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chef.common.writing import write_parts
from chef.guard.folder import alone_in
from chef.report.page.chunks import Chunks, make_folder
from chef.report.page.content import PageContent
from chef.report.page.encoding import clean, index_data, page_json
from chef.report.page.render import shell

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
        write_parts(file, [before, *_data(content, chunks), after])
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
