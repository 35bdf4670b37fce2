import re

import numpy as np
import torch
from PIL import Image

from .test_base import TestBase
from .utils import Conversation, SeparatorStyle, get_image

PALETTE = {
    'red': (255, 0, 0),
    'green': (0, 255, 0),
    'blue': (0, 0, 255),
    'white': (255, 255, 255),
    'black': (0, 0, 0),
}


def mean_colour(image):
    """Mean of the (last) picture of a sample: a path, a PIL image or a list of either."""
    if isinstance(image, (list, tuple)):
        image = image[-1]
    if isinstance(image, str):
        image = Image.open(image)
    return np.asarray(image.convert('RGB'), dtype=np.float64).reshape(-1, 3).mean(axis=0)


def distance(mean, name):
    """Distance of two colours; 1.0 is one full channel."""
    return float(np.sqrt(((mean - np.asarray(PALETTE[name])) ** 2).sum())) / 255.0


def choices_of(prompt):
    """{letter: colour} of the last list of options in a prompt."""
    last = prompt[prompt.rfind('(A)'):] if '(A)' in prompt else ''
    return {m.group(1): m.group(2) for m in re.finditer(r'\(([A-Z])\) (\w+)', last)}


def reply(prompt, image):
    mean = mean_colour(image)
    if 'step by step' in prompt:
        return 'The picture looks {}.'.format(min(PALETTE, key=lambda name: distance(mean, name)))
    if 'How many' in prompt:
        return 'I count {} of them.'.format(int(round(float(mean[0]) / 10.0)))
    choices = choices_of(prompt)
    if choices:
        return '({})'.format(min(choices, key=lambda letter: distance(mean, choices[letter])))
    return min(PALETTE, key=lambda name: distance(mean, name))


class TestToyColour(TestBase):
    """Answers by the colour nearest to the picture's mean; an option scores minus its distance."""

    def __init__(self, model_path=None, device=None, **kwargs):
        super().__init__()
        self.model_path = model_path
        self.conv = Conversation
        self.move_to_device(device)

    def move_to_device(self, device=None):
        self.dtype = torch.float32
        self.device = 'cpu' if device is None else device

    @torch.no_grad()
    def batch_generate(self, batch_images, batch_prompt, max_new_tokens=16, **kwargs):
        return [reply(prompt, image) for image, prompt in zip(batch_images, batch_prompt)]

    @torch.no_grad()
    def ppl_inference(self, batch_images, batch_prompt, batch_options, batch_answers, CoT_answer_list=None, **kwargs):
        scores = []
        for image, prompt, option in zip(batch_images, batch_prompt, batch_options):
            mean = mean_colour(image)
            choices = choices_of(prompt)
            letter = re.match(r'\(([A-Z])', option)
            if letter is not None:
                name = choices[letter.group(1)]
            else:
                name = option.strip().lower()
            scores.append(-distance(mean, name))
        return scores
