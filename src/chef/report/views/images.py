"""The images of a sample: which are still the ones that the model saw, and where they are."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from chef.errors import ChefError
from chef.guard.files import problem_of
from chef.guard.trust import OPTION
from chef.image import Image
from chef.report.export.rows import place_of
from chef.report.sample_view import BoxView, ImageView
from chef.report.views.thumbnails import Thumbnails
from chef.types import Prediction, Sample

#: Images at such addresses are not fetched: a page is made without the network.
_REMOTE = ("http://", "https://", "ftp://")


class ImageList:
    """The images of one view: those of the sample first, then those of its examples.

    Args:
        prediction: the answer, whose line in the journal has the digests of the sample's images.
        sample: the sample as it is now; None where it cannot be made: images that are files are
            then looked for where they were.
        below: see `link_of`.
        asked: when the run had its last answer, in seconds: an image of an example, whose digest
            the journal does not have, may be another than was shown if its file is newer.
        opens: whether files that the journal names may be opened: not those of somebody else.
        received: what the model makes of an image of such a width and height; see `ImageView`.
    """

    def __init__(
        self,
        prediction: Prediction,
        sample: Sample | None,
        thumbnails: Thumbnails | None,
        *,
        below: Path | None = None,
        asked: float = math.inf,
        opens: bool = True,
        received: Callable[[int, int], str] = lambda *_: "",
    ) -> None:
        self._thumbnails, self._below, self._asked = thumbnails, below, asked
        self._received = received
        self.by_key: dict[str, Image] = {}
        self._views: list[ImageView] = []
        self._places: dict[int, int] = {}
        #: Held so that `id` stays theirs while the view is made.
        self._held: list[Image] = []
        self._id, self.notes = prediction.sample_id, list[str]()
        found: Sequence[Image | None] = [] if sample is None else sample.images
        records = [dict(item) for item in prediction.images]
        if sample is None:
            found = [_still_there(item) if opens else None for item in records]
        self._why_not = "is not in the files of this machine any more"
        if sample is None and not opens:
            self._why_not = f"is not opened, because the run is not yours ({OPTION} opens it)"
        for number, image in enumerate(found):
            record = records[number] if number < len(records) else {}
            self._add(image, record, f"image {number + 1} of sample '{self._id}'")
        self.own = len(self._views)

    def index(self, image: Image) -> int:
        """The index of an image of the conversation; one that is not the sample's is added."""
        place = self._places.get(id(image))
        if place is None:
            place = len(self._views)
            label = f"image {place - self.own + 1} of the in-context examples"
            self._add(image, image.to_record(), label, is_example=True)
            if _written(image) > self._asked:
                self.notes.append(f"{label} is in a file that was written after the run")
        return place

    def views(self, boxes: Sequence[BoxView] = ()) -> list[ImageView]:
        """All images so far; boxes are drawn over the first."""
        if not boxes or not self._views:
            return self._views
        return [replace(self._views[0], boxes=boxes), *self._views[1:]]

    def _add(
        self,
        image: Image | None,
        record: Mapping[str, Any],
        label: str,
        *,
        is_example: bool = False,
    ) -> None:
        if image is not None:
            self._places[id(image)] = len(self._views)
            self._held.append(image)
        source = place_of(record) or (image.name if image else "")
        view = ImageView("", label, source, is_example=is_example)
        digest = str(record.get("digest", ""))
        kept = self._thumbnails.has(digest) if self._thumbnails and digest else False
        # A drawing function is not asked for its text, which may have all that it draws.
        address = image.source if image is not None else None
        if isinstance(address, str) and address.startswith(_REMOTE):
            image = None
        if image is None and not kept:
            self.notes.append(f"{label} {self._why_not}")
            self._views.append(view)
            return
        try:
            self._views.append(self._seen(view, image, digest))
        except ChefError as error:
            self.notes.append(f"{label} cannot be shown: {error.what}")
            self._views.append(view)

    def _seen(self, view: ImageView, image: Image | None, digest: str) -> ImageView:
        """The view of an image, if the model saw this one; ImageError if it is unreadable."""
        if image is None:  # what the model saw is known by its thumbnail alone
            return replace(view, key=digest)
        thumbnails = self._thumbnails
        is_kept = bool(digest) and thumbnails is not None and thumbnails.has(digest)
        if digest and not is_kept and image.digest != digest:
            self.notes.append(f"{view.label} has been replaced since, and is not shown")
            return view
        key = digest or image.digest
        if thumbnails is not None and not thumbnails.has(key):
            thumbnails.add(key, image)
        width, height = image.size if thumbnails is None else thumbnails.size(key, image)
        self.by_key[key] = image
        return replace(
            view, key=key, link=link_of(image, self._below), width=width, height=height,
            received=self._received(width, height),
        )  # fmt: skip


def link_of(image: Image, below: Path | None = None) -> str:
    """The link to an image that is a file of its own; empty for others, also for those of the net.

    Args:
        image: the image.
        below: the folder of the page: a file in it gets a relative link, any other a ``file:`` URL.

    >>> link_of(Image(Path("/photos/3 1.jpg"))), link_of(Image(b""))
    ('file:///photos/3%201.jpg', '')
    >>> link_of(Image("/photos/a/3.jpg"), Path("/photos"))
    './a/3.jpg'
    """
    source = image.source
    if not isinstance(source, str | Path) or str(source).startswith(("data:", *_REMOTE)):
        return ""
    file = Path(os.path.abspath(source))  # noqa: PTH100 (links are kept, unlike by `resolve`)
    if below is not None and file.is_relative_to(folder := Path(os.path.abspath(below))):  # noqa: PTH100
        return quote(f"./{file.relative_to(folder)}")
    return "file://" + quote(str(file))


def _written(image: Image) -> float:
    """When the file of an image was written, in seconds; 0 where it is in no file of its own."""
    source = image.source
    if not isinstance(source, str | Path) or str(source).startswith(("data:", *_REMOTE)):
        return 0
    try:
        return Path(source).stat().st_mtime
    except (OSError, ValueError):
        return 0


def _still_there(record: Mapping[str, Any]) -> Image | None:
    """The image of a line of the journal, if it is a file of its own, still there, with digest."""
    if record.keys() != {"path", "digest"} or not isinstance(record["path"], str):
        return None
    file = record["path"]
    return Image(file) if problem_of(file) is None else None
