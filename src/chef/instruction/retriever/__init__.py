"""Retrievers choose the in-context examples of a question.

To add a retriever, write a module and add a line to the registry below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chef.common.front_modules import attributes
from chef.registry import Registry

if TYPE_CHECKING:
    from chef.instruction.retriever.base import Retriever
    from chef.instruction.retriever.pool import ExamplePool
else:
    __getattr__ = attributes(
        __name__,
        {
            "chef.instruction.retriever.base": ("Retriever",),
            "chef.instruction.retriever.pool": ("ExamplePool",),
        },
    )

RETRIEVERS: Registry[Retriever] = Registry(
    "retriever",
    {
        "random": "chef.instruction.retriever.random:Random",
        "fixed": "chef.instruction.retriever.fixed:Fixed",
        "topk_text": "chef.instruction.retriever.topk_text:TopkText",
        "topk_img": "chef.instruction.retriever.topk_img:TopkImg",
    },
    upstream={
        "random": "chef.instruction.retriever.upstream.draws:Random",
        "fixed": "chef.instruction.retriever.upstream.draws:Fixed",
        "topk_text": "chef.instruction.retriever.upstream.nearest:TopkText",
        "topk_img": "chef.instruction.retriever.upstream.nearest:TopkImg",
    },
)

__all__ = ["RETRIEVERS", "ExamplePool", "Retriever"]
