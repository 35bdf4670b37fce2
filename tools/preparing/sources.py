"""The table of sources, checked."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from chef.errors import ConfigError, nearest
from preparing.fetch import Digest

TABLE = Path(__file__).with_name("sources.yaml")
#: Mirrors of the hub are named by this variable of the environment, as everywhere.
HUB = "https://huggingface.co"


class File(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One file of a data set.

    Attributes:
        url: where it is; or ``hub``.
        hub: ``owner/name:path`` of a data set on the hub.
        revision: of the hub.
        to: where it goes, below the data root; for an archive the folder that it becomes.
        unpack: it is an archive.
        within: the folder of the archive that is taken.
        size: about how large, as its publisher or users say.
        md5, sha256: as its publisher says.
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
        """Consent, where a hub token stands for it."""
        token = os.environ.get("HF_TOKEN", "")
        return {"Authorization": f"Bearer {token}"} if self.hub and token else {}


class Source(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Where one scenario's data comes from.

    Attributes:
        licence: what its publisher allows, as far as known.
        files: what is fetched, in order.
        convert: a function of `preparing.convert`, run on the data root afterwards.
        exports: another such function, run where pictures are wanted as files, too.
        by_hand: what has to be done by hand, if it cannot be fetched.
        needs: what has to be there in the end, below the data root.
    """

    licence: str
    needs: tuple[str, ...]
    files: tuple[File, ...] = ()
    convert: str = ""
    exports: str = ""
    by_hand: str = ""


def read_sources(path: Path = TABLE) -> dict[str, Source]:
    """The table by scenario.

    Raises:
        ConfigError: it is malformed.
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
    if name not in table:
        raise ConfigError(f"no source is known for '{name}'", mend=nearest(name, table))
    return table[name]
