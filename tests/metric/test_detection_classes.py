"""Which class the label of a box names."""

from __future__ import annotations

import pytest

from chef.metric.detection.matching import same_class


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("a small dog", "dog"), ("Dogs:", "dog"), ("dog_2", "dog"), ("dog (brown)", "dog"),
        ("brown dog, sitting", "dog"), ("small sleeping dog", "dog"), ("left dog", "dog"),
        ("the dog on the left", "dog"), ("person 1", "person"), ("young men", "person"),
        ("the woman who is holding a cup", "person"), ("group of people", "person"),
        ("dining table", "diningtable"), ("Dining tables", "diningtable"),
        ("old parking meter", "parking meter"), ("green potted plant", "pottedplant"),
        ("knives", "knife"), ("buses", "bus"), ("mice", "mouse"), ("pair of skis", "skis"),
        ("sofa", "couch"), ("motorbike", "motorcycle"), ("mobile phone", "cell phone"),
        ("hot-dog", "hot dog"), ("teddy bears", "teddy bear"), ("a bear", "bear"),
        ("两只狗", "dog"), ("图中的猫位于", "cat"), ("개", "dog"),
        ("Der Hund befindet sich", "dog"),
        ("Le chien noir à côté du chat", "dog"), ("gatos", "cat"), ("собака", "dog"),
    ],
)  # fmt: skip
def test_a_phrase_names_the_class_of_its_head(label, name):
    assert same_class(label, name)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("dog bowl", "dog"), ("dog's collar", "dog"), ("woman's hat", "person"), ("", "dog"),
        ("person's hand", "person"), ("hot dog", "dog"), ("teddy bear", "bear"), ("scar", "car"),
        ("cat next to the dog", "dog"), ("bowl of oranges", "orange"), ("bus stop", "bus"),
        ("toilet seat", "chair"), ("carpet", "car"), ("red circle", "blue circle"),
        ("circle", "red circle"), ("Le chien noir à côté du chat", "cat"), ("cat 1", "cat 2"),
    ],
)  # fmt: skip
def test_other_things_are_not_of_the_class(label, name):
    assert not same_class(label, name)
