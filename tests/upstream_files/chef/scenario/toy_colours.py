import json
import os

from torch.utils.data import Dataset


class ToyColoursDataset(Dataset):
    """Which colour is the picture, with two or three options."""

    task_name = 'VQA'
    dataset_name = 'ToyColours'

    def __init__(self, base_data_path, ppl=False, option_content=False, **kwargs):
        self.base_data_path = base_data_path
        self.ppl = ppl
        self.option_content = option_content
        with open(os.path.join(base_data_path, 'meta_file', 'VQA_ToyColours.json'), 'r', encoding='utf8') as f:
            self.data = json.load(f)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        item = self.data[index]
        id = str(item['id']) if 'id' in item else index
        letters = 'ABCDEFG'
        listed = ' '.join('({}) {}'.format(letters[i], choice) for i, choice in enumerate(item['choices']))
        res_dict = {
            'id': id,
            'image_path': os.path.join(self.base_data_path, item['image']),
            'question': item['query'] + '\nOptions: ' + listed + '\n',
            'gt_choice': item['gt_choice'],
            'gt_answers': '({})'.format(letters[item['gt_choice']]),
            'choices': item['choices'],
        }
        if self.ppl:
            if self.option_content:
                res_dict['options'] = list(item['choices'])
            else:
                res_dict['options'] = ['({}'.format(letters[i]) for i in range(len(item['choices']))]
        return res_dict
