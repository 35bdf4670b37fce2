"""A template for the question: text with the names of columns in braces."""

from __future__ import annotations

import string
from collections.abc import Callable
from dataclasses import dataclass

from chef.errors import ConfigError

_WHERE = "scenario_cfg.template"


@dataclass(frozen=True, slots=True)
class Template:
    """Text and names in turn.

    Attributes:
        parts: each is a text and the name after it; None where no name follows.
    """

    parts: tuple[tuple[str, str | None], ...]

    @classmethod
    def read(cls, text: str) -> Template:
        r"""Read a template; ``{{`` and ``}}`` are braces.

        >>> Template.read("{context}\nQ: {question} {{x}}").names
        ('context', 'question')

        Raises:
            ConfigError: a brace is not closed, or there is more than a name between braces.
        """
        try:
            parsed = list(string.Formatter().parse(text))
        except ValueError as error:
            raise ConfigError(
                f"the template cannot be read: {error}",
                where=_WHERE,
                hint="close each brace; write {{ and }} for braces of the text",
            ) from None
        for _, name, form, conversion in parsed:
            if name is not None and (not name or form or conversion):
                shown = (
                    f"{name}{'!' + conversion if conversion else ''}{':' + form if form else ''}"
                )
                raise ConfigError(
                    f"the template has {{{shown}}}, which is no name of a column",
                    where=_WHERE,
                    hint="write only the name of a column in the braces, and {{ }} for braces",
                )
        return cls(tuple((before, name) for before, name, _, _ in parsed))

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the order of the text."""
        return tuple(name for _, name in self.parts if name is not None)

    def filled(self, value: Callable[[str], str]) -> str:
        """The text with the value of each name. Lines at its ends that are blank are left out."""
        filled = (before + ("" if name is None else value(name)) for before, name in self.parts)
        return "".join(filled).strip()
