"""Changes of the text of questions: what they change, what they keep, and that they repeat."""

from __future__ import annotations

import json
import random
import sys
from dataclasses import replace
from typing import Any

import pytest

from chef.config import load_recipe
from chef.errors import ConfigError, DependencyError, SampleError
from chef.method import METHODS
from chef.method.sequences import Rewritten, TextSequence
from chef.method.wording import words
from chef.method.wording.base import parts_of, tables
from chef.models import Model
from chef.types import Sample

LISTED = "What is the color of the large circle, and why is it not red?"
SAMPLE = Sample(
    "7",
    question=f"Hint: It is\nnot red.\nQuestion: {LISTED}\nOptions:\n(A) blue\n(B) red\n(C) green",
    options=("(A", "(B", "(C"),
    answer="(A)",
    fields={"gt_choice": 0, "choices": ["blue", "red", "green"], "labels": ["A", "B", "C"]},
)
TEXTS = [
    "lowercase", "contraction", "expansion", "insert-adverb", "append-irrelevant", "char-ocr",
    "char-typos", "char-spelling", "char-keyboard",
]  # fmt: skip
RATED = [name for name in TEXTS if name.startswith("char-")]


class Speaker(Model):
    """Rewrites a question as it is told, in its own way."""

    def __init__(self) -> None:
        self.prompts: list[str] = []

    def generate_one(self, conversation: Any, max_new_tokens: int) -> str:
        self.prompts.append(conversation[-1].text)
        return f"  {conversation[-1].text.splitlines()[-1]} ({len(self.prompts)}) "


def asked(name: str, sample: Sample = SAMPLE, **keys: Any) -> str:
    return parts_of(METHODS.get(name)(name, **keys).transform(sample)).asked


def words_of(text: str) -> list[str]:
    return text.replace("?", "").replace(",", "").split()


def test_hint_and_options_are_parts_of_their_own() -> None:
    assert parts_of(SAMPLE) == (
        "Hint: It is\nnot red.\nQuestion: ", LISTED, "\nOptions:\n(A) blue\n(B) red\n(C) green"
    )  # fmt: skip
    bare = Sample("1", question="Is there (A) one or (B) two?")
    assert parts_of(bare) == ("", bare.question, "")
    mmbench = replace(
        SAMPLE, question="It purrs. Who? There are several options:\n(A) blue\n(B) red\n(C) green"
    )
    assert parts_of(mmbench).asked == "It purrs. Who?"


@pytest.mark.parametrize("name", TEXTS)
def test_only_what_is_asked_changes(name: str) -> None:
    changed = METHODS.get(name)(name).transform(SAMPLE)
    before, after = parts_of(SAMPLE), parts_of(changed)
    assert (before.before, before.after) == (after.before, after.after)
    assert replace(changed, question=SAMPLE.question) == SAMPLE
    assert (after.asked != before.asked) == (name != "expansion")


def test_small_letters_leave_marks_of_images() -> None:
    sample = Sample("1", question="Is <Image 1> LIKE <Image 2>? A < B", image_marks=())
    assert asked("lowercase", sample) == "is <Image 1> like <Image 2>? a < b"


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("What is it, and why is it not red?", "What's it, and why's it not red?"),
        ("It is not there. Do not look.", "It's not there. Don't look."),
        ("I cannot say who is there", "I can't say who's there"),
    ],
)
def test_contractions_both_ways(long: str, short: str) -> None:
    assert asked("contraction", Sample("1", question=long)) == short
    assert asked("expansion", Sample("1", question=short)) == long


@pytest.mark.parametrize("name", RATED)
@pytest.mark.parametrize("severity", [1, 2, 3, 4, 5])
def test_the_severity_is_a_share_of_the_words(name: str, severity: int) -> None:
    """Of words that all have other forms, a tenth to a half are changed."""
    text = " ".join(["because", "people", "between", "question", "color"] * 8)
    now = asked(name, Sample("1", question=text), severity=severity).split()
    different = sum(a != b for a, b in zip(text.split(), now, strict=True))
    # Of typos, a doubled letter that is left out again is the word itself.
    assert different == pytest.approx(4 * severity, abs=0)


def test_what_each_character_method_does() -> None:
    text = Sample("1", question="because")
    for seed in range(30):
        ocr = asked("char-ocr", text, seed=seed, severity=1)
        assert ocr in {"because"[:i] + c + "because"[i + 1 :] for i in range(7)
                       for c in tables()["look_alikes"].get("because"[i], "")}  # fmt: skip
        near = asked("char-keyboard", text, seed=seed, severity=1)
        ((old, new),) = [(a, b) for a, b in zip("because", near, strict=True) if a != b]
        rows = tables()["keyboard"]
        (at,) = [(r, row.index(old)) for r, row in enumerate(rows) if old in row]
        (to,) = [(r, row.index(new)) for r, row in enumerate(rows) if new in row]
        assert abs(at[0] - to[0]) <= 1
        assert abs(at[1] - to[1]) <= 1
        typo = asked("char-typos", text, seed=seed, severity=1)
        assert abs(len(typo) - 7) <= 1
        assert typo[0] == "b"
        assert asked("char-spelling", text, seed=seed, severity=1) in {"becuase", "becouse"}


