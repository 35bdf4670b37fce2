import string

import pandas as pd

from vlmeval.vlm.base import BaseModel
from vlmeval.smp import listinstr, cn_string, get_gpu_memory, get_rank_and_world_size, version_cmp, splitlen
from vlmeval.dataset import DATASET_TYPE, DATASET_MODALITY, build_dataset, infer_dataset_basename
from .toy_vlm import toy_answer


class ToyPrompted(BaseModel):
    """Words questions with options itself and takes one picture only."""

    INSTALL_REQ = False
    INTERLEAVE = False

    def __init__(self, model_path='toy', **kwargs):
        self.model_path = model_path
        self.kwargs = kwargs

    def use_custom_prompt(self, dataset):
        assert dataset is not None
        return DATASET_TYPE(dataset, default='MCQ') == 'MCQ' and listinstr(['Colour'], dataset)

    def build_prompt(self, line, dataset=None):
        assert self.use_custom_prompt(dataset)
        tgt_path = self.dump_image(line, dataset)
        question = line['question']
        options = {
            cand: line[cand]
            for cand in string.ascii_uppercase
            if cand in line and not pd.isna(line[cand]) and line[cand] != ''
        }
        prompt = 'Toy question: ' + question
        for key, item in options.items():
            prompt += f'\n{key}. {item}'
        prompt += '\n请直接回答选项字母。' if cn_string(prompt) else '\nOnly the letter.'
        message = [dict(type='image', value=path) for path in tgt_path]
        message.append(dict(type='text', value=prompt))
        return message

    def generate_inner(self, message, dataset=None):
        prompt, image_path = self.message_to_promptimg(message, dataset=dataset)
        return toy_answer(prompt, [image_path] if image_path else [])
