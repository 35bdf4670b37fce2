import re
import warnings

import numpy as np
import torch
from PIL import Image

from .base import BaseModel
from ..smp import *
from ..dataset import DATASET_TYPE, DATASET_MODALITY

PALETTE = {
    'red': (255, 0, 0),
    'green': (0, 255, 0),
    'blue': (0, 0, 255),
    'white': (255, 255, 255),
    'black': (0, 0, 0),
}


def colour_of(path):
    mean = np.asarray(Image.open(path).convert('RGB'), dtype=float).reshape(-1, 3).mean(axis=0)
    return min(PALETTE, key=lambda name: float(((mean - np.asarray(PALETTE[name])) ** 2).sum()))


def toy_answer(text, paths):
    """By the first picture's colour; without pictures by the option that is a colour."""
    options = dict(re.findall(r'^([A-Z])\. (.+?)\s*$', text, flags=re.M))
    if not paths:
        for letter, option in options.items():
            if option in PALETTE:
                return letter
        return 'I do not know.'
    colour = colour_of(paths[0])
    if options:
        for letter, option in options.items():
            if option == colour:
                return f'The answer is {letter}.'
        for letter, option in options.items():
            if option == 'None':
                return f'The answer is {letter}.'
        return 'I do not know.'
    asked = re.search(r'Is the picture (\w+)\?', text)
    if asked:
        return 'Yes' if asked.group(1) == colour else 'No'
    return colour


class ToyVLM(BaseModel):

    INSTALL_REQ = False
    INTERLEAVE = True

    def __init__(self, model_path='toy', **kwargs):
        super().__init__()
        self.model_path = model_path
        default_kwargs = dict(max_new_tokens=16, do_sample=False)
        default_kwargs.update(kwargs)
        self.kwargs = default_kwargs
        torch.set_grad_enabled(False)

    def generate_inner(self, message, dataset=None):
        text = '\n'.join(part['value'] for part in message if part['type'] == 'text')
        paths = [part['value'] for part in message if part['type'] == 'image']
        return toy_answer(text, paths)
