"""The table of sources and its checks."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import msgspec

from chef.errors import ChefError, ConfigError, DataError, nearest, same_name
from chef.scenario import SCENARIOS
from chef.scenario.download import Digest
from chef.scenario.vlmevalkit.table import PREFIX, entry, registered_name, root_folder, table

TABLE = Path(__file__).with_name("sources.yaml")
#: The address of the hub; the environment variable HF_ENDPOINT names a mirror.
HUB = "https://huggingface.co"


class File(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One file of a data set, at ``url``, or ``owner/name:path`` of the hub.

    Attributes:
        to: its path below the data root; for an archive, the folder that it is unpacked to.
        within: the folder in the archive that is used; empty for all of it.
        size: its approximate size, as its publisher or users state it.
        md5, sha256: its digest, as its publisher states it.
    """

    to: str
    url: str = ""
    hub: str = ""
    revision: str = "main"
    unpack: bool = False
    within: str = ""
    size: str = ""
    md5: str = ""
    sha256: str = ""

    @property
    def address(self) -> str:
        if not self.hub:
            return self.url
        name, _, path = self.hub.partition(":")
        host = os.environ.get("HF_ENDPOINT", HUB).rstrip("/")
        return f"{host}/datasets/{name}/resolve/{self.revision}/{path}"

    @property
    def digest(self) -> Digest | None:
        if self.sha256:
            return Digest("sha256", self.sha256)
        return Digest("md5", self.md5) if self.md5 else None

    def headers(self) -> dict[str, str]:
        """The headers of the request: a token of the hub, which shows consent to the terms."""
        token = os.environ.get("HF_TOKEN", "")
        return {"Authorization": f"Bearer {token}"} if self.hub and token else {}


class Source(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The origin of the data of one scenario.

    Attributes:
        licence: the terms of its publisher, as far as they are known.
        convert: a function of `chef.preparing.convert` that is run on the data root afterwards.
        exports: another such function, run with ``--export-images``.
        by_hand: what has to be done by hand, if the data cannot be downloaded.
        needs: the files and folders that must exist at the end, below the data root.
        root: the folder that all this is below where the command line names none.
    """

    licence: str
    needs: tuple[str, ...]
    files: tuple[File, ...] = ()
    convert: str = ""
    exports: str = ""
    by_hand: str = ""
    root: str = "data"


def read_sources(path: Path = TABLE) -> dict[str, Source]:
    """Read the table of sources, by scenario; ConfigError where it is malformed."""
    import yaml

    from chef.common.yaml_text import load

    try:
        found: dict[str, Source] = msgspec.convert(
            load(path.read_text(encoding="utf-8"))["scenarios"], dict[str, Source]
        )
    except (msgspec.ValidationError, yaml.YAMLError, KeyError) as error:
        raise ConfigError(f"malformed: {error}", where=str(path)) from None
    return found


def benchmark_sources() -> dict[str, Source]:
    """VLMEvalKit's benchmarks with a known address, by the names that recipes give them."""
    known = table()
    parts = {name: (name,) for name, one in known.benchmarks.items() if one.url} | {**known.joined}
    return {registered_name(name): _of_benchmarks(names) for name, names in parts.items()}


def _of_benchmarks(names: tuple[str, ...]) -> Source:
    """The source of benchmarks that are asked by one name."""
    known = {f"{name}.tsv": table().benchmarks[name] for name in names}
    return Source(
        licence="those of the benchmark; its publisher states them",
        files=tuple(File(url=one.url, to=file, md5=one.md5) for file, one in known.items()),
        needs=(*known,),
        root=str(root_folder()),
    )


def source_of(name: str, known: dict[str, Source]) -> Source:
    """The source of a scenario; ConfigError where the table does not have it."""
    if name in known:
        return known[name]
    if name in SCENARIOS.further:
        what = "the address of its file is not known"
        hint = f"bring {name}.tsv to {root_folder()}, or to the folder of --data_root"
        raise ConfigError(what, where=name, hint=hint)
    if (other := same_name(name, known)) is not None:
        return known[other]
    raise ConfigError(f"no source is known for '{name}'", hint=nearest(name, known))


def how_to_run(name: str, root: str | None) -> str:
    """The end of a line with the command that evaluates a benchmark of VLMEvalKit; else empty."""
    plain = name.removeprefix(PREFIX)
    known = {**table().benchmarks, **table().joined}
    if plain not in known or registered_name(plain) != name:
        return ""
    recipe, folder = entry(plain).family.recipe, f" --data_root {shlex.quote(root)}" if root else ""
    return (
        f"; run it: chef eval --model_cfg tiny --recipe_cfg VLMEvalKit/{recipe} "
        f"scenario_cfg.dataset_name={name}{folder}"
    )


def with_remedy(error: DataError, scenario: str, looked: str | None) -> DataError:
    """The same error; its hint names the command that downloads the data, where there is one.

    ``looked`` is a sentence on the folders where its files were looked for.
    """
    hints = [error.hint, looked]
    try:
        is_known = scenario in read_sources()
    except ChefError:  # the error at hand matters more than a broken table
        is_known = False
    if is_known and not (error.where and Path(error.where).is_file()):
        hints.append(f"`chef prepare {scenario}` (tools/prepare_data.py) downloads it")
    return DataError(error.what, where=error.where, hint="; ".join(filter(None, hints)) or None)
