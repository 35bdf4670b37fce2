"""Flickr30k as LAMM asks it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from chef.scenario.flickr30k import captions_of
from chef.scenario.lamm import Lamm
from chef.scenario.records.files import Record
from chef.types import Sample


class Flickr30kLamm(Lamm):
    """Captions, after a message that asks for one sentence."""

    name = "Flickr30k_LAMM"
    task = "caption_lamm"
    metric = "Caption"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_Caption"}
    meta_file = "Caption_flickr30k.json"
    message = "Caption"

    def sample(self, name: str, record: Record) -> Sample:
        return Sample(
            id=name,
            images=(self.image(record["image"]),),
            question=record["query"],
            answer=[str(text) for text in captions_of(record)],
        )
