import ast
import os.path as osp
from functools import partial

import pandas as pd

from .image_base import ImageBaseDataset
from .image_vqa import ImageVQADataset
from .image_shortqa import ImageShortQADataset
from .utils import build_judge, DEBUG_MESSAGE, levenshtein_distance
from .utils.judge_util import build_judge as build_judge_model
from .utils.vqa_eval import process_line, hit_calculate
from ..smp import load, dump, d2df, listinstr, toliststr, get_logger, cn_string, istype
from ..smp.file import get_intermediate_file_path
from ..utils import track_progress_rich, can_infer

logger = get_logger('ToyColourVQA')


class ToyColourVQA(ImageBaseDataset):
    """Open questions with its own request and its own scores."""

    TYPE = 'VQA'
    MODALITY = 'IMAGE'

    DATASET_URL = {'ToyColourVQA': 'https://example.invalid/data/ToyColourVQA.tsv'}
    DATASET_MD5 = {'ToyColourVQA': '650b1d0bfa614c5ece1832e0d2249001'}

    def build_prompt(self, line):
        msgs = super().build_prompt(line)
        assert msgs[-1]['type'] == 'text'
        msgs[-1]['value'] += '\nName it in one word.'
        return msgs

    @staticmethod
    def references(answer):
        answer = str(answer)
        if answer.startswith('[') and answer.endswith(']'):
            return [str(item) for item in ast.literal_eval(answer)]
        return [answer]

    def evaluate(self, eval_file, **judge_kwargs):
        data = load(eval_file)
        assert 'answer' in data and 'prediction' in data
        data['prediction'] = [str(x) for x in data['prediction']]
        lt = len(data)
        hits = []
        for i in range(lt):
            line = data.iloc[i]
            accepted = [x.lower() for x in self.references(line['answer'])]
            hits.append(int(line['prediction'].strip().rstrip('.').lower() in accepted))
        data['hit'] = hits
        dump(data, get_intermediate_file_path(eval_file, '_result'))

        ret = dict(Overall=sum(hits) / lt * 100)
        for category in sorted(set(data['category'])):
            sub = data[data['category'] == category]
            ret[category] = float(sub['hit'].mean()) * 100
        ret = d2df(ret)
        dump(ret, get_intermediate_file_path(eval_file, '_acc', 'csv'))
        logger.info(f'ToyColourVQA: {lt} rows')
        return ret
