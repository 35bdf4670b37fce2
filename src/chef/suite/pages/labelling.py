"""The page on which a person labels the answers of a run, and where the replies go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Lock

import msgspec

from chef.document.sections import Words
from chef.errors import DataError
from chef.guard.folder import read_bytes
from chef.report.compare.opening import open_sides
from chef.report.labels.asking import Asking
from chef.report.load import Run, load_run
from chef.report.page.content import PageContent, SampleRow
from chef.report.page.encoding import clean, page_json
from chef.report.sample_view import SampleView
from chef.report.views import Views, views_of
from chef.session.replay import RunReplay
from chef.suite.pages.pages import REPORT, now
from chef.suite.pages.served import page_and_file, written

#: The address of the replies.
_LABELS = "labels"


class _Reply(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    key: str


def asking_of(
    folder: Path,
    person: str,
    *,
    number: int,
    by_verdict: bool = False,
    against: str | None = None,
    metric: str | None = None,
    trust: bool = False,
    thumbnails: Path | None = None,
) -> tuple[Asking, Views]:
    """A person who labels a run, and the views of its samples; see `Asking`, also for errors.

    ``metric`` is as in `chef.score`; ``thumbnails`` is where they are kept, None makes none.
    """
    loaded = load_run(folder, trust=trust)
    run = Run(replace(loaded.record, trust=loaded.record.trust or trust))
    (side,) = open_sides([run], metric=metric, recipe=None, trust=trust)
    replay = RunReplay(run.record)
    views = Views(run, replay) if thumbnails is None else views_of(run, replay, None, thumbnails)
    asking = Asking(side, views, person, number=number, by_verdict=by_verdict, against=against)
    views.prefetch(asking.ids)
    return asking, views


class Labelling:
    """The page of one person, in an empty folder; it tells neither the model nor what was read."""

    def __init__(
        self,
        asking: Asking,
        views: Views,
        place: Path,
        on_sample: Callable[[], None] = lambda: None,
    ) -> None:
        self._asking, self._lock = asking, Lock()

        def view(name: str) -> list[SampleView | None]:
            on_sample()
            return [asking.view(name)]

        content = PageContent(
            kind="labels",
            title=asking.scale.question,
            made=now(),
            sections=[Words("Rate by", asking.rubric.splitlines())] if asking.rubric else (),
            runs=[""],
            rows=[SampleRow(name, "", "", {}, [None]) for name in asking.ids],
            views=view,
            thumbnail=views.thumbnail,
            picture=views.picture,
            live=_LABELS,
            choices=[(item.key, item.text) for item in asking.scale.choices],
        )
        self._files = written(content, place / REPORT)

    def answer(self, address: str) -> bytes | None:
        """The page, a file beside it, or the stored replies by sample id."""
        page, name = page_and_file(address)
        if page:
            return None
        if name == _LABELS:
            with self._lock:
                return page_json(clean(self._asking.replies()))
        file = self._files.get(name)
        return None if file is None else read_bytes(file)

    def take(self, address: str, content: bytes) -> bytes | None:
        """Store ``{"id": ..., "key": ...}``, DataError for another; None for another address."""
        if address != _LABELS:
            return None
        try:
            reply = msgspec.json.decode(content, type=_Reply)
        except msgspec.DecodeError as error:
            raise DataError(f"this is no reply ({error})") from None
        with self._lock:
            self._asking.take(reply.id, reply.key)
        return b"{}"
