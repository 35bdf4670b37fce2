import json
import os

import requests

from .base import BaseAPI
from ..smp import *
from ..smp import encode_image_to_base64, encode_image_file_to_base64, concat_images_vlmeval, load_env


class ToyWrapper(BaseAPI):
    """An OpenAI-like service. The file loads without a key; the service is not asked."""

    is_api: bool = True

    def __init__(self, model='toy-remote', retry=2, wait=1, key=None, verbose=False, system_prompt=None,
                 temperature=0, max_tokens=64, api_base='http://127.0.0.1:9/v1/chat/completions', **kwargs):
        self.model = model
        self.key = key or os.environ.get('TOY_REMOTE_KEY', '')
        self.api_base = api_base
        self.temperature = temperature
        self.max_tokens = max_tokens
        self.fail_msg = 'Failed to obtain answer via API. '
        super().__init__(retry=retry, wait=wait, system_prompt=system_prompt, verbose=verbose, **kwargs)

    def prepare_inputs(self, inputs):
        content = []
        for part in inputs:
            if part['type'] == 'text':
                content.append(dict(type='text', text=part['value']))
            else:
                data = encode_image_file_to_base64(part['value'])
                content.append(dict(type='image_url', image_url=dict(url=f'data:image/jpeg;base64,{data}')))
        return [dict(role='user', content=content)]

    def generate_inner(self, inputs, **kwargs) -> tuple:
        payload = dict(model=self.model, messages=self.prepare_inputs(inputs),
                       max_tokens=self.max_tokens, temperature=self.temperature)
        response = requests.post(self.api_base, json=payload, timeout=60,
                                 headers={'Authorization': f'Bearer {self.key}'})
        if response.status_code != 200:
            return -1, self.fail_msg, response
        answer = json.loads(response.text)['choices'][0]['message']['content'].strip()
        return 0, answer, response


class ToyRemote(ToyWrapper):

    def generate(self, message, dataset=None):
        return super(ToyRemote, self).generate(message)
