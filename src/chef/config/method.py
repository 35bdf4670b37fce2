"""The key ``method_cfg`` of a scenario: what is done to its samples before a model is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.config.document import Document
from chef.config.signature import check_value
from chef.config.spec import Spec, make_spec
from chef.errors import ConfigError
from chef.method import METHODS, Method

AT = ("scenario_cfg", "method_cfg")


def load_method(given: Any, document: Document) -> Spec[Method] | None:
    """Check the section, ``{method: {key: value}}``; None where it is empty.

    Args:
        given: as the recipe gives it.
        document: the recipe.

    Raises:
        ConfigError: several methods, an unknown method or key, or a wrong type.
    """
    where = document.where(*AT)
    section: Mapping[str, Any] = check_value(given or {}, dict[str, Any], where)
    if not section:
        return None
    if len(section) > 1:
        raise ConfigError(
            f"there are {len(section)} methods: {', '.join(section)}",
            where=where,
            hint="keep one; a scenario has at most one method",
        )
    ((name, keys),) = section.items()
    METHODS.get(name, where=document.where(*AT, name))  # an unknown one is refused by its name
    options = check_value(keys or {}, dict[str, Any], document.where(*AT, name))
    return make_spec(
        {"method_id": name, **options}, "method_id", METHODS, document, (*AT, name),
        reserved=("method_id",),
    )  # fmt: skip
