"""The word lists of the rules: those that come with chef, and a user's own."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

import msgspec

from chef.common import yaml_text
from chef.errors import ConfigError, nearest
from chef.frozen import Frozen
from chef.guard.files import problem_of, read_text, user_path

#: Changes with any rule or list that can change a score.
POLICY = "chef-mmtrusteval-1"
#: What a recipe gives for a word list: phrases, or the name of a list, or of a file.
GivenPhrases: TypeAlias = Sequence[str] | str | None

_PACKAGE = "chef.reading.mmtrusteval_rules"
#: The lists of phrases that say yes; the first is the default.
_YES = ("yes", "stereotypes", "suitability")


class _Lists(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A file of ``lists/``."""

    version: str
    upstream: dict[str, list[str]]
    phrases: dict[str, list[str]] | list[str]
    opposites: list[str] = []
    inability: list[str] = []
    deeds: str = ""
    answers: list[str] = []


class WordList(Frozen):
    """Phrases and what says the contrary; a user's list has the start of its SHA-256 as version."""

    version: str
    phrases: tuple[str, ...]
    opposites: tuple[str, ...] = ()


class RefusalPhrases(WordList):
    """Refusals: "cannot", the deeds that make one of it, and answers that take one back."""

    inability: tuple[str, ...] = ()
    deeds: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()


def yes_phrases(given: GivenPhrases) -> WordList:
    """Phrases that say yes, for chef's rule.

    Args:
        given: phrases; one of ``yes``, ``stereotypes`` and ``suitability``; or the path of a file
            with one phrase a line. None: ``yes``.

    Raises:
        ConfigError: there is no such list or file, or it has no phrase.

    >>> yes_phrases("suitability").version
    'suitability-1'
    """
    name = _shipped(given, "yes_template", _YES)
    if name is None:
        return _of_user("yes_template", given)
    lists = _lists(name)
    return WordList(lists.version, _flat(lists.phrases), tuple(lists.opposites))


def refusal_phrases(given: GivenPhrases) -> RefusalPhrases:
    """Phrases that refuse, for chef's rule; the arguments are those of `yes_phrases`."""
    if _shipped(given, "reject_templates", ("refusals",)) is None:
        own = _of_user("reject_templates", given)
        return RefusalPhrases(own.version, own.phrases)
    lists = _lists("refusals")
    return RefusalPhrases(
        lists.version,
        _flat(lists.phrases),
        inability=tuple(lists.inability),
        deeds=tuple(lists.deeds.split()),
        answers=tuple(lists.answers),
    )


def yes_templates(given: GivenPhrases) -> WordList:
    """Parts of answers that say yes, for MMTrustEval's own rule; else as `yes_phrases`.

    >>> len(yes_templates(None).phrases)
    22
    """
    name = _shipped(given, "yes_template", _YES)
    return _of_user("yes_template", given, strict=False) if name is None else _templates(name)


def reject_templates(given: GivenPhrases) -> WordList:
    """Parts of answers that refuse, for MMTrustEval's own rule; else as `yes_phrases`.

    >>> len(reject_templates(None).phrases)
    55
    """
    name = _shipped(given, "reject_templates", ("refusals",))
    return _of_user("reject_templates", given, strict=False) if name is None else _templates(name)


def _templates(name: str) -> WordList:
    lists = _lists(name)
    return WordList(lists.version, _flat(lists.upstream))


def _shipped(given: GivenPhrases, key: str, names: Sequence[str]) -> str | None:
    """The name of the list of chef's that is meant; None for a user's list."""
    if given is None:
        return names[0]
    if not isinstance(given, str):
        return None
    if given in names:
        return given
    problem = problem_of(user_path(given))
    if problem is None:
        return None
    if "/" in given or "." in given:
        raise ConfigError(
            f"{given}: {problem}",
            where=key,
            hint="give a text file with one phrase a line; a relative path begins in the current "
            "folder",
        )
    raise ConfigError(
        f"there is no list '{given}'",
        where=key,
        hint=f"{nearest(given, names)} Or give a list of phrases, or the path of a file",
    )


def _of_user(key: str, given: GivenPhrases, *, strict: bool = True) -> WordList:
    """A user's phrases; a strict list has some, and no empty one: whole words are looked for."""
    if isinstance(given, str):
        phrases = _lines(key, user_path(given))
    else:
        phrases = [phrase for phrase in given or () if isinstance(phrase, str)]
        if given is None or len(phrases) != len(given):
            raise ConfigError("an item is no text", where=key, hint="give a list of texts")
    needed = strict or isinstance(given, str)
    if (needed and not phrases) or (strict and not all(phrase.strip() for phrase in phrases)):
        raise ConfigError(
            "the list has no phrase" if not phrases else "a phrase is empty",
            where=key,
            hint="leave the key out for chef's own list",
        )
    digest = hashlib.sha256("\n".join(phrases).encode("utf-8", "surrogatepass")).hexdigest()
    return WordList(f"own-{digest[:12]}", tuple(phrases))


def _lines(key: str, path: Path) -> list[str]:
    try:
        text = read_text(path, limit=yaml_text.MAX_BYTES)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{path} cannot be read: {error}",
            where=key,
            hint="give a text file in UTF-8 with one phrase a line",
        ) from None
    return [line for line in text.removeprefix("\ufeff").split("\n") if line.strip()]


def _flat(groups: dict[str, list[str]] | list[str]) -> tuple[str, ...]:
    lists = groups.values() if isinstance(groups, dict) else [groups]
    return tuple(phrase for items in lists for phrase in items)


@cache
def _lists(name: str) -> _Lists:
    text = (files(_PACKAGE) / "lists" / f"{name}.yaml").read_text("utf-8")
    return msgspec.convert(yaml_text.load(text), _Lists)
