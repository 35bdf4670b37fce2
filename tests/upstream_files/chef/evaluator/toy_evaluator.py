"""The three builders put together by hand, as ChEF's own evaluator does it."""
import json
import os

from ChEF.inferencer import build_inferencer
from ChEF.instruction import build_instructionhandler
from ChEF.metric import build_metric


class ToyEvaluator:

    def __init__(self, dataset, save_base_dir, cfg, dist_args=None):
        self.dataset = dataset
        self.save_base_dir = save_base_dir
        self.dataset_name = dataset.dataset_name
        self.task_name = dataset.task_name
        self.instruction_handler = build_instructionhandler(
            task_name=self.task_name, dataset=self.dataset, **cfg['instruction_cfg'])
        self.inferencer = build_inferencer(
            dist_args=dist_args, instruction_handler=self.instruction_handler, **cfg['inferencer_cfg'])
        self.metric = build_metric(dataset_name=self.dataset_name, **cfg['metric_cfg'])

    def score(self, answers, name='answers.json'):
        """Scores answers that are there already."""
        os.makedirs(self.save_base_dir, exist_ok=True)
        path = os.path.join(self.save_base_dir, name)
        with open(path, 'w', encoding='utf8') as f:
            f.write(json.dumps(answers, indent=4, ensure_ascii=False))
        result = self.metric.metric(path)
        with open(os.path.join(self.save_base_dir, 'results.json'), 'w', encoding='utf8') as f:
            f.write(json.dumps(dict(answer_path=path, result=result), indent=4))
        return path, result
