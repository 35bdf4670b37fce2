"""The small functions of ``vlmeval.smp`` that models use, besides those of data sets."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable

from chef.common.vlmevalkit_messages import typed

_OPERATORS: dict[str, Callable[[object, object], bool]] = {
    name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}


def get_rank_and_world_size() -> tuple[int, int]:
    """The number of this process and of all, as ``torchrun`` tells them; 0 and 1 without it."""
    return int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))


def auto_split_flag() -> bool:
    """Whether large models are to be split over GPUs: ``$AUTO_SPLIT`` is 1."""
    return os.environ.get("AUTO_SPLIT", "0") == "1"


def isimg(s: str) -> bool:
    """Whether a text is the path of an existing image file, or the address of an image.

    >>> isimg("https://example.org/cat.png"), isimg("a cat")
    (True, False)
    """
    return bool(typed([s])[0]["type"] == "image")


def splitlen(s: str, sym: str = "/") -> int:
    """The number of parts of a text between separators.

    >>> splitlen("owner/name")
    2
    """
    return len(s.split(sym))


def cn_string(s: str) -> bool:
    """Whether a text has a Chinese character.

    >>> cn_string("一只猫"), cn_string("a cat")
    (True, False)
    """
    return any("\u4e00" <= sign <= "\u9fff" for sign in s)


def version_cmp(v1: str, v2: str, op: str = "eq") -> bool:
    """Whether two versions of packages compare so.

    >>> version_cmp("4.45.0", "4.9.1", "ge")
    True
    """
    from packaging.version import Version

    return _OPERATORS[op](Version(v1), Version(v2))
