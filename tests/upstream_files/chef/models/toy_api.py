import base64
import os
import time

import requests

from .test_base import TestBase
from .utils import get_image


class ToyAPI(TestBase):
    """A model behind HTTP: paths are sent as base64. Loads without a key; not asked in the tests."""

    def __init__(self, api_key='', gpt_name='toy-remote', base_url='http://127.0.0.1:9/v1', **kwargs):
        self.api_key = api_key or os.environ.get('TOY_REMOTE_KEY', '')
        self.gpt_name = gpt_name
        self.base_url = base_url

    @staticmethod
    def encode(image_path):
        with open(image_path, 'rb') as f:
            return base64.b64encode(f.read()).decode('utf-8')

    def generate(self, image_list, prompt, max_new_tokens, sys_msg=None):
        image_list = [image_list] if isinstance(image_list, str) else image_list
        content = [{'type': 'text', 'text': prompt}]
        for path in image_list:
            content.append({'type': 'image_url', 'image_url': {'url': 'data:image/png;base64,' + self.encode(path)}})
        messages = [{'role': 'system', 'content': sys_msg}] if sys_msg else []
        messages.append({'role': 'user', 'content': content})
        body = dict(model=self.gpt_name, messages=messages, max_tokens=max_new_tokens)
        for i in range(5):
            response = requests.post(self.base_url + '/chat/completions', json=body, timeout=60,
                                     headers={'Authorization': 'Bearer ' + self.api_key})
            if response.ok:
                return response.json()['choices'][0]['message']['content']
            time.sleep(2 ** i)
        raise RuntimeError('no answer')

    def batch_generate(self, batch_images, batch_prompt, max_new_tokens, sys_msg=None, **kwargs):
        return [self.generate(image, prompt, max_new_tokens, sys_msg)
                for image, prompt in zip(batch_images, batch_prompt)]
