from .vqa_dataset import ScienceQADataset
from .lamm_sysmsg import common_task2sysmsg
from ChEF.scenario.classification import CIFAR10Dataset, OmnibenchmarkDataset
from ChEF.scenario.utils import Bert_Similarity


class ToyScienceDataset(ScienceQADataset):
    """ScienceQA's own class over a shorter file: every second row is left out."""

    task_name = 'VQA'
    dataset_name = 'ScienceQA'

    def __init__(self, base_data_path, **kwargs):
        super().__init__(base_data_path, **kwargs)
        self.data = self.data[::2]
