"""LAMM's benchmark: questions as the data holds them, after a message on the task."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import ClassVar

from chef.scenario.records.listed import Listed


class Lamm(Listed):
    """A data set of LAMM's two-dimensional benchmark.

    Args:
        base_data_path: the root of LAMM's 2D benchmark.

    Attributes:
        meta_file: the file that lists the records, below ``meta_file/``.
        message: which of ``lamm_messages.yaml`` is sent first; empty for none.
    """

    meta_file: ClassVar[str]
    message: ClassVar[str] = ""

    def __init__(self, *, base_data_path: str) -> None:
        super().__init__(base_data_path, f"meta_file/{self.meta_file}")
        self.system_message = messages()[self.message] if self.message else ""


@cache
def messages() -> Mapping[str, str]:
    """The message of every task of LAMM."""
    import yaml

    text = (files("chef.scenario") / "lamm_messages.yaml").read_text("utf-8")
    found: Mapping[str, str] = yaml.safe_load(text)
    return found
