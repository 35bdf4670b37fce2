"""What is wrong with the syntax of a YAML file or an override, and how to correct it."""

from __future__ import annotations

from pathlib import Path

from chef.errors import ConfigError

#: A part of the parser's message, and the remedy.
_REMEDIES = (
    (
        "mapping values are not allowed",
        "put a space after each colon, and indent the keys of a section alike; the mistake may be "
        "in the line above",
    ),
    ("expected <block end>", "indent the keys of a section by the same number of spaces"),
    ("expected ',' or", "close the bracket that is open, or put a comma between two items"),
    ("duplicate key", "remove one of the two"),
    ("could not determine a constructor", "remove what begins with '!': a file holds plain data"),
    ("cannot start any token", "put the value in quotes"),
    ("undefined alias", "put a value that begins with '*' in quotes"),
    ("end of stream", "close the quote or the bracket that is open"),
    ("<stream end>", "close the quote or the bracket that is open"),
)


def syntax_error(path: Path, error: Exception) -> ConfigError:
    """The error for a file that YAML cannot read, with its line."""
    mark = getattr(error, "problem_mark", None)
    place = f"{path}:{mark.line + 1}" if mark else str(path)
    problem = getattr(error, "problem", None) or str(error)
    if "'\\t'" in problem:
        what, hint = "YAML allows no tab there", "replace each tab by spaces, two for a level"
        return ConfigError(what, where=place, hint=hint)
    hint = next((hint for part, hint in _REMEDIES if part in problem), "correct the syntax there")
    return ConfigError(f"not valid YAML: {problem}", where=place, hint=hint)


def override_error(place: str, name: str, error: Exception) -> ConfigError:
    """The error for an override whose value YAML cannot read.

    Args:
        place: how the override is called in messages.
        name: its key.
        error: what was raised.
    """
    return ConfigError(
        f"the value is not valid YAML: {str(error).splitlines()[0]}",
        where=place,
        hint=f"""put it in quotes of its own: '{name}="..."'""",
    )


def no_text(path: Path, error: Exception) -> ConfigError:
    """The error for a file that cannot be read as text."""
    if isinstance(error, UnicodeDecodeError):
        what, hint = "is no text file", "give a YAML file, in UTF-8"
        return ConfigError(what, where=str(path), hint=hint)
    reason = getattr(error, "strerror", None) or str(error)
    return ConfigError(f"cannot be read: {reason}", where=str(path), hint="check its permissions")
