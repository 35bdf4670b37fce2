import re

import numpy as np
from PIL import Image

from .test_base import TestBase
from .utils import get_image


class TestToyFirstGeneration(TestBase):
    """The same toy in the interface of the first generation: losses, the smaller the better."""

    paint = {'red': (255, 0, 0), 'green': (0, 255, 0), 'blue': (0, 0, 255),
             'white': (255, 255, 255), 'black': (0, 0, 0)}

    def __init__(self, device='cpu', **kwargs):
        self.device = device

    def _loss(self, image, question, option):
        image = Image.open(image) if isinstance(image, str) else image
        mean = np.asarray(image.convert('RGB'), dtype=float).reshape(-1, 3).mean(axis=0)
        choices = dict(re.findall(r'\(([A-Z])\) (\w+)', question))
        name = choices.get(option.strip('()'), option)
        return float(np.linalg.norm(mean - np.asarray(self.paint[name]))) / 255.0

    def generate(self, image, question, max_new_tokens):
        choices = dict(re.findall(r'\(([A-Z])\) (\w+)', question))
        best = min(choices, key=lambda letter: self._loss(image, question, letter))
        return '({})'.format(best)

    def batch_generate(self, image_list, question_list, max_new_tokens, **kwargs):
        return [self.generate(image, question, max_new_tokens)
                for image, question in zip(image_list, question_list)]

    def ppl_inference(self, image_list, question_list, answer_list, answer_pool, CoT_list=None, calib=False):
        losses = [self._loss(image, question, option)
                  for image, question, option in zip(image_list, question_list, answer_pool)]
        return [-loss for loss in losses] if calib else losses
