from ChEF.models.test_base import TestBase
from ChEF.models.utils import get_image, get_multi_imgs
from .utils import Conversation, SeparatorStyle
import re
import numpy as np


class TestToyHooks(TestBase):
    """Leaves the loops to the base class and only fills in how one sample is asked."""

    names = ['red', 'green', 'blue']

    def __init__(self, device='cpu', **kwargs):
        self.device = device

    def build_input_image(self, image_list):
        return [np.asarray(get_image(image).convert('RGB'), dtype=float).reshape(-1, 3).mean(axis=0)
                for image in image_list]

    def build_conversation(self, idx, image_list, prompt, CoT_answer_list=None, batch_answers=None,
                           generate=True, **kwargs):
        text = 'USER: ' + prompt + ' ASSISTANT:'
        if CoT_answer_list is not None:
            text += CoT_answer_list[idx]
        if not generate:
            text += ' ' + batch_answers[idx]
        return text

    def do_generate(self, images, conversation, max_new_tokens=16, **kwargs):
        mean = images[-1]
        strongest = self.names[int(np.argmax(mean))]
        found = re.findall(r'\(([A-Z])\) ' + strongest, conversation)
        return '({})'.format(found[-1]) if found else strongest
