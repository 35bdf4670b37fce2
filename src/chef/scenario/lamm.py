"""LAMM's two-dimensional benchmark: a system message on the task, then the question of the record.

Each data set is a short class; a new one needs the attributes of `Lamm` and the method `answer`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar

from chef.common.seeding import sample_rng
from chef.scenario import cifar10
from chef.scenario.records import values
from chef.scenario.records.files import Record
from chef.scenario.records.listed import Listed
from chef.scenario.voc2012 import objects_of
from chef.types import Sample

#: The classes of UCMerced.
LAND_USES = (
    "agricultural", "airplane", "baseball diamond", "beach", "buildings", "chaparral",
    "dense residential", "forest", "freeway", "golf course", "harbor", "intersection",
    "medium residential", "mobile home park", "overpass", "parking lot", "river", "runway",
    "sparse residential", "storage tanks", "tennis court",
)  # fmt: skip
#: The colours of hair in CelebA.
HAIR = ("black", "blond", "brown", "gray", "bald")
_BY_UNSPACED_NAME = {label.replace(" ", ""): label for label in LAND_USES}


class Lamm(Listed):
    """A data set of LAMM's two-dimensional benchmark.

    A subclass sets the attributes and `answer`. Where the question is not the record's ``query``,
    or metrics need more fields, it overrides `question` or `fields` as well.

    Args:
        base_data_path: the root of LAMM's 2D benchmark.

    Attributes:
        meta_file: the file that lists the records, below ``meta_file/``.
        message: the key in ``lamm_messages.yaml`` of the system message; empty for none.
    """

    meta_file: ClassVar[str]
    message: ClassVar[str] = ""

    def __init__(self, base_data_path: str) -> None:
        super().__init__(base_data_path, f"meta_file/{self.meta_file}")
        self.system_message = messages()[self.message] if self.message else ""

    def sample(self, index: int, record: Record) -> Sample:
        return Sample(
            id=self.sample_id(index),
            images=(self.image(record["image"]),),
            question=self.question(index, record),
            answer=self.answer(record),
            fields=self.fields(record),
        )

    def question(self, index: int, record: Record) -> str:  # noqa: ARG002
        """The text of the question."""
        return values.text(record, "query")

    @abstractmethod
    def answer(self, record: Record) -> Any:
        """The reference answer, in the form that the metric expects."""

    def fields(self, record: Record) -> dict[str, Any]:  # noqa: ARG002
        """Further fields of the sample, which metrics read."""
        return {}


class CIFAR10Lamm(Lamm):
    """Images of ten classes; the answer is a sentence.

    The question lists the labels, shuffled for each sample, so that their order has no meaning.
    """

    name = "CIFAR10_LAMM"
    wording = "classification_lamm"
    metric = "CG_Classification"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_Classification"}
    random_accuracy = 1 / len(cifar10.LABELS)
    meta_file = "Classification_CIFAR10.json"
    message = "Classification"

    def question(self, index: int, record: Record) -> str:
        listed = list(cifar10.LABELS)
        sample_rng(0, "CIFAR10_LAMM", self.sample_id(index)).shuffle(listed)
        return f"{values.text(record, 'query')} The labels are: {', '.join(listed)}."

    def answer(self, record: Record) -> Any:
        return values.one_of("label", record["label"], cifar10.LABELS)

    def fields(self, record: Record) -> dict[str, Any]:
        return {"label": record["label"], "choices": list(cifar10.LABELS)}


class UCMerced(Lamm):
    """Classes of land use (Yang and Newsam 2010); labels may be written without spaces."""

    name = "UCMerced"
    wording = "lamm_classification"
    has_wordings = False
    metric = "UCMerced_Classification"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "UCMerced_Classification"}
    random_accuracy = 1 / len(LAND_USES)
    meta_file = "Fine-grained_Classification_UCMerced.json"
    message = "Fine-grained_Classification"

    def answer(self, record: Record) -> Any:
        label = values.text(record, "label")
        unspaced = label.replace(" ", "").replace("_", "").lower()
        return _BY_UNSPACED_NAME.get(unspaced) or values.one_of("label", label, LAND_USES)

    def fields(self, record: Record) -> dict[str, Any]:
        return {"label": str(record["label"]), "choices": list(LAND_USES)}


class CelebAHair(Lamm):
    """The colour of the hair (Liu et al. 2015); labels may be written ``Black_Hair``."""

    name = "CelebA(Hair)"
    wording = "Facial_cls_lamm"
    metric = "LAMM_Facial_Hair_Classification"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_Facial_Hair_Classification"}
    meta_file = "Facial_Classification_CelebA(Hair).json"
    message = "Facial_Classification"

    def answer(self, record: Record) -> Any:
        label = values.text(record, "attr")
        bare = label.lower().replace("_", " ").removesuffix(" hair")
        return label if bare in HAIR else values.one_of("attr", label, HAIR)

    def fields(self, record: Record) -> dict[str, Any]:
        return {"gt": str(record["attr"])}


class CelebASmile(CelebAHair):
    """Whether the face smiles: ``1`` or ``-1`` (Liu et al. 2015)."""

    name = "CelebA(Smile)"
    metric = "LAMM_Facial_Smile_Classification"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_Facial_Smile_Classification"}
    random_accuracy = 1 / 2
    meta_file = "Facial_Classification_CelebA(Smile).json"

    def answer(self, record: Record) -> Any:
        return values.one_of("attr", values.text(record, "attr"), ("1", "-1"))


class SVT(Lamm):
    """The words in photographs of streets (Wang et al. 2011)."""

    name = "SVT"
    wording = "OCR"
    has_wordings = False
    metric = "SVT_OCR"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "SVT_OCR"}
    meta_file = "OCR_SVT.json"
    message = "OCR"

    def answer(self, record: Record) -> Any:
        return values.texts(record, "word_list")


class Flickr30kLamm(Lamm):
    """Captions, after a message that asks for one sentence."""

    name = "Flickr30k_LAMM"
    wording = "caption_lamm"
    metric = "Caption"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_Caption"}
    meta_file = "Caption_flickr30k.json"
    message = "Caption"

    def answer(self, record: Record) -> Any:
        return values.texts(record, "sentences")


class FSC147Lamm(Lamm):
    """Counting; LAMM sends no message before it."""

    name = "FSC147_LAMM"
    wording = "counting"
    metric = "Counting"
    meta_file = "Counting_FSC147.json"

    def answer(self, record: Record) -> Any:
        return values.count(record, "num")


class VOC2012Lamm(Lamm):
    """Detection of twenty classes; the answer has a sentence for each object.

    The wording pool has no placeholder for a question, so the record's query becomes a field.
    """

    name = "VOC2012_LAMM"
    wording = "detection_lamm"
    metric = "Detection"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "LAMM_Detection"}
    meta_file = "Detection_VOC2012.json"
    message = "Detection"

    def question(self, index: int, record: Record) -> str:  # noqa: ARG002
        return ""

    def answer(self, record: Record) -> Any:
        return [{"label": label, "bbox": list(box)} for label, box in objects_of(record)]

    def fields(self, record: Record) -> dict[str, Any]:
        return {"query": values.text(record, "query")}


class LocatingVOC2012(Lamm):
    """A point on each object in the image."""

    name = "Locating_VOC2012"
    wording = "locating"
    has_wordings = False
    metric = "InsideBbox"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "InsideBbox"}
    meta_file = "Locating_VOC2012.json"
    message = "Locating_VOC2012"

    def answer(self, record: Record) -> Any:
        return [{"label": label, "bbox": list(box)} for label, box in objects_of(record)]


class LocatingLSP(Lamm):
    """Points on the body of a person (Johnson and Everingham 2010).

    Joints are in pixels, so each image is opened to find its size.
    """

    name = "Locating_LSP"
    wording = "locating"
    has_wordings = False
    metric = "InsideHumanBbox"
    protocols: ClassVar[Mapping[str, str]] = {"LAMM": "InsideHumanBbox"}
    meta_file = "Locating_LSP.json"
    message = "Locating_LSP"

    def sample(self, index: int, record: Record) -> Sample:
        sample = super().sample(index, record)
        (image,) = sample.images
        return replace(sample, fields={"image_size": list(image.size)})

    def answer(self, record: Record) -> Any:
        joints = values.points(record, "gt_joints")
        if len(joints) in (2, 3) and len(joints[0]) > 3:  # rows are x, y (and visibility)
            joints = [list(joint) for joint in zip(*joints, strict=True)]
        return joints


@cache
def messages() -> Mapping[str, str]:
    """The system messages of LAMM, by task."""
    import yaml

    text = (files("chef.scenario") / "lamm_messages.yaml").read_text("utf-8")
    found: Mapping[str, str] = yaml.safe_load(text)
    return found