def test_an_adverb_and_a_sentence_are_put_in() -> None:
    seen = {asked("insert-adverb", seed=seed) for seed in range(300)}
    assert seen == {LISTED.replace("is", f"{adverb} is", 1) for adverb in tables()["adverbs"]}
    first = asked("insert-adverb", Sample("1", question="Is it red?"))
    assert first[0].isupper()
    assert first.endswith(" is it red?")
    seen = {asked("append-irrelevant", seed=seed) for seed in range(200)}
    sentences = tables()["irrelevant"]
    assert seen == {f"{LISTED} {one}" for one in sentences} | {
        f"{one} {LISTED}" for one in sentences
    }


def test_synonyms_are_those_of_wordnet(monkeypatch: pytest.MonkeyPatch) -> None:
    near = {"large": ["big"], "circle": ["ring", "round"]}
    monkeypatch.setattr(words, "synonyms", lambda word: near.get(word, []))
    for seed in range(20):
        now = asked("swap-synonym", severity=5, seed=seed)
        assert "big" in now
        assert ("ring" in now) != ("round" in now)


def test_without_wordnet_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk.corpus", None)
    with pytest.raises(DependencyError) as caught:
        METHODS.get("swap-synonym")("swap-synonym").fingerprint()
    assert "nltk.downloader wordnet" in str(caught.value.hint)


# Options.


def test_the_reference_goes_with_its_option() -> None:
    seen = set()
    for seed in range(20):
        method = METHODS.get("circular-option")("circular-option", seed=seed)
        moved = method.transform(SAMPLE)
        right = moved.fields["choices"][moved.fields["gt_choice"]]
        assert right == "blue"
        assert moved.answer == f"({'ABC'[moved.fields['gt_choice']]})"
        assert moved.options == SAMPLE.options
        listed = "\n".join(
            f"({label}) {text}" for label, text in zip("ABC", moved.fields["choices"], strict=True)
        )
        assert moved.question.endswith(listed)
        seen.add(tuple(moved.fields["choices"]))
    assert seen == {("red", "green", "blue"), ("green", "blue", "red")}
    reversed_ = METHODS.get("reverse-option")("reverse-option").transform(SAMPLE)
    assert reversed_.fields["choices"] == ["green", "red", "blue"]
    assert (reversed_.fields["gt_choice"], reversed_.answer) == (2, "(C)")


@pytest.mark.parametrize("name", ["circular-option", "reverse-option"])
def test_options_that_are_not_listed_cannot_be_moved(name: str) -> None:
    with pytest.raises(SampleError, match="cannot be put into another order"):
        METHODS.get(name)(name).transform(replace(SAMPLE, question="Which?"))


@pytest.mark.parametrize("name", TEXTS)
def test_a_sample_without_text_is_its_own_error(name: str) -> None:
    with pytest.raises(SampleError, match="has none"):
        METHODS.get(name)(name).transform(Sample("1"))


@pytest.mark.parametrize("name", [*TEXTS, "circular-option", "chef-text-corruptions"])
def test_nothing_but_keys_and_sample_decides(name: str) -> None:
    samples = [replace(SAMPLE, id=str(number)) for number in range(12)]

    def all_of(order: list[int], **keys: Any) -> dict[int, str]:
        method = METHODS.get(name)(name, **keys)
        return {number: method.transform(samples[number]).question for number in order}

    forwards = all_of([*range(12)])
    assert forwards == all_of([*range(12)][::-1])
    is_random = name not in ("lowercase", "contraction", "expansion")
    assert (len(set(forwards.values())) > 1) == is_random
    assert (forwards != all_of([*range(12)], seed=1)) == is_random


def test_a_mark_of_an_image_is_never_lost() -> None:
    class Drops(words.Lowercase):
        def reworded(self, text: str, rng: random.Random) -> str:
            return "what is it"

    from chef.image import Image

    sample = Sample("1", question="What is <1>?", images=(Image("a"),), image_marks=("<1>",))
    with pytest.raises(SampleError, match="made 'what is it'"):
        Drops("lowercase").transform(sample)


# Rewriting.


