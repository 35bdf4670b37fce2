import string

import pandas as pd

from .text_base import TextBaseDataset
from .text_mcq import TextMCQDataset
from ..smp import load, dump, get_intermediate_file_path
from ..utils.matching_util import can_infer


class ToyWords(TextBaseDataset):
    """Options without a picture; answers are matched by rule only."""

    TYPE = 'MCQ'
    MODALITY = 'TEXT'

    DATASET_URL = {'ToyWords': 'https://example.invalid/data/ToyWords.tsv'}
    DATASET_MD5 = {'ToyWords': '3bb569134d26497e7b49d875c2475022'}

    def build_prompt(self, line):
        if isinstance(line, int):
            line = self.data.iloc[line]
        text = line['question'] + '\n'
        for letter in string.ascii_uppercase:
            if letter in line and not pd.isna(line[letter]) and line[letter] != '':
                text += f'{letter}. {line[letter]}\n'
        return [dict(type='text', value=text + 'Letter:')]

    def evaluate(self, eval_file, **judge_kwargs):
        data = load(eval_file)
        hits = []
        for i in range(len(data)):
            line = data.iloc[i]
            choices = {letter: str(line[letter]) for letter in 'AB'}
            hits.append(int(can_infer(str(line['prediction']), choices) == line['answer']))
        data['hit'] = hits
        dump(data, get_intermediate_file_path(eval_file, '_result'))
        return {'Overall': sum(hits) / len(hits)}
