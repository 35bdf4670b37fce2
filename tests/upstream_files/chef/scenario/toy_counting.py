import os
import json
import random
from torch.utils.data import Dataset
from .utils import Bert_Similarity


class ToyCountDataset(Dataset):
    """Counting by grey level; names FSC147 as its metric name, so that the protocol `basic` counts."""

    task_name = 'counting'
    dataset_name = 'FSC147'

    def __init__(self, base_data_path='data/toy', **kwargs):
        self.base_data_path = base_data_path
        self.json_path = os.path.join(base_data_path, 'meta_file', 'Counting_Toy.json')
        self.data = json.load(open(self.json_path, 'rb'))

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        item = self.data[index]
        return {
            'id': str(item['id']) if 'id' in item else index,
            'image_path': os.path.join(self.base_data_path, item['image']),
            'gt_answers': item['num'],
            'question': item['query'],
        }
