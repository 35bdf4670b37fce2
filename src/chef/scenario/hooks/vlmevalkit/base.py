"""The images of a data set as files, for classes that want paths."""

from __future__ import annotations

import inspect
import json
import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from chef.common.logs import logger
from chef.common.printing import say
from chef.errors import ConfigError, DataError, nearest
from chef.guard.files import read_bytes, user_path
from chef.image import Image
from chef.scenario.hooks.vlmevalkit import prompts
from chef.scenario.hooks.vlmevalkit.files import read_frame, with_images
from chef.scenario.hooks.vlmevalkit.helpers import LMUDataRoot
from chef.scenario.hooks.vlmevalkit.prompts import is_running, running
from chef.scenario.hooks.vlmevalkit.rows import IMAGE, FileRows, FrameRows, Rows, images_of
from chef.scenario.vlmevalkit.table import check_digest, is_checked, root_folder

#: The endings of files by what they begin with.
_ENDINGS = ((b"\xff\xd8\xff", ".jpg"), (b"GIF8", ".gif"), (b"BM", ".bmp"), (b"RIFF", ".webp"))
#: Data sets that share a folder of images.
_FAMILIES = ("MMBench", "OCRVQA", "COCO")
_lock = threading.Lock()


def img_root_map(dataset: str) -> str:
    """The folder of a data set's images: data sets of one family share one.

    >>> img_root_map("MMBench_DEV_EN"), img_root_map("Mine")
    ('MMBench', 'Mine')
    """
    return next((family for family in _FAMILIES if dataset.startswith(family)), dataset)


def write_images(
    images: Sequence[Image], root: Path, index: str, names: Sequence[str] = ()
) -> list[str]:
    """Write the images of a row as files, byte by byte, and return the paths.

    Files are named by the index or ``names``, and replaced if other; images that are files stay.
    """
    paths: list[str] = []
    for number, image in enumerate(images):
        if isinstance(image.source, Path):
            paths.append(str(image.source))
            continue
        content = image.encoded()
        assert content is not None  # data sets have encoded images
        own = index if len(images) == 1 else f"{index}_{number}"
        safe = own.replace(os.sep, "_").replace("\0", "_")
        target = root / (names[number] if number < len(names) else f"{safe}{_ending(content)}")
        if not target.resolve().is_relative_to(root.resolve()):
            target = root / f"{safe}{_ending(content)}"  # a name must not lead out of the folder
        _write(target, content)
        paths.append(str(target))
    return paths


def _ending(content: bytes) -> str:
    return next((ending for begin, ending in _ENDINGS if content.startswith(begin)), ".png")


def _write(path: Path, content: bytes) -> None:
    with _lock:
        if path.is_file() and path.stat().st_size == len(content) and read_bytes(path) == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{os.getpid()}.{path.name}")
        unfinished.write_bytes(content)
        unfinished.replace(path)


def given_names(paths: object) -> Mapping[str, list[str]]:
    """The names of files in a cell ``image_path``, as an argument of `write_images`."""
    if isinstance(paths, str) and paths:
        return {"names": [paths]}
    return {"names": [str(path) for path in paths]} if isinstance(paths, list) else {}


_log = logger(__name__)


def table_file(dataset: str, url: str, md5: str | None, kind: type[Any]) -> Path:
    """The TSV of a data set: ``{LMUData}/{dataset}.tsv``, or the path or address in ``url``,
    downloaded. A path begins in the current folder, in that of the class's file or in the data
    root. DataError where it is missing or has another md5, which counts unless the recipe says
    ``check_md5: false``.
    """
    owner, root = kind.__name__, root_folder()
    md5 = md5 if is_checked() else None
    target = root / f"{dataset}.tsv"
    is_address = "://" in url and not url.startswith("file://")
    places = [target]
    if is_address:
        places.append(root / url.rpartition("/")[2])
    elif url:
        path = user_path(url.removeprefix("file://"))
        places = [path, *_beside(path, kind), root / path, target]
    present = next((place for place in places if place.is_file()), None)
    if present is None and is_address:
        return _downloaded(url, target, md5, owner, dataset)
    if present is None:
        raise DataError(
            f"the table of '{dataset}' is not there",
            where=str(root / places[0]),
            hint=f"put it there, name another data root (--data_root DIR, or LMUData), or give "
            f"{owner} its address in DATASET_URL['{dataset}']",
        )
    if md5 is not None:
        stated = f"{owner}.DATASET_MD5['{dataset}']"
        check_digest(present, md5, stated, "replace the file, or correct the digest")
    return present


