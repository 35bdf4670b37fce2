"""Inferencers: how an answer is got out of a model. One file an idea, one line here."""

from chef.inferencer.base import Inferencer, Program
from chef.registry import Registry

INFERENCERS: Registry[Inferencer] = Registry(
    "inferencer",
    {
        "Direct": "chef.inferencer.direct:Direct",
        "PPL": "chef.inferencer.ppl:PPL",
    },
)

__all__ = ["INFERENCERS", "Inferencer", "Program"]
