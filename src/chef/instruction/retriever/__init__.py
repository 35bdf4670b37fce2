"""Retrievers choose the in-context examples of a question.

To add a retriever, write a module and add a line to the registry below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chef.common.front_modules import attributes
from chef.registry import Registry

if TYPE_CHECKING:
    from chef.instruction.retriever.base import ExamplePool, Retriever
else:
    __getattr__ = attributes(
        __name__, {"chef.instruction.retriever.base": ("ExamplePool", "Retriever")}
    )

RETRIEVERS: Registry[Retriever] = Registry(
    "retriever",
    {
        "random": "chef.instruction.retriever.base:Random",
        "fixed": "chef.instruction.retriever.base:Fixed",
        "topk_text": "chef.instruction.retriever.nearest:TopkText",
        "topk_img": "chef.instruction.retriever.nearest:TopkImg",
    },
    upstream={
        "random": "chef.instruction.retriever.upstream.kinds:Random",
        "fixed": "chef.instruction.retriever.upstream.kinds:Fixed",
        "topk_text": "chef.instruction.retriever.upstream.kinds:TopkText",
        "topk_img": "chef.instruction.retriever.upstream.kinds:TopkImg",
    },
)

__all__ = ["RETRIEVERS", "ExamplePool", "Retriever"]
