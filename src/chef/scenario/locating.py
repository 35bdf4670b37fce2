"""Locating: a point on each object (VOC2012), or on a person (LSP, Johnson and Everingham 2010)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from chef.scenario.lamm import Lamm
from chef.scenario.records.files import Record
from chef.scenario.voc2012 import objects_of
from chef.types import Sample


class LocatingVOC2012(Lamm):
    """A point on each object of the picture."""

    name = "Locating_VOC2012"
    task = "locating"
    has_wordings = False
    metric = "InsideBbox"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "InsideBbox"}
    meta_file = "Locating_VOC2012.json"
    message = "Locating_VOC2012"

    def sample(self, name: str, record: Record) -> Sample:
        return Sample(
            id=name,
            images=(self.image(record["image"]),),
            question=record["query"],
            answer=[{"label": label, "bbox": list(box)} for label, box in objects_of(record)],
        )


class LocatingLSP(Lamm):
    """Points on the body of a person; joints are in pixels, so the image is opened for its size."""

    name = "Locating_LSP"
    task = "locating"
    has_wordings = False
    metric = "InsideHumanBbox"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "InsideHumanBbox"}
    meta_file = "Locating_LSP.json"
    message = "Locating_LSP"

    def sample(self, name: str, record: Record) -> Sample:
        image = self.image(record["image"])
        joints = [[float(number) for number in joint] for joint in record["gt_joints"]]
        if len(joints) in (2, 3) and len(joints[0]) > 3:  # a row each for x, y (and visibility)
            joints = [list(joint) for joint in zip(*joints, strict=True)]
        return Sample(
            id=name,
            images=(image,),
            question=record["query"],
            answer=joints,
            fields={"image_size": list(image.load().size)},
        )
