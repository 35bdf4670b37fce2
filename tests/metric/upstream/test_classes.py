"""Classes by WordNet: CIFAR10 of ChEF and LAMM, hair and land use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chef.metric import METRICS
from chef.metric.upstream.wordnet import WordNet, classification_acc
from chef.types import Prediction

CGClassification = METRICS.get("CG_Classification", compat="upstream")
LAMMClassification = METRICS.get("LAMM_Classification", compat="upstream")
LAMMFacialHair = METRICS.get("LAMM_Facial_Hair_Classification", compat="upstream")
UCMercedClassification = METRICS.get("UCMerced_Classification", compat="upstream")

Make = Callable[..., Prediction]
Values = Callable[..., dict[str, Any]]


class Synset(list[str]):
    def lemma_names(self) -> list[str]:
        return list(self)


class Reader:
    def synsets(self, word: str) -> list[Synset]:
        return [Synset(["dog", "domestic_dog"]), Synset(["frank"])] if word == "dog" else []

    def morphy(self, word: str) -> str | None:
        return next(iter(self._morphy(word)), None)

    def _morphy(self, word: str, *_: object) -> list[str]:
        return {"glasses": ["glasses", "glass"]}.get(word, [])


def test_the_lexicon_asks_nltk_s_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    import nltk

    reader = Reader()
    monkeypatch.setattr(nltk.corpus, "wordnet", reader)
    known = WordNet(reader)
    assert known.senses("dog") == [{"dog", "domestic_dog"}, {"frank"}]
    assert known.senses("diningtable") == []
    assert known.noun("glasses") == "glass"  # the shortest
    assert known.base("glasses") == "glasses"  # the first
    assert (known.noun("xyz"), known.base("xyz")) == ("xyz", "xyz")


@pytest.mark.usefixtures("lexicon")
@pytest.mark.parametrize(
    ("label", "text", "named"),
    [
        ("dog", "two dogs", True),
        ("dog", "frank", True),  # a name of its second synset
        ("dog", "a Dog", False),  # case is kept
        ("dog", "a dog.", False),  # and so is punctuation
        ("dog", "a puppy", True),  # a narrower noun of a class of VOC2012
        ("person", "a man", True),
        ("dog", "two  puppies", False),
        ("diningtable", "a diningtable", False),  # no synset
    ],
)
def test_a_class_is_named_by_a_lemma(label: str, text: str, named: bool) -> None:
    assert classification_acc(label, text) is named


@pytest.mark.usefixtures("lexicon")
def test_coarse_classes_are_sought_in_the_normalised_answer(make: Make) -> None:
    said = {
        "A Dog.": (1, 1),
        "two dogs": (0, 1),  # a plural is no token
        "dog-like": (1, 1),  # two words
        "a dog-like - thing": (0, 0),  # the hyphen touches a space: one word
        "dog's": (0, 0),
        "Not a dog!": (1, 1),
        "a puppy": (0, 1),
    }
    answers = [make(str(n), text, gt_answers="dog") for n, text in enumerate(said)]
    report = CGClassification().evaluate(answers)
    pairs = [(entry["metric_result"], entry["synonym_result"]) for entry in report.samples]
    assert pairs == list(said.values())
    assert report.metrics["ACC"].value == pytest.approx(300 / 7)
    assert report.metrics["SYN_ACC"].value == pytest.approx(500 / 7)


@pytest.mark.usefixtures("lexicon")
def test_the_thought_is_part_of_the_answer(make: Make, values: Values) -> None:
    said = make("1", "a cat", CoT_answer="It barks like a dog. ", gt_answers="dog")
    assert values(CGClassification(), said)["ACC"] == 100


def test_scored_classes_need_no_lexicon(make: Make, values: Values) -> None:
    fields = {"options": ["cat", "dog"], "gt_choice": 1, "gt_answers": "dog"}
    said = make("1", "dog", choice=1, **fields)
    assert values(CGClassification(), said)["SYN_ACC"] == 100


@pytest.mark.usefixtures("lexicon")
def test_lamm_takes_the_first_synset_alone(make: Make, values: Values) -> None:
    said = [
        make("1", "It is a CAR, or a cat.", gt_answers="automobile"),
        make("2", "frank", gt_answers="dog"),  # a name of the second synset
        make("3", "Dogs. cats.", gt_answers="cat"),
        make("4", "a puppy", gt_answers="dog"),
        make("5", "a tvmonitor!", gt_answers="tvmonitor"),  # the class itself
        make("6", "a cat/dog", gt_answers="dog"),  # one word of the Penn Treebank
    ]
    assert values(LAMMClassification(), *said) == {"ACC": 0.5}


@pytest.mark.usefixtures("lexicon")
def test_hair_by_the_first_synset_of_its_colour(make: Make, values: Values) -> None:
    said = [
        make("1", "Grey, I think.", gt_answers="Gray_Hair"),
        make("2", "brown or black", gt_answers="Black_Hair"),
        make("3", "blackish", gt_answers="Black_Hair"),
    ]
    assert values(LAMMFacialHair(), *said) == {"ACC": pytest.approx(2 / 3)}


def test_land_use_is_contained_in_the_answer(make: Make, values: Values) -> None:
    said = [
        make("1", "a riverside", gt_answers="river"),
        make("2", "River", gt_answers="river"),
        make("3", "no river", gt_answers="river"),
    ]
    assert values(UCMercedClassification(), *said) == {"ACC": pytest.approx(200 / 3)}
