"""Inferencers: how a model is asked for an answer. A new one is a file and a line here."""

from typing import TYPE_CHECKING

from chef.inferencer.base import Inferencer, Program
from chef.registry import Registry

INFERENCERS: Registry[Inferencer] = Registry(
    "inferencer",
    {
        "Direct": "chef.inferencer.direct:Direct",
        "PPL": "chef.inferencer.ppl:PPL",
        "Multi_Direct": "chef.inferencer.multiturn:MultiDirect",
        "Multi_PPL": "chef.inferencer.multiturn:MultiPPL",
        "Det": "chef.inferencer.detection:Det",
        "Det_PPL": "chef.inferencer.detection:DetPPL",
    },
    upstream={
        "Direct": "chef.inferencer.upstream.reasoning:Direct",
        "PPL": "chef.inferencer.upstream.choosing:PPL",
        "Multi_PPL": "chef.inferencer.upstream.choosing:MultiPPL",
        "Det_PPL": "chef.inferencer.upstream.choosing:DetPPL",
    },
)

__all__ = ["INFERENCERS", "Inferencer", "Program"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """The classes by ChEF's names."""
        from chef.common.front_modules import chef_name

        return chef_name(__name__, name)