def _beside(path: Path, kind: type[Any]) -> list[Path]:
    """The place of a path next to the file of a class; none for a class of a notebook."""
    try:
        return [Path(inspect.getfile(kind)).parent / path]
    except (OSError, TypeError):
        return []


def _downloaded(url: str, target: Path, md5: str | None, owner: str, dataset: str) -> Path:
    """Download a table; the file appears when it is complete and has the digest."""
    if not url.startswith(("http://", "https://")):
        raise DataError(
            f"{owner}.DATASET_URL['{dataset}'] is '{url}', which is no address of a file",
            hint="give one that begins with https://, or a path",
        )
    from chef.scenario.download import Digest, download  # it loads asyncio and tqdm

    _log.info("%s: downloading %s", dataset, url)
    download(url, target, None if md5 is None else Digest("md5", md5.strip().lower()))
    return target


#: The kinds of questions that chef knows, by what a class says in ``TYPE``.
KINDS = {"MCQ": "mcq", "Y/N": "yesno", "VQA": "vqa", "QA": "vqa", "Caption": "caption", "MT": "mt"}


class ImageBaseDataset:
    """A data set with images: one row for each question, in a TSV or a frame of one's own.

    A subclass names its data sets in ``DATASET_URL``, their digests in ``DATASET_MD5``, and may
    override `load_data`, `prepare_tsv`, `post_build`, `dump_image`, `build_prompt` and `evaluate`.
    In a plugin it is a scenario under its own name and under those of `supported_datasets`.
    Where the table is read as it is, memory does not hold it: ``data`` is read when it is first
    used. A name that is not supported is a ConfigError, a malformed table a DataError.

    Attributes:
        TYPE: the kind of questions: one of `KINDS`; empty: told from the columns.
        data: the rows, as a pandas frame; ``skip_noimg`` leaves out those with an empty ``image``.
        img_root: the folder of its images.
    """

    MODALITY: ClassVar[str] = "IMAGE"
    TYPE: ClassVar[str] = ""
    DATASET_URL: ClassVar[Mapping[str, str]] = {}
    DATASET_MD5: ClassVar[Mapping[str, str | None]] = {}

    def __init__(self, dataset: str = "", skip_noimg: bool = True) -> None:
        known = list(type(self).supported_datasets())
        self.dataset_name = name = dataset or (known[0] if known else type(self).__name__)
        if known and name not in known:
            raise ConfigError(
                f"{type(self).__name__} has no data set '{name}'", hint=nearest(name, known)
            )
        self.skip_noimg, self.meta_only = skip_noimg, False
        self.img_root = str(Path(LMUDataRoot()) / "images" / img_root_map(name))
        self._frame: Any = None
        self._loading = threading.Lock()
        self._rows: Rows | None = None
        if self._reads_table_as_it_is():
            file = self._table(self.DATASET_URL.get(name, ""), self.DATASET_MD5.get(name))
            self._rows = FileRows(file, Path(self.img_root), skip_noimg=skip_noimg)
        else:
            loaded = self.load_data(name)
            self._frame = with_images(loaded, skip_noimg=skip_noimg, where=name)
        self.post_build(name)

    # What a subclass may override.

    @classmethod
    def supported_datasets(cls) -> list[str]:
        """The names of its data sets."""
        return list(cls.DATASET_URL)

    def load_data(self, dataset: str) -> Any:
        """The rows of a data set, as a pandas frame with the column ``index``."""
        return self.prepare_tsv(self.DATASET_URL.get(dataset, ""), self.DATASET_MD5.get(dataset))

    def prepare_tsv(self, url: str, file_md5: str | None = None) -> Any:
        """The rows of the table at an address or path, downloaded if need be; or DataError."""
        return read_frame(self._table(url, file_md5))

    def post_build(self, dataset: str) -> None:
        """Called when ``data`` is there, to change it."""

    def dump_image(self, line: Any) -> list[str]:
        """The image paths of a row of ``data`` or its number; images in the table are written."""
        row = self._row(line)
        found = images_of(row, Path(self.img_root), f"{self.dataset_name}: index '{row['index']}'")
        names = given_names(row.get("image_path"))
        return write_images(found, Path(self.img_root), str(row["index"]), **names)

    def build_prompt(self, line: Any) -> list[dict[str, Any]]:
        """The message that asks a row, or its number: its images, then the text of its family."""
        row = self._row(line)
        cells = _cells(row)
        paths = self.dump_image(row) if self.MODALITY == "IMAGE" else []
        text = prompts.text_of(self.layout, cells)
        return [
            *({"type": "image", "value": path} for path in paths),
            {"type": "text", "value": text},
        ]

    @classmethod
    def evaluate(cls, eval_file: str, **judge_kwargs: Any) -> Any:
        """The scores of the rows in a file, whose column ``prediction`` is the answer, by chef's
        metric for this kind. ``judge_kwargs`` (``model``, ``nproc``, ...) are for an own
        evaluation. RunError outside of a run where the kind has no `scores_alone`.
        """
        del judge_kwargs
        return running().family_scores(eval_file) if is_running() else cls.scores_alone(eval_file)

    @classmethod
    def scores_alone(cls, eval_file: str) -> Any:
        """The scores of a file without a run or a judge; RunError for kinds that have none."""
        return running().family_scores(eval_file)

    @classmethod
    def evaluate_heuristic(cls, eval_file: str, **judge_kwargs: Any) -> Any:
        """The same as `evaluate` of the family: by its rules, and the judge of the recipe."""
        return ImageBaseDataset.evaluate.__func__(cls, eval_file, **judge_kwargs)  # type: ignore[attr-defined]

    @classmethod
    def evaluate_verifier(cls, eval_file: str, **judge_kwargs: Any) -> Any:
        """ConfigError: a verifier model is a judge, which the recipe names."""
        del eval_file, judge_kwargs
        raise ConfigError(
            f"{cls.__name__}.evaluate_verifier asks a verifier, which chef does not have",
            hint="call evaluate_heuristic, and name a judge with --judge_cfg FILE",
        )

    # What is there for it.

    @property
    def data(self) -> Any:
        """The rows, as a frame; the table is read when they are first needed."""
        with self._loading:  # samples are made by several threads
            if self._frame is None:
                name = self.dataset_name
                file = self._table(self.DATASET_URL.get(name, ""), self.DATASET_MD5.get(name))
                table = read_frame(file)
                self._frame = with_images(table, skip_noimg=self.skip_noimg, where=str(file))
            return self._frame

    @data.setter
    def data(self, frame: Any) -> None:
        """Rows of one's own, with the column ``index``."""
        self._frame = frame

    @property
    def kind(self) -> str:
        """The kind of questions: a value of `KINDS`, or ``base``."""
        return KINDS.get(type(self).TYPE.strip(), "base")

    @property
    def layout(self) -> str:
        """How a row is worded: as its kind, without the request that `ImageVQADataset` adds."""
        return "base" if self.kind == "vqa" else self.kind

    def rows(self) -> Rows:
        """The rows as chef reads them: of the frame, once the class has used it."""
        if self._frame is not None:
            return FrameRows(self._frame, Path(self.img_root), self.dataset_name)
        assert self._rows is not None
        return self._rows

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, idx: int) -> dict[str, Any]:
        """A row of ``data`` as a dict."""
        return dict(self.data.iloc[idx])

    def display(self, line: Any) -> None:
        """Print a row of ``data``, or the one of a number, without its images."""
        cells = _cells(self._row(line))
        say(json.dumps(cells, ensure_ascii=False, indent=2))

    def _row(self, line: Any) -> Any:
        if isinstance(line, int) or type(line).__name__.startswith("int"):
            rows = self.rows()
            if not -len(rows) <= line < len(rows):
                raise DataError(f"there is no row {line}: {self.dataset_name} has {len(rows)} rows")
            return rows.series(line % len(rows))
        return line

    def _reads_table_as_it_is(self) -> bool:
        own, base = type(self), ImageBaseDataset
        names = ("load_data", "prepare_tsv", "post_build", "__len__", "__getitem__")
        return all(getattr(own, name) is getattr(base, name) for name in names)

    def _table(self, url: str, md5: str | None) -> Path:
        return table_file(self.dataset_name, url or "", md5 or None, type(self))


def _cells(row: Any) -> dict[str, str]:
    """The cells of a row of a frame as texts."""
    from chef.scenario.hooks.vlmevalkit.rows import cell_text

    return {str(name): cell_text(row[name]) for name in row.keys() if name != IMAGE}  # noqa: SIM118
