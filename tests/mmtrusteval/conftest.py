"""A user's classes for MMTrustEval, loaded as a plugin."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from chef.config.document import read_document
from chef.config.plugins import load_plugins, module_name

#: What a user has written, by MMTrustEval's module names. Odd numbers are right to be answered
#: with yes; the model says yes to 1 and 2.
OWN = """\
import hashlib
from pathlib import Path

from mmte.datasets.base import BaseDataset
from mmte.evaluators.base import BaseEvaluator
from mmte.methods.base import BaseMethod
from mmte.models.base import BaseChat, Response
from mmte import ImageTxtSample, TxtSample
from mmte.utils.registry import registry
from PIL import Image


@registry.register_dataset()
class Numbers(BaseDataset):
    dataset_ids = ["odd-numbers", "odd-numbers-long"]
    dataset_config = {"odd-numbers": 4, "odd-numbers-long": 6}

    def __init__(self, dataset_id, method_hook=None, **kwargs):
        super().__init__(dataset_id=dataset_id, method_hook=method_hook, **kwargs)
        self.dataset = [
            TxtSample(
                text=f"{kwargs.get('opening', 'Is')} {number} odd?",
                target=number % 2,
                extra={"subset": "small" if number < 2 else "large"},
            )
            for number in range(self.dataset_config[dataset_id])
        ]

    def __getitem__(self, index):
        if self.method_hook:
            return self.method_hook.run(self.dataset[index])
        return self.dataset[index]

    def __len__(self):
        return len(self.dataset)


@registry.register_method()
class Dot(BaseMethod):
    method_ids = ["red-dot"]

    def run(self, data, **kwargs):
        path = Path(self.img_dir) / f"{self.hash(data.text)}.png"
        if not (path.exists() and self.lazy_mode):
            Image.new("RGB", (2, 2), "red").save(path)
        return ImageTxtSample(str(path), data.text, data.target, data.extra)

    def hash(self, to_hash_str, **kwargs):
        return hashlib.sha3_256(to_hash_str.encode()).hexdigest()


@registry.register_chatmodel()
class Parrot(BaseChat):
    model_family = ["parrot-1", "parrot-2"]
    seen = []

    def __init__(self, model_id, device="cuda:0"):
        super().__init__(model_id)
        self.where = device

    def chat(self, messages, **generation_kwargs):
        self.seen.append((self.where, [dict(message) for message in messages], generation_kwargs))
        content = messages.pop()["content"]
        text = content if isinstance(content, str) else content["text"]
        return Response(self.model_id, "Yes." if "1" in text or "2" in text else "No.", None, None)


@registry.register_evaluator()
class FirstLetter(BaseEvaluator):
    evaluator_ids = ["first_letter"]

    def __init__(self, evaluator_id, metrics_cfg, letter="Y"):
        super().__init__(evaluator_id, metrics_cfg)
        self.letter = letter

    def process(self, preds, labels, extras=None, **kwargs):
        return [int(pred.startswith(self.letter)) for pred in preds], labels, extras
"""

#: Both chains read whether the answer begins with yes.
CHAINS: list[dict[str, Any]] = [
    {"first_letter": {"metrics_cfg": {"pred_no_op": None, "accuracy_score": None}}},
    {"rule_yes_or_no_eval": {"metrics_cfg": {"pred_mean": None}}},
]


def loaded(file: Path) -> ModuleType:
    """A file as a plugin; its classes are registered."""
    document = read_document({"plugins": [str(file)]})
    load_plugins(document.values["plugins"], document)
    return sys.modules[module_name(file.resolve())]


@pytest.fixture
def own(tmp_path: Path) -> ModuleType:
    """The module of the plugin."""
    file = tmp_path / "own.py"
    file.write_text(OWN)
    return loaded(file)
