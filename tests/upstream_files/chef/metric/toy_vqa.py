import re

from tqdm import tqdm

from .utils import Base_Metric, Cleaner, classification_acc


class ToyVQA(Base_Metric):
    """ACC by the first letter in round brackets; colour_ACC by the colour word of the choice."""

    def __init__(self, dataset_name, **kwargs):
        super().__init__(dataset_name)
        self.cleaner = Cleaner()

    def metric_func(self, answers):
        score, named = 0.0, 0.0
        for item in tqdm(answers):
            letter = re.search(r'\(([A-Z])', str(item['answer']))
            right = int(letter is not None and letter.group(1) == 'ABCDEFG'[item['gt_choice']])
            item['metric_result'] = right
            score += right
            words = self.cleaner.clean(str(item['answer'])).split()
            named += int(item['choices'][item['gt_choice']] in words)
        return dict(
            ACC=score / len(answers) * 100,
            colour_ACC=named / len(answers) * 100,
        )
