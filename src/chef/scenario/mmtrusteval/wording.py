"""What the data sets ask: wordings as data, which a file of the user's can replace."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Any, TypeAlias

import msgspec

from chef.errors import ConfigError, nearest
from chef.guard.files import read_text

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
    return _read((files("chef.scenario.mmtrusteval") / "wording.yaml").read_text("utf-8"))


def wording(file: Path | None = None) -> TrustWording:
    """The wordings, with those of a file in place of the same names; ConfigError for others."""
    ours = own_wording()
    if file is None:
        return ours
    import yaml

    where = str(file)
    try:
        given = _read(read_text(file))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, msgspec.ValidationError) as error:
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


def _read(text: str) -> TrustWording:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast
    return msgspec.convert(yaml.load(text, loader), TrustWording)  # noqa: S506 (a safe loader)
