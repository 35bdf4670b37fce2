"""The table of MMTrustEval's data sets: what is known of each id."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, TypeAlias

import msgspec

from chef.common.yaml_text import shipped
from chef.errors import ConfigError, nearest, similar
from chef.scenario.questions.transforms import Transform

#: The kinds of unrelated pictures.
UNRELATED = ("color", "nature", "noise")
#: Which picture a question has: see the head of ``table.yaml``.
Shown: TypeAlias = Literal["none", "own", "color", "nature", "noise", "each"]
PathKey: TypeAlias = Literal[
    "annotation_file", "annotation_dir", "image_dir", "unrelated_image_dir", "name_list",
    "prompts_path", "labels_path", "font_path",
]  # fmt: skip
OtherKey: TypeAlias = Literal[
    "force_prompt", "data_type_id", "generate_image", "img_num", "num_per_type"
]


#: What a field can be, by the names that tables of one's own have for columns.
Role: TypeAlias = Literal["id", "question", "images", "answer", "category"]


class Mapped(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """How the records of a family become questions, where each is one; see ``table.yaml``.

    Attributes:
        file: what holds the records; see ``table.yaml``.
        columns: the field of each role; of ``id`` a list of them, where no field names a record its
            position does; of ``images`` what ``picture`` wants; of ``answer`` a field, or a text
            with fields in braces.
        transforms: what becomes of a field (`chef.scenario.questions.transforms`), by its role.
        prompt: the wording of the question; empty: the field ``question`` is the question.
        fields: the field of the data for a field of the prompt that has another name.
        ways: the name of each wording, of a prompt that asks every record in several of them, with
            its number in braces; it ends the id, and is the subset where ``category`` is the same.
        picture: how the picture of a record is found.
        options: what each answer may be called, or that the wording says it; empty: no options.
        flags: attributes, each with columns of which one is set, and what that one means.
        size: the name of the field of ``extra`` with width and height of the picture; empty: none.
        times: how many unrelated pictures of every kind, where the id has ``image: each``.
    """

    file: Literal["list", "csv", "named", "groups", "texts", "pictures", "folders"] = "list"
    columns: Mapping[Role, str | tuple[str, ...]] = {}
    transforms: Mapping[Role, Transform] = {}
    prompt: str = ""
    fields: Mapping[str, str] = {}
    ways: str = ""
    picture: Literal["named", "by_part", "ending", "numbered", "next", "every"] = "named"
    options: Mapping[str, tuple[str, ...]] | Literal["answers"] = {}
    flags: Mapping[str, Mapping[str, str]] = {}
    size: str = ""
    times: int = 1

    def column(self, role: Role) -> str:
        """The field of a role that has one; empty: none."""
        field = self.columns.get(role, "")
        return field if isinstance(field, str) else ""


class Variant(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """What one id has of its own; see the head of ``table.yaml``."""

    image: Shown = "own"
    part: str = ""
    file: str = ""
    prompt: str = ""
    paths: Mapping[PathKey, str] = {}


class TrustFamily(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Ids whose files are read alike; see the head of ``table.yaml``."""

    about: str
    paths: Mapping[PathKey, str]
    ids: Mapping[str, Variant]
    rows: Mapped | None = None
    keys: tuple[OtherKey, ...] = ()
    subset: str = ""


class Dataset(msgspec.Struct, frozen=True):
    """An id of the table with its family."""

    id: str
    family: str
    about: TrustFamily
    variant: Variant

    @property
    def is_text(self) -> bool:
        """Whether its samples have no picture."""
        return self.variant.image == "none"

    @property
    def paths(self) -> dict[PathKey, str]:
        """Its files and folders, relative to the data root."""
        given = {**self.about.paths, **self.variant.paths}
        names = {"part": self.variant.part, "file": self.variant.file}
        return {key: path.format_map(names) for key, path in given.items()}

    @property
    def needs(self) -> dict[PathKey, str]:
        """Those of its paths without which it cannot be read; a font is never among them."""
        image = self.variant.image
        left_out = {"font_path"}
        if image != "own":
            left_out.add("image_dir")
        if image in ("own", "none"):
            left_out.add("unrelated_image_dir")
        return {key: path for key, path in self.paths.items() if key not in left_out}

    @property
    def line(self) -> str:
        """One sentence on it, for lists."""
        shown = {
            "none": "text alone",
            "own": "",
            "each": "with unrelated pictures of every kind",
        }.get(self.variant.image, f"with unrelated pictures ({self.variant.image})")
        keys = f"; keys: {', '.join(self.about.keys)}" if self.about.keys else ""
        subset = f"; subset: {self.about.subset}" if self.about.subset else ""
        return f"{self.about.about}{', ' if shown else ''}{shown}{subset}{keys}."


class _Table(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    families: Mapping[str, TrustFamily]


@cache
def families() -> Mapping[str, TrustFamily]:
    """The families by name, in the order of the table."""
    return msgspec.convert(shipped("chef.scenario.mmtrusteval", "table.yaml"), _Table).families


@cache
def datasets() -> Mapping[str, Dataset]:
    """All data sets by id, in the order of the table."""
    return {
        name: Dataset(name, family, about, variant)
        for family, about in families().items()
        for name, variant in about.ids.items()
    }


def dataset(name: str) -> Dataset:
    """The data set of that id; ConfigError, which suggests a similar one, if there is none."""
    if name in datasets():
        return datasets()[name]
    near = similar(name, datasets())
    raise ConfigError(
        f"MMTrustEval has no data set '{name}'",
        where="scenario_cfg.dataset_id",
        hint=f"{nearest(name, datasets())} `chef list datasets` shows all {len(datasets())}"
        if near
        else f"`chef list datasets` shows all {len(datasets())}",
    )
