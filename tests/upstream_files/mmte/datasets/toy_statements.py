import csv
import os
import random
from typing import Any, Dict, List, Optional, Sequence, Type, Union

from torch.utils.data import DataLoader, Dataset

from .base import BaseDataset, collate_fn
from .unrelatedimg import UnrelatedImageDataset
from ..methods.base import BaseMethod
from ..utils.registry import registry
from .. import TxtSample, ImageTxtSample, _OutputType

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "statements")


@registry.register_dataset()
class ToyStatements(BaseDataset):
    """Which colour does a sentence name; alone, with its own picture, or with an unrelated one."""

    dataset_ids: Sequence[str] = [
        "toy-statements-text",
        "toy-statements-image",
        "toy-statements-unrelated-image-color",
        "toy-statements-unrelated-image-nature",
        "toy-statements-unrelated-image-noise",
    ]
    dataset_config: Optional[str] = None

    def __init__(self, dataset_id: str, method_hook: Optional[BaseMethod] = None, **kwargs):
        super().__init__(dataset_id=dataset_id, method_hook=method_hook)
        self.force_prompt = kwargs.get("force_prompt", False)

        unrelated: List[str] = []
        if "unrelated" in dataset_id:
            kind = dataset_id[dataset_id.index("unrelated"):]
            unrelated = [sample.image_path for sample in UnrelatedImageDataset(dataset_id=kind).dataset]

        self.dataset: List[Any] = []
        with open(os.path.join(DATA, "statements.csv"), newline="") as f:
            for row in csv.DictReader(f):
                text = "{} Which colour is named?".format(row["Statement"])
                if self.force_prompt:
                    text += " Answer with one word."
                colour = row["Colour"]
                fields = dict(
                    text=text,
                    target=[colour, colour.capitalize()],
                    extra={"subset": row["Type"]},
                )
                if dataset_id.endswith("-text"):
                    self.dataset.append(TxtSample(**fields))
                elif unrelated:
                    self.dataset.append(ImageTxtSample(image_path=random.choice(unrelated), **fields))
                else:
                    image_path = os.path.join(DATA, "images", "{}.png".format(row["Number"]))
                    self.dataset.append(ImageTxtSample(image_path=image_path, **fields))

    def __getitem__(self, index: int) -> _OutputType:
        if self.method_hook:
            return self.method_hook.run(self.dataset[index])
        return self.dataset[index]

    def __len__(self) -> int:
        return len(self.dataset)