def test_a_model_rewrites_and_is_asked_once() -> None:
    model = Speaker()
    method = Rewritten("back-translation", lambda: model)
    first = parts_of(method.transform(SAMPLE)).asked
    assert first == f"{LISTED} (1) (2)"
    assert "German" in model.prompts[0]
    assert model.prompts[1].endswith(f"{LISTED} (1)")
    assert parts_of(method.transform(replace(SAMPLE, id="8"))).asked == first
    assert len(model.prompts) == 2
    assert method.fingerprint() == model.fingerprint()


def recipe(method: Any) -> dict[str, Any]:
    return {
        "scenario_cfg": {"dataset_name": "Shapes", "method_cfg": method},
        "eval_cfg": {"inferencer_cfg": {"inferencer_type": "PPL"}},
    }


def test_rewriting_needs_a_model_file() -> None:
    with pytest.raises(ConfigError, match="the model that rewrites"):
        load_recipe(recipe({"back-translation": {}}))
    spec = load_recipe(recipe({"back-translation": {"model_cfg": "tiny"}})).scenario
    assert spec.effective()["method_cfg"]["back-translation"]["model_cfg"]["model_name"] == "tiny"
    method: Any = spec.build()
    assert isinstance(method.method, Rewritten)


# The sequence.


def test_the_sequence_is_one_of_each_level() -> None:
    method = TextSequence("chef-text-corruptions")
    levels, severe = set(), set()
    for number in range(80):
        sample = replace(SAMPLE, id=str(number))
        steps = method.steps(sample)
        assert [step.level for step in steps] == ["basic", "basic", "word", "character", "option"]
        levels |= {(step.level, step.method) for step in steps}
        severe |= {step.severity for step in steps if step.level == "character"}
        assert all(step.severity == 1 for step in steps if step.level in ("basic", "option"))
        changed = method.transform(sample)
        assert changed.fields["choices"][changed.fields["gt_choice"]] == "blue"
        assert parts_of(changed).asked != LISTED
    assert severe == {1, 2, 3, 4, 5}
    without_wordnet = {
        ("basic", "lowercase"), ("basic", "contraction"), ("basic", "expansion"),
        ("word", "insert_adv"), ("word", "append_irr"), ("character", "char_ocr"),
        ("character", "char_typos"), ("character", "char_spell_error"),
        ("character", "char_keyboard"), ("option", "circular_option"), ("option", "reverse_option"),
    }  # fmt: skip
    assert levels - {("word", "swap_syn")} == without_wordnet


def test_without_a_model_sentences_are_left_out_by_name(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level("WARNING", logger="chef"):
        TextSequence("chef-text-corruptions")
    assert "leaves out active-to-passive, passive-to-active, formal-to-casual" in caplog.text
    model = Speaker()
    method = TextSequence("chef-text-corruptions", lambda: model)
    steps = method.steps(SAMPLE)
    assert [step.level for step in steps][2] == "sentence"
    assert method.fingerprint() == model.fingerprint()


def test_levels_that_cannot_be_applied_are_left_out() -> None:
    method = TextSequence("chef-text-corruptions")
    steps = method.steps(Sample("1", question="What is it?"))
    assert [step.level for step in steps] == ["basic", "basic", "word", "character"]
    with pytest.raises(SampleError, match="no method can be applied"):
        method.transform(Sample("1"))


# Several methods.


def test_several_in_a_row() -> None:
    """A list is applied in its order, and stands in the configuration as one."""
    listed = [{"append-irrelevant": {"seed": 3}}, {"lowercase": {}}, {"rotate": {"severity": 1}}]
    spec = load_recipe(recipe(listed)).scenario
    shown = spec.effective()["method_cfg"]
    assert [*map(list, shown)] == [["append-irrelevant"], ["lowercase"], ["rotate"]]
    assert shown[2] == {"rotate": {"severity": 1, "seed": 0}}
    json.dumps(shown)
    scenario, plain = spec.build(), load_recipe(recipe({})).scenario.build()
    changed = scenario[0]
    asked_now = parts_of(changed).asked
    assert asked_now.islower()
    assert any(one.lower() in asked_now for one in tables()["irrelevant"])
    assert changed.images[0].size[0] > plain[0].images[0].size[0]
    other = load_recipe(recipe(listed[1::-1])).scenario.build()
    assert not parts_of(other[0]).asked.islower()


@pytest.mark.parametrize(
    ("methods", "what"),
    [
        ([{"fog": {}, "snow": {}}], "there are 2 methods"),
        ([{"fog": {}}, {}], "names no method"),
        ([{"fog": {}}, {"snwo": {}}], "snwo"),
        ([{"fog": {"severty": 1}}], "unknown key"),
        (["fog"], "method_cfg"),
    ],
)
def test_mistakes_in_a_list(methods: Any, what: str) -> None:
    with pytest.raises(ConfigError, match=what):
        load_recipe(recipe(methods))
