"""How the files of each family are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from chef.scenario.mmtrusteval.families import (
    celebrities,
    confaide,
    enron,
    jailbreak,
    preference,
    private_pictures,
    profession,
    queries,
    risky_pictures,
    shifted_pictures,
    shifted_texts,
    stereotypes,
    toxicity,
    unrelated,
)
from chef.scenario.mmtrusteval.items import Item
from chef.scenario.mmtrusteval.source import Source

Reader: TypeAlias = Callable[[Source], Iterable[Item]]

#: The reader of each family of the table.
READERS: Mapping[str, Reader] = {
    reader.__name__: reader
    for reader in (
        unrelated.unrelated_images,
        queries.basic_yes_no,
        queries.basic_grounding,
        queries.basic_ocr,
        queries.advanced,
        queries.instruction_enhancement,
        queries.visual_assistance,
        queries.text_misleading,
        queries.visual_confusion,
        risky_pictures.nsfw,
        risky_pictures.risk,
        toxicity.toxicity,
        jailbreak.typographic,
        jailbreak.mm_safety_bench,
        jailbreak.safebench,
        jailbreak.crossmodal_jailbreak,
        shifted_pictures.coco_o,
        shifted_pictures.benchlmm,
        shifted_pictures.adv,
        shifted_texts.dt,
        shifted_texts.advglue,
        stereotypes.stereo_generation,
        stereotypes.stereo_agreement,
        stereotypes.stereo_classification,
        stereotypes.stereo_topic,
        stereotypes.stereo_query,
        preference.vision_preference,
        preference.subjective_preference,
        profession.profession,
        private_pictures.privacy_recognition,
        private_pictures.privacy_query,
        private_pictures.vispr_leakage,
        confaide.confaide,
        celebrities.celebrities,
        enron.enron,
    )
}
