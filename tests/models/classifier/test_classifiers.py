"""Classifiers against transformers asked for one text at a time; and what is refused."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest
from tiny_classifiers import LIMIT, WORDS, tiny_classifier, tiny_first_word

from chef.errors import ChefError, ConfigError, RunError
from chef.models.classifier import (
    FirstWord,
    InBatches,
    SequenceClassifier,
    check_checkpoint,
    labels_of,
    settings,
)
from chef.models.huggingface.loading import LoadingOptions
from chef.models.shared import SharedModels


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_classifier(tmp_path_factory.mktemp("classifier"))


def drawn(count: int, longest: int, words: tuple[str, ...] = WORDS) -> list[str]:
    chance = random.Random(1)
    return [
        " ".join(chance.choice(words) for _ in range(chance.randint(1, longest)))
        for _ in range(count)
    ]


@pytest.mark.parametrize("batch_size", [1, 7, 100])
def test_labels_are_those_of_each_text_alone(folder: Path, batch_size: int) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    texts = drawn(30, 2 * LIMIT)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    alone = []
    with torch.inference_mode():
        for text in texts:
            ids = torch.tensor([tokenizer.encode(text)[:LIMIT]])
            alone.append(f"LABEL_{int(model(input_ids=ids).logits[0].argmax())}")
    assert len(set(alone)) > 2

    classifier = SequenceClassifier(LoadingOptions(str(folder)))
    lengths = classifier.lengths(texts)
    assert classifier.limit == LIMIT
    assert lengths == [len(text.split()) for text in texts]
    found = list(classifier.classify(texts, lengths, batch_size))
    assert dict(found) == dict(enumerate(alone))
    order = [lengths[place] for place, _ in found]
    assert order == sorted(order, reverse=True)  # the longest first


def test_the_first_word_is_that_of_a_greedy_reply(tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tiny_first_word(tmp_path)
    texts = drawn(30, 20, ("the", "cake", "bomb", "behavior", "text", "Yes", "No"))
    model = AutoModelForCausalLM.from_pretrained(tmp_path).eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    with torch.inference_mode():
        logits = [model(torch.tensor([tokenizer.encode(text)])).logits[0, -1] for text in texts]
    alone = [tokenizer.decode([int(row.argmax())]) for row in logits]
    assert {"Yes", "No"} < set(alone)

    network = FirstWord(LoadingOptions(str(tmp_path)))
    assert dict(network.words(texts, 4)) == dict(enumerate(alone))

    prompt, was_cut = network.fitted("Is this {} bad?".format, "cake " * 1000)
    assert was_cut
    assert prompt.startswith("Is this cake cake")
    assert prompt.endswith("cake bad?")
    assert 380 < len(tokenizer.encode(prompt)) < 400
    assert network.fitted("Is this {} bad?".format, "cake") == ("Is this cake bad?", False)


def test_a_batch_for_which_memory_runs_out_is_halved_for_good() -> None:
    import torch

    sizes: list[int] = []

    def compute(texts: list[str]) -> list[str]:
        sizes.append(len(texts))
        if len(texts) > 3:
            raise torch.OutOfMemoryError("no")
        return [text.upper() for text in texts]

    texts = ["a", "bbb", "cc", "dddd", "eeeee"] * 2
    found = dict(InBatches(compute, 8).results(texts, [len(text) for text in texts]))
    assert found == {place: text.upper() for place, text in enumerate(texts)}
    assert sizes == [8, 4, 2, 2, 2, 2, 2]


def test_pickled_weights_and_folders_without_any_are_refused(folder: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    (broken / "model.safetensors").rename(broken / "pytorch_model.bin")
    with pytest.raises(ConfigError, match="no weights in safetensors") as raised:
        check_checkpoint(LoadingOptions(str(broken)))
    assert "no pickled weights" in (raised.value.hint or "")
    with pytest.raises(RunError):
        SequenceClassifier(LoadingOptions(str(broken)))
    with pytest.raises(ConfigError, match="folder not found"):
        check_checkpoint(LoadingOptions(str(tmp_path / "nowhere")))


def test_a_name_of_the_hub_that_is_not_here_is_told_at_once() -> None:
    with pytest.raises(RunError, match="not in the hub's cache"):
        check_checkpoint(LoadingOptions("LibrAI/longformer-action-ro"))


def test_a_network_without_an_output_layer_is_not_made_up(folder: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    shutil.copytree(folder, tmp_path / "base")
    weights = load_file(folder / "model.safetensors")
    kept = {name: item for name, item in weights.items() if not name.startswith("classifier")}
    save_file(kept, tmp_path / "base" / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ChefError, match=r"missing weights: 2 \(classifier\.bias"):
        SequenceClassifier(LoadingOptions(str(tmp_path / "base")))


def test_code_of_a_checkpoint_is_not_run(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "own"
    shutil.copytree(folder, copy)
    config = json.loads((copy / "config.json").read_text())
    config |= {"model_type": "mine", "auto_map": {
        "AutoConfig": "mine.Config", "AutoModelForSequenceClassification": "mine.Model",
    }}  # fmt: skip
    (copy / "config.json").write_text(json.dumps(config))
    (copy / "mine.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').write('x')")
    with pytest.raises(ChefError):
        SequenceClassifier(LoadingOptions(str(copy)))
    assert not (tmp_path / "ran").exists()


def test_labels_are_read_from_the_settings(folder: Path) -> None:
    assert labels_of(settings(LoadingOptions(str(folder))) or {}) == [
        f"LABEL_{n}" for n in range(6)
    ]
    named = {"id2label": {str(n): name for n, name in enumerate("abcdefghijkl")}}
    assert labels_of(named) == list("abcdefghijkl")  # 10 comes after 9


def test_networks_are_loaded_once_and_released_together() -> None:
    class Net:
        is_closed = False

        def close(self) -> None:
            self.is_closed = True

    shared, made = SharedModels(), []

    def load() -> Net:
        made.append(Net())
        return made[-1]

    assert shared.get("a", load) is shared.get("a", load) is not shared.get("b", load)
    shared.close()
    assert [net.is_closed for net in made] == [True, True]
    shared.get("a", load)
    assert len(made) == 3
