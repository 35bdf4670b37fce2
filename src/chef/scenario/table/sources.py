"""Where a table comes from: a file, a folder, or a data set of the hub."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from chef.common.digest import content_digest, file_digest
from chef.common.hub import unreachable
from chef.common.logs import logger
from chef.errors import ConfigError, DataError, DependencyError, first_line, nearest
from chef.guard.files import user_path
from chef.scenario.table.arrow import Forward, rows_of
from chef.scenario.table.opening import Format, begins_a_name, is_saved, open_table
from chef.scenario.table.rows import Problem, Row, RowTable, usable

if TYPE_CHECKING:
    from datasets import Dataset, IterableDataset

_log = logger(__name__)


class HubKeys(NamedTuple):
    """The keys of ``scenario_cfg`` that are for data sets of the hub alone."""

    config: str | None = None
    revision: str | None = None
    streaming: bool = False


def open_source(
    path: str,
    source: str,
    *,
    split: str | None,
    hub: HubKeys,
    rows: int | None,
    kind: Format | None,
    within: str | None,
) -> tuple[RowTable, str | None]:
    """The table at a path or name of the hub, and the split still to be taken from its rows;
    ``rows`` counts those of a stream. ConfigError: a key does not fit the source, or there is no
    such split.
    """
    local = user_path(path)
    # A folder with files of tables is read without a copy in the cache of `datasets`.
    if is_saved(path) or (source == "hub" and (hub.streaming or not local.is_dir())):
        return hub_table(path, split=split, rows=rows, **hub._asdict()), None
    _only_of_hub(config=hub.config, revision=hub.revision, streaming=hub.streaming or None)
    if split is not None and begins_a_name(local, split):
        return open_table(path, kind, within=within, split=split), None
    return open_table(path, kind, within=within), split


def _only_of_hub(**given: object) -> None:
    for key, value in given.items():
        if value is not None:
            raise ConfigError(
                f"{key} is for data sets of the hub",
                where=f"scenario_cfg.{key}",
                hint="remove it, or set source: hub",
            )


#: So many rows of a stream are looked at for the kind of its questions.
_LOOKED_AT = 32


def hub_table(
    path: str,
    *,
    config: str | None = None,
    split: str | None = None,
    revision: str | None = None,
    streaming: bool = False,
    rows: int | None = None,
) -> RowTable:
    """A split (of the only one: None) of ``owner/name``, or of a folder of save_to_disk or, as a
    stream, any that `datasets` reads; ``rows`` counts those of a stream. ConfigError: there is no
    such split, or their number is not known. DataError: it cannot be loaded.
    """
    if streaming:
        return _stream(path, config, split, revision, rows)
    return stored_table(path, config=config, split=split, revision=revision)


def stored_table(
    path: str, *, config: str | None = None, split: str | None = None, revision: str | None = None
) -> Hub:
    """A split that is on this disk after its download, of ``owner/name@revision`` too, or of a
    folder of Parquet files by the beginning of names. Raises as `hub_table`.
    """
    local = user_path(path)
    with loading(path):
        import datasets

        found: Any
        if is_saved(path):
            found = datasets.load_from_disk(str(local))
        elif local.is_dir():
            found = _of_parquet(local, split or "")
        else:
            name, _, named = path.partition("@")
            found = datasets.load_dataset(
                name, config, split=split, revision=revision or named or None
            )
    if isinstance(found, dict):
        found = found[_split_of(found, split, path)]
    with loading(path):
        return Hub(path, found, fingerprint(found, local, path))


def _of_parquet(folder: Path, split: str) -> Any:
    import datasets

    files = sorted(folder.rglob(f"{split}*.parquet")) or sorted(folder.rglob("*.parquet"))
    if not files:
        raise FileNotFoundError(f"{folder} contains no data set and no Parquet file")
    return datasets.Dataset.from_parquet([str(file) for file in files])


@contextmanager
def loading(path: str) -> Iterator[None]:
    """Load with `datasets`, from its cache if the hub fails; DataError, DependencyError."""
    try:
        import datasets
    except ImportError as error:
        raise DependencyError(
            "source: hub needs the package 'datasets'", hint="pip install 'chef-eval[hub]'"
        ) from error
    try:
        if not user_path(path).is_dir() and (reason := unreachable()) is not None:
            datasets.config.HF_HUB_OFFLINE = True  # what is in the cache is used
            _log.info("the hub cannot be reached (%s); only its cache is read", reason)
        yield
    except Exception as error:  # the library raises many kinds of errors
        raise DataError(
            f"cannot be loaded as a data set: {first_line(error)}",
            where=path,
            hint="check the name and the network; or download the data set elsewhere, save it with "
            "save_to_disk, and give the folder",
        ) from None


def _split_of(known: Mapping[str, Any], split: str | None, path: str) -> str:
    if split is None and len(known) == 1:
        return str(next(iter(known)))
    if split is None or split not in known:
        what = f"{path} has no split '{split}'" if split else f"{path} has several splits"
        hint = nearest(split or "", known)
        raise ConfigError(what, where="scenario_cfg.split", hint=hint)
    return split


def _stream(
    path: str, config: str | None, split: str | None, revision: str | None, rows: int | None
) -> RowTable:
    with loading(path):
        import datasets

        local = user_path(path)
        name = str(local) if local.is_dir() else path
        builder = datasets.load_dataset_builder(name, config, revision=revision)
        found = builder.as_streaming_dataset()
    split = _split_of(found, split, path)
    known = (builder.info.splits or {}).get(split)
    length = rows or (known.num_examples if known else None)
    if not length:
        raise ConfigError(
            f"the data set {path} does not say how many rows it has",
            where="scenario_cfg.streaming",
            hint="give the number of rows to take: rows: 500",
        )
    with loading(path):
        files = [str(file) for file in (builder.config.data_files or {}).get(split, ())]
        made = file_digest(*map(Path, files)) if local.is_dir() else content_digest(repr(files))
        stream = found[split]
        if stream.features is not None:
            stream = stream.cast(undecoded(stream.features))
        return HubStream(path, stream, length, made)


class _HubRows(RowTable):
    """What both have in common: rows are known by the data set, not by a file."""

    def __init__(self, path: str, features: Mapping[str, Any] | None, made: str) -> None:
        self.path, self._made = path, made
        self.columns = tuple(features or ())
        self.names = {
            name: list(feature.names)
            for name, feature in (features or {}).items()
            if type(feature).__name__ == "ClassLabel"
        }

    def digests(self) -> Iterator[str]:
        """None: a data set of the hub changes as a whole, with its revision."""
        return iter(())

    def fingerprint(self) -> str:
        """The digest of the files of a local folder, or of addresses, which contain a commit."""
        return self._made


class Hub(_HubRows):
    """The rows of a data set that is on this disk."""

    def __init__(self, path: str, dataset: Dataset, made: str) -> None:
        super().__init__(path, dataset.features, made)
        self._dataset = dataset.with_format("arrow")  # nothing is decoded

    def __len__(self) -> int:
        return len(self._dataset)

    def read(self, position: int) -> Row:
        return usable(next(rows_of(iter(self._dataset[position].to_batches()))))

    def present(self, column: str) -> list[bool]:
        """Whether each row has a value in a column, which is not read."""
        cells = self._dataset.select_columns([column])[:].column(0)
        known: list[bool] = cells.is_valid().to_pylist()
        return known

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        """See `chef.scenario.table.rows.RowTable`; the other columns are not read."""
        names = [name for name in self.columns if name in columns]
        if not names:
            yield from ({} for _ in range(len(self)))
            return
        for table in self._dataset.select_columns(names).iter(batch_size=256):
            yield from rows_of(iter(table.to_batches()))


class HubStream(_HubRows):
    """The rows of a data set as they arrive; those that have arrived are kept in a file."""

    is_whole = False

    def __init__(self, path: str, dataset: IterableDataset, length: int, made: str) -> None:
        first: Row = {} if dataset.features else next(iter(dataset), {})
        super().__init__(path, dataset.features or dict.fromkeys(first), made)
        self._dataset, self._length = dataset, length
        self._rows = self._begun()

    def _begun(self) -> Forward:
        return Forward(lambda: (partial(dict, row) for row in self._dataset), keep=True)

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "_rows"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._rows = self._begun()

    def __len__(self) -> int:
        return self._length

    def read(self, position: int) -> Row:
        return self._rows.read(position)

    def scan(self, columns: Sequence[str]) -> Iterator[Row | Problem]:
        """The first rows only."""
        for position in range(min(_LOOKED_AT, self._length)):
            row = self._rows.read(position)
            yield {name: row[name] for name in columns if name in row}


def undecoded(features: Mapping[str, Any]) -> Any:
    """The features of a data set, with images as they are stored."""
    import datasets

    def one(feature: Any) -> Any:
        if isinstance(feature, datasets.Image):
            return datasets.Image(decode=False)
        if isinstance(feature, datasets.List):
            return datasets.List(one(feature.feature), length=feature.length)
        return feature

    return datasets.Features({name: one(item) for name, item in features.items()})


def fingerprint(dataset: Dataset, local: Path, path: str) -> str:
    """A digest of the local files, or of the addresses on the hub, which contain a commit."""
    if local.is_dir():
        kinds = (".parquet", ".arrow")
        return file_digest(*sorted(item for item in local.rglob("*") if item.suffix in kinds))
    checksums = getattr(dataset.info, "download_checksums", None) or {}
    names = (path, *sorted(checksums))
    return content_digest(repr(names))
