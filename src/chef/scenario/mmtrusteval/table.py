"""The table of MMTrustEval's data sets, and what they ask: wordings as data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Literal, TypeAlias

import msgspec

from chef.common.yaml_text import MAX_BYTES, load, shipped
from chef.errors import ConfigError, nearest, similar
from chef.guard.files import read_text
from chef.scenario.questions.values import Transform

Texts: TypeAlias = str | tuple[str, ...]


class RiskQuestion(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A question on a risky picture, and the words that its answer should have."""

    question: str
    keywords: str


class TrustWording(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The wordings; ``wording.yaml`` has the default ones.

    Attributes:
        version: of the wordings; texts never change without it.
        prompts: by name; a list asks everything once in each of its wordings.
        answers: what the references of multiple choice are called, by label.
        risk: the questions on each folder of risky pictures: three on objects, then on risks.
    """

    version: int | str = ""
    prompts: Mapping[str, Texts] = {}
    answers: Mapping[str, tuple[str, ...]] = {}
    risk: Mapping[str, tuple[RiskQuestion, ...]] = {}

    def say(self, prompt: str, /, **values: Any) -> str:
        """The prompt of that name about these values."""
        text = self.prompts[prompt]
        assert isinstance(text, str)
        return text.format_map(values)

    def ways(self, prompt: str, /, **values: Any) -> list[str]:
        """The same in each wording of a prompt that has several."""
        texts = self.prompts[prompt]
        return [one.format_map(values) for one in ((texts,) if isinstance(texts, str) else texts)]

    def fields(self, prompt: str) -> list[str]:
        """The names in braces of a prompt, in their order."""
        return _fields(self.prompts[prompt])


@cache
def own_wording() -> TrustWording:
    """The wordings of chef."""
    return msgspec.convert(shipped("chef.scenario.mmtrusteval", "wording.yaml"), TrustWording)


def wording(file: Path | None = None) -> TrustWording:
    """The wordings, with those of a file in place of the same names; ConfigError for others."""
    ours = own_wording()
    if file is None:
        return ours
    import yaml

    where = str(file)
    try:
        given = msgspec.convert(load(read_text(file, limit=MAX_BYTES)), TrustWording)
    except (OSError, ValueError, yaml.YAMLError, msgspec.ValidationError) as error:
        raise ConfigError(
            f"cannot be read as wordings: {error}",
            where=where,
            hint="it has version, prompts, answers and risk, as chef's wording.yaml has",
        ) from None
    for name, texts in given.prompts.items():
        _check(name, texts, ours, f"{where}: prompts.{name}")
    return TrustWording(
        version=given.version,
        prompts={**ours.prompts, **given.prompts},
        answers={**ours.answers, **given.answers},
        risk={**ours.risk, **given.risk},
    )


def _check(name: str, texts: Texts, ours: TrustWording, where: str) -> None:
    """Check that a prompt is one of ours, in form and fields."""
    if name not in ours.prompts:
        raise ConfigError("no such prompt", where=where, hint=nearest(name, ours.prompts))
    if isinstance(texts, str) != isinstance(ours.prompts[name], str):
        form = "one text" if isinstance(ours.prompts[name], str) else "a list of texts"
        raise ConfigError("of the wrong form", where=where, hint=f"give {form}")
    try:
        unknown = {*_fields(texts)} - {*_fields(ours.prompts[name])}
    except ValueError as error:
        raise ConfigError(f"{error}", where=where, hint="write {{ and }} for braces") from None
    if unknown:
        known = ", ".join(f"{{{field}}}" for field in sorted(_fields(ours.prompts[name]))) or "none"
        raise ConfigError(
            f"unknown fields {', '.join(sorted(unknown))}", where=where, hint=f"fields: {known}"
        )


def _fields(texts: Texts) -> list[str]:
    parts = [texts] if isinstance(texts, str) else texts
    names = (field for text in parts for _, field, _, _ in Formatter().parse(text) if field)
    return list(dict.fromkeys(names))


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
        transforms: what becomes of a field (`chef.scenario.questions.values`), by its role.
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
