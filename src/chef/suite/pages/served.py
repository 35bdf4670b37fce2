"""Pages that are made when a browser asks for them, and again when their runs have gone on.

On one of them a person labels the answers of a run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock

import msgspec

from chef.common.digest import content_digest
from chef.errors import ChefError, DataError
from chef.guard.folder import read_bytes, state_of
from chef.report.compare.compare import compare
from chef.report.compare.opening import open_sides
from chef.report.labels.asking import Asking
from chef.report.labels.scales import label_files
from chef.report.load import Run, load_run
from chef.report.page.content import PageContent, SampleRow, Words
from chef.report.page.overview import suite_page
from chef.report.page.render import clean, page_json
from chef.report.page.write import write_page
from chef.report.runs import is_aside
from chef.report.sample_view import SampleView
from chef.report.views import Views, views_of
from chef.run.configuration import run_folders
from chef.run.journal import JOURNAL
from chef.scoring.result import RESULTS
from chef.session.replay import RunReplay
from chef.suite.pages.pages import REPORT, Pages, now
from chef.suite.sweep.page import sweep_page
from chef.suite.sweep.running import analysed
from chef.suite.sweep.samples import SWEEP, sweeps_near

#: What changes while a run goes on.
_FILES = (JOURNAL, RESULTS, SWEEP)


@dataclass
class Served:
    """The pages below some folders, by their addresses. Nothing is written into these folders.

    Addresses: empty, the overview; ``run/KEY/``; ``sweep/KEY/``; ``compare/KEY/KEY/``; each with
    nothing behind it, with ``state``, or with the name of a file of that page. A KEY stands for a
    folder that was found below the given ones, so that no address can lead to another one. Pages
    are made in ``place``, which is empty at first; ``by`` and ``allow`` are as of `Pages`.
    """

    folders: Sequence[Path]
    place: Path
    by: Sequence[str] = ()
    allow: Sequence[str] = ()
    trust: bool = False
    _written: dict[str, tuple[str, dict[str, Path]]] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def answer(self, address: str) -> bytes | None:
        """What stands at an address; None where nothing does.

        ChefError: the page cannot be made.
        """
        page, name = page_and_file(address)
        with self._lock:
            runs = self._runs()
            state = self._state(page, runs)
            if state is None:
                return None
            if name == "state":
                return state.encode()
            known = self._written.get(page)
            if known is None or (name == "" and known[0] != state):
                known = state, self._made(page, runs, state)
                self._written[page] = known
            file = known[1].get(name)
            return None if file is None else read_bytes(file)

    def _runs(self) -> dict[str, Path]:
        """The run folders there are now, by their keys."""
        found = [run for folder in self.folders for run in run_folders(folder)]
        return {_key(run): run for run in found if not is_aside(run)}

    def _sweeps(self) -> Mapping[Path, Path]:
        return {run: of for folder in self.folders for run, of in sweeps_near(folder).items()}

    def _state(self, page: str, runs: Mapping[str, Path]) -> str | None:
        """What a page is made of, in short; None where there is no such page."""
        kind, *keys = page.rstrip("/").split("/")
        if kind == "":
            folders = list(runs.values())
        elif kind == "sweep" and len(keys) == 1:
            folders = [of for of in set(self._sweeps().values()) if _key(of) == keys[0]]
        elif (kind, len(keys)) in (("run", 1), ("compare", 2)) and all(key in runs for key in keys):
            folders = [runs[key] for key in keys]
        else:
            return None
        if kind == "sweep" and not folders:
            return None
        states = [
            _state_of(folder / name)
            for folder in folders
            for name in (*_FILES, *label_files(folder))
        ]
        return content_digest(*map(str, folders), *states, size=8)

    def _made(self, page: str, runs: Mapping[str, Path], state: str) -> dict[str, Path]:
        """Write a page; its files by their names in addresses."""
        kind, *keys = page.rstrip("/").split("/")
        file = self.place / content_digest(page, size=8) / REPORT
        content = self._content(kind, [runs[key] for key in keys if key in runs], keys, file)
        return written(replace(content, live=state), file)

    def _content(
        self, kind: str, folders: Sequence[Path], keys: Sequence[str], file: Path
    ) -> PageContent:
        if kind == "run":
            run = load_run(folders[0])
            return self._pages([run]).run_content(run, file)
        if kind == "compare":
            pages = self._pages([load_run(folder) for folder in folders])
            try:
                found = compare(pages.runs, allow=self.allow, trust=self.trust)
            except ChefError as error:
                text = [error.what, *filter(None, [error.hint])]
                return PageContent("comparison", "Not comparable", sections=[Words("Why", text)])
            return pages.comparison_content(found, file)
        if kind == "sweep":
            (folder,) = (of for of in set(self._sweeps().values()) if _key(of) == keys[0])
            found_ = analysed(folder)
            links = [f"../../run/{_key(item.folder)}/" for item in found_.combinations]
            return sweep_page(found_, links, now())
        return self._overview(file)

    def _overview(self, file: Path) -> PageContent:
        sweeps = self._sweeps()
        runs, damaged = list[Run](), list[Path]()
        for folder in self._runs().values():
            try:
                runs.append(load_run(folder))
            except ChefError:
                damaged.append(folder)
        links = {run.folder.resolve(): f"run/{_key(run.folder)}/" for run in runs}
        listed = replace(self._pages(runs), sweeps=sweeps).listed(file, links, damaged)
        there = {one.sweep for one in listed}
        pages = {of.name: f"sweep/{_key(of)}/" for of in sweeps.values() if of.name in there}
        return suite_page(listed, now(), pages)

    def _pages(self, runs: Sequence[Run]) -> Pages:
        return Pages(runs, by=self.by, allow=self.allow, trust=self.trust, thumbnails=self.place)


def page_and_file(address: str) -> tuple[str, str]:
    """The address of a page, and the name of a file that belongs to it; empty for the page itself.

    >>> page_and_file("run/0a/report_files/p1.js"), page_and_file("run/0a/")
    (('run/0a/', 'report_files/p1.js'), ('run/0a/', ''))
    """
    head, _, name = address.rpartition("/")
    if head.endswith("_files"):  # a file beside the page
        head, _, folder = head.rpartition("/")
        name = f"{folder}/{name}"
    return f"{head}/" if head else "", name


def written(content: PageContent, file: Path) -> dict[str, Path]:
    """Write a page; its files by their names in addresses, the page itself by an empty one."""
    first, *others = write_page(content, file)
    return {"": first, **{path.relative_to(file.parent).as_posix(): path for path in others}}


def _state_of(file: Path) -> str:
    try:
        state = state_of(file)
    except OSError:  # a link, which no page follows
        return ""
    return "" if state is None else f"{state.st_size} {state.st_mtime_ns} "


def _key(folder: Path) -> str:
    return content_digest(str(folder.resolve()), size=8)


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
    ) -> None:
        self._asking, self._lock = asking, Lock()

        def view(name: str) -> list[SampleView | None]:
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
