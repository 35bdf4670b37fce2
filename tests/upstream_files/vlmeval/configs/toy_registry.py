"""Entries as in the table of models, in the manner of vlmeval/config.py."""
from functools import partial

from vlmeval.config import supported_VLM
from vlmeval.api import OpenAIWrapper
from vlmeval.vlm.base import BaseModel
from vlmeval.api.base import BaseAPI

toy_series = {
    'toy-remote-4o': partial(OpenAIWrapper, model='toy-remote-4o', temperature=0, max_tokens=64),
}
supported_VLM.update(toy_series)
