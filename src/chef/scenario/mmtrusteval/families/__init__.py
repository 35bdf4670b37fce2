"""How the files of each family are read that is no table of questions.

The others have a mapping in ``table.yaml``, which `chef.scenario.mmtrusteval.mapped` reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from chef.scenario.mmtrusteval.families import (
    celebrities,
    confaide,
    enron,
    jailbreak,
    preference,
    profession,
    queries,
    risky_pictures,
    shifted_texts,
    stereotypes,
    toxicity,
    unrelated,
)
from chef.scenario.mmtrusteval.items import Item
from chef.scenario.mmtrusteval.source import Source

Reader: TypeAlias = Callable[[Source], Iterable[Item]]

#: The reader of each family whose mapping is no data.
READERS: Mapping[str, Reader] = {
    reader.__name__: reader
    for reader in (
        unrelated.unrelated_images,
        queries.basic_grounding,
        risky_pictures.nsfw,
        risky_pictures.risk,
        toxicity.toxicity,
        jailbreak.crossmodal_jailbreak,
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
        confaide.confaide,
        celebrities.celebrities,
        enron.enron,
    )
}
