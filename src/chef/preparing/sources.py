"""The table of sources and its checks."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from chef.errors import ConfigError, nearest
from chef.preparing.fetch import Digest

TABLE = Path(__file__).with_name("sources.yaml")
#: The address of the hub; the environment variable HF_ENDPOINT names a mirror.
HUB = "https://huggingface.co"


class File(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One file of a data set.

    Attributes:
        url: its address; either this or ``hub`` is given.
        hub: ``owner/name:path`` of a data set on the hub.
        revision: the revision of the data set on the hub.
        to: its path below the data root; for an archive, the folder that it is unpacked to.
        unpack: whether it is an archive.
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
        files: the files to download, in order.
        convert: a function of `chef.preparing.convert` that is run on the data root afterwards.
        exports: another such function, run with ``--export-images``.
        by_hand: what has to be done by hand, if the data cannot be downloaded.
        needs: the files and folders that must exist at the end, below the data root.
    """

    licence: str
    needs: tuple[str, ...]
    files: tuple[File, ...] = ()
    convert: str = ""
    exports: str = ""
    by_hand: str = ""


def read_sources(path: Path = TABLE) -> dict[str, Source]:
    """Read the table of sources, by scenario.

    Raises:
        ConfigError: the table is malformed.
    """
    import yaml

    try:
        table: dict[str, Source] = msgspec.convert(
            yaml.safe_load(path.read_text(encoding="utf-8"))["scenarios"], dict[str, Source]
        )
    except (msgspec.ValidationError, yaml.YAMLError, KeyError) as error:
        raise ConfigError(f"malformed: {error}", where=str(path)) from None
    return table


def source_of(name: str, table: dict[str, Source]) -> Source:
    """The source of a scenario.

    Raises:
        ConfigError: the table does not have it.
    """
    if name not in table:
        raise ConfigError(f"no source is known for '{name}'", hint=nearest(name, table))
    return table[name]
