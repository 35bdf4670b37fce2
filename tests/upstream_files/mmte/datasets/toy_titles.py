import json
import os
from typing import Dict, Optional, Sequence

from mmte.datasets.base import BaseDataset, collate_fn
from mmte.methods import RelatedGeneratedImage, AdvGeneratedImage
from mmte.methods import RelatedTextEmbedImage
from mmte.methods.base import BaseMethod
from mmte.utils.registry import registry
from mmte.utils.utils import get_abs_path, download_image
from mmte import ImageTxtSample, TxtSample, _OutputType


@registry.register_dataset()
class ToyTitles(BaseDataset):
    """Three titles without a picture; with `generate_image` a generator would draw one for each."""

    dataset_ids: Sequence[str] = ["toy-titles"]
    dataset_config: Dict[str, str] = {
        "image_dir": get_abs_path("data/toy_titles/related"),
    }

    def __init__(
        self, dataset_id: str, method_hook: Optional[BaseMethod] = None,
        generate_image: bool = False, **kwargs
    ) -> None:
        super().__init__(dataset_id=dataset_id, method_hook=method_hook)
        titles = ["A red door and a blue house", "The green mile", "Silence"]
        self.dataset = [
            TxtSample(text=title, target=target)
            for title, target in zip(titles, ["red", "green", "none"])
        ]
        if generate_image:
            generator = RelatedGeneratedImage("related-image-generated", img_dir=self.dataset_config["image_dir"])
            self.dataset = [generator.run(sample) for sample in self.dataset]

    def __getitem__(self, index: int) -> _OutputType:
        if self.method_hook:
            return self.method_hook.run(self.dataset[index])
        return self.dataset[index]

    def __len__(self) -> int:
        return len(self.dataset)
