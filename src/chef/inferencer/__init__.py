"""Inferencers: how a model is asked for an answer. A new one is a file and a line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chef.common.front_modules import attributes
from chef.registry import Registry

if TYPE_CHECKING:
    from chef.inferencer.base import Inferencer, Program
else:
    __getattr__ = attributes(__name__, {"chef.inferencer.base": ("Inferencer", "Program")})

INFERENCERS: Registry[Inferencer] = Registry(
    "inferencer",
    {
        "Direct": "chef.inferencer.direct:Direct",
        "PPL": "chef.inferencer.ppl:PPL",
        "Multi_Direct": "chef.inferencer.multiturn:MultiDirect",
        "Multi_PPL": "chef.inferencer.multiturn:MultiPPL",
        "Det": "chef.inferencer.multiturn:Det",
        "Det_PPL": "chef.inferencer.multiturn:DetPPL",
    },
    upstream={
        "Direct": "chef.inferencer.upstream.rules:Direct",
        "PPL": "chef.inferencer.upstream.rules:PPL",
        "Multi_PPL": "chef.inferencer.upstream.rules:MultiPPL",
        "Det_PPL": "chef.inferencer.upstream.rules:DetPPL",
    },
)

__all__ = ["INFERENCERS", "Inferencer", "Program"]
