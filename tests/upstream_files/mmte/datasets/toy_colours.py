import json
import os
import warnings
from typing import Optional, Sequence

import yaml
from torch.utils.data import DataLoader

from mmte.datasets.base import BaseDataset, collate_fn
from mmte.datasets import UnrelatedImageDataset
from mmte.methods.base import BaseMethod
from mmte.utils.registry import registry
from mmte.utils.utils import get_abs_path
from mmte import ImageTxtSample, TxtSample, _OutputType

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@registry.register_dataset()
class ToyColours(BaseDataset):
    """Yes/no questions on the colour of a picture; a record whose picture is missing is left out."""

    dataset_ids: Sequence[str] = ["toy-colours", "toy-colours-raw"]
    dataset_config: Optional[str] = get_abs_path("mmte/configs/datasets/toy-colours.yaml")

    def __init__(
        self, dataset_id: str, method_hook: Optional[BaseMethod] = None, **kwargs
    ) -> None:
        super().__init__(dataset_id=dataset_id, method_hook=method_hook)
        assert dataset_id in self.dataset_ids

        config_file = self.dataset_config
        if not os.path.exists(config_file):
            config_file = os.path.join(HERE, "configs/datasets/toy-colours.yaml")
        with open(config_file) as f:
            self.config = yaml.load(f, Loader=yaml.FullLoader)

        self.image_dir = os.path.join(HERE, self.config.get("image_dir", ""))
        self.annotation_file = os.path.join(HERE, self.config.get("annotation_file", ""))

        with open(self.annotation_file) as f:
            annotations = json.load(f)

        dataset = []
        for anno in annotations:
            image_path = os.path.join(self.image_dir, anno["image"])
            if not os.path.exists(image_path):
                warnings.warn("file: {} not exists!".format(image_path))
                continue
            text = anno["query"]
            if dataset_id == "toy-colours":
                text = "{} Please answer [Yes] or [No].".format(text)
            target = {"Yes": 1, "No": 0}.get(anno["truth"], anno["truth"])
            dataset.append(ImageTxtSample(image_path=image_path, text=text, target=target))
        self.dataset = dataset

    def __getitem__(self, index: int) -> _OutputType:
        if self.method_hook:
            return self.method_hook.run(self.dataset[index])
        return self.dataset[index]

    def __len__(self) -> int:
        return len(self.dataset)


if __name__ == "__main__":
    dataset = ToyColours("toy-colours")
    loader = DataLoader(dataset, batch_size=1, collate_fn=collate_fn)
    for batch in loader:
        print(batch)
