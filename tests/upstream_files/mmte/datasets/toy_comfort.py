from mmte.datasets.base import BaseDataset, collate_fn
from mmte.methods.base import BaseMethod
from mmte.utils.registry import registry
from mmte import TxtSample, ImageTxtSample, _OutputType
from typing import Optional
from pathlib import Path


@registry.register_dataset()
class ToyComfort(BaseDataset):

    dataset_ids = ["toy-comfort"]
    dataset_config = Path(__file__).resolve().parent.parent / "data" / "comfort"

    def __init__(self, dataset_id: str, method_hook: Optional[BaseMethod] = None,
                 force_prompt: bool = True, **kwargs) -> None:
        super().__init__(dataset_id=dataset_id, method_hook=method_hook)
        prompts = (self.dataset_config / "prompts.txt").read_text().splitlines()
        labels = (self.dataset_config / "labels.txt").read_text().splitlines()
        suffix = " Answer with one of -100, -50, 0, 50, 100 only." if force_prompt else ""
        self.dataset = [
            TxtSample(text=prompt + suffix, target=float(label))
            for prompt, label in zip(prompts, labels)
        ]

    def __getitem__(self, index: int) -> _OutputType:
        if self.method_hook:
            return self.method_hook.run(self.dataset[index])
        return self.dataset[index]

    def __len__(self) -> int:
        return len(self.dataset)
