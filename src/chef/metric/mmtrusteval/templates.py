"""The templates by which a judge is asked: Python's format strings, with fields that are texts."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from typing import Any

from chef.errors import ConfigError, DataError

_BRACES = "a brace that stands for itself is written twice: {{ }}"


class _Fields(string.Formatter):
    """Formats fields by their name or number alone: nothing is looked up in them."""

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        key = int(field_name) if field_name.isdecimal() else field_name
        return self.get_value(key, args, kwargs), field_name


def check_template(template: str, *, named: bool) -> None:
    """Check a template before anything is asked.

    Args:
        template: the template.
        named: whether its fields have names (``{pred}``); otherwise they have places (``{}``).

    Raises:
        ConfigError: it is malformed, or has a field of the other kind; ``where`` is its key.

    >>> check_template("Is '{pred}' polite?", named=True)
    """
    try:
        fields = [name for _, name, _, _ in string.Formatter().parse(template) if name is not None]
    except ValueError as error:
        raise ConfigError(
            f"the template is malformed: {error}", where="prompt_template", hint=_BRACES
        ) from None
    for name in fields:
        if "." in name or "[" in name:
            raise ConfigError(
                f"the template looks into a field: {{{name}}}",
                where="prompt_template",
                hint="write the name of the field alone",
            )
        if (name.isdecimal() or not name) == named:
            wanted = "names: {pred}, {label}" if named else "no names: {}, or {0}, {1}"
            raise ConfigError(
                f"the template has the field {{{name}}}",
                where="prompt_template",
                hint=f"its fields have {wanted}; {_BRACES}",
            )


def filled(
    template: str, places: Sequence[Any] = (), names: Mapping[str, Any] | None = None
) -> str:
    """The template with its fields.

    Args:
        template: what `check_template` has checked.
        places: the fields without names, in order.
        names: the others.

    Raises:
        DataError: a field is missing.

    >>> filled("Q: {}, A: {}", ["Why?", "So."]), filled("{a}{{}}", names={"a": 1})
    ('Q: Why?, A: So.', '1{}')
    """
    known = dict(names or {})
    try:
        return _Fields().vformat(template, places, known)
    except KeyError as error:
        raise DataError(
            f"the prompt_template has the field {error}, and the sample does not",
            hint=f"the sample has {', '.join(known)}",
        ) from None
    except IndexError:
        raise DataError(
            f"the prompt_template has more fields than the {len(places)} of the sample",
            hint="a label without an arrow (question->answer) gives two: the answer and the label",
        ) from None
    except ValueError as error:
        raise DataError(f"the prompt_template cannot be filled: {error}") from None
