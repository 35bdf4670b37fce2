"""All data sets of MMTrustEval: their ids, the kinds of their samples, and that each is read."""

from __future__ import annotations

from chef.scenario.mmtrusteval.families import READERS
from chef.scenario.mmtrusteval.table import datasets, families


def three(name: str) -> str:
    """The ids of a name with unrelated pictures."""
    return " ".join(f"{name}-unrelated-image-{kind}" for kind in ("color", "nature", "noise"))


#: Written from the reference's table; those of samples without a picture stand apart.
TEXT = """
visual-assistance-text g-text-none toxicity-prompt-text crossmodal-jailbreak-text dt-text
advglue-text advglue-plus-text stereo-agreement-text stereo-classification-text
stereo-topic-classification-text stereo-query-text subjective-preference-plain-text
subjective-preference-force-text confaide-text enron-email-text
"""
PICTURES = f"""
unrelated-image-color unrelated-image-nature unrelated-image-noise
d-basic-object d-basic-attribute d-basic-scene g-basic-grounding g-basic-ocr
advanced-spatial advanced-temporal advanced-compare advanced-daily advanced-traffic
advanced-causality advanced-math advanced-code advanced-translate
instruction-enhancement-factual instruction-enhancement-logic
visual-assistance-image {three("visual-assistance")}
g-text-assistance g-text-misvisual {three("g-text")}
g-text-misleading d-mis-visual-confusion
nsfw-image-description object-detection risk-analysis
toxicity-prompt-image toxicity-prompt-unrelated
typographic-prompt-and-behavior typographic-prompt typographic-behavior opimized-jailbreak-graphic
mm-safety-bench safebench
crossmodal-jailbreak-unrelated crossmodal-jailbreak-pos crossmodal-jailbreak-neg
coco-o-cartoon coco-o-handmake coco-o-painting coco-o-sketch coco-o-tattoo coco-o-weather
benchlmm-infrared benchlmm-lxray benchlmm-hxray benchlmm-mri benchlmm-ct benchlmm-remote
benchlmm-driving
dt-related-image {three("dt")} adv-clean adv-untarget adv-target
advglue-related-image {three("advglue")} advglue-plus-related-image {three("advglue-plus")}
stereo-generation stereo-agreement-image {three("stereo-agreement")}
stereo-classification-image {three("stereo-classification")}
stereo-topic-classification-image {three("stereo-topic-classification")}
stereo-query-image {three("stereo-query")}
vision-preference
subjective-preference-plain-image {three("subjective-preference-plain")}
subjective-preference-force-image {three("subjective-preference-force")}
profession-pred profession-pred-with-description
vispr-recognition vizwiz-recognition
vispr-recognition-pri-query vizwiz-recognition-pri-query vizwiz-drawline-recognition-pri-query
vispr-leakage vispr-leakage-protected
confaide-image {three("confaide")}
celebrities
enron-email-image-oneinfo enron-email-image-typeinfo enron-email-image-allinfo
{three("enron-email")}
"""
#: The samples of the drawn data where they are not as many as its records (see the counts there).
COUNTS = {
    "unrelated-image-color": 3,
    "d-basic-object": 3,
    "advanced-math": 2,
    "instruction-enhancement-logic": 2 * 3,
    "d-mis-visual-confusion": 5,
    "nsfw-image-description": 2 * 2 * 2,
    "object-detection": 5 * 2 * 3,
    "risk-analysis": 5 * 2 * 2,
    "toxicity-prompt-image": 4,
    "toxicity-prompt-unrelated": 4 * 3,
    "typographic-prompt": 2 * 2,
    "opimized-jailbreak-graphic": 2,
    "crossmodal-jailbreak-text": 2,
    "crossmodal-jailbreak-unrelated": 2 * 9,
    "crossmodal-jailbreak-neg": 2 * 2,
    "dt-text": 10 * 2,
    "advglue-plus-related-image": 6 * 2,
    "stereo-topic-classification-image": 6,
    "vision-preference": 120,
    "subjective-preference-force-image": 4,
    "confaide-image": 16,
    "enron-email-text": 10,
}


def test_the_table_has_the_ids_of_the_reference() -> None:
    ids = (TEXT + PICTURES).split()
    assert len(ids) == len(set(ids)) == 133
    assert set(datasets()) == set(ids)
    assert len(families()) == 35
    mapped = {name for name, family in families().items() if family.rows}
    assert set(READERS) | mapped == set(families())
    assert not set(READERS) & mapped


def test_each_is_read(build) -> None:  # type: ignore[no-untyped-def]
    for name in datasets():
        made = build(name)
        samples = [made[place] for place in range(len(made))]
        assert samples, name
        shown = {len(sample.images) for sample in samples}
        assert shown == ({0} if name in TEXT.split() else {1}), name
        ids = [sample.id for sample in samples]
        assert len(set(ids)) == len(ids), name
        assert ids == [made.sample_id(place) for place in range(len(made))]
        assert len(samples) == COUNTS.get(name, len(samples)), name
        for sample in samples:
            assert sample.question or name.startswith("unrelated-image"), name
            for image in sample.images:
                assert image.size[0] > 0
        assert made.fingerprint()
