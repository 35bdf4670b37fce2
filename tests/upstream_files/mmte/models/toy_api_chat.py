import base64
import os
import time
from typing import Any, Dict, List, Union

import requests

from mmte.models.base import BaseChat, Response
from mmte.utils.registry import registry


@registry.register_chatmodel()
class ToyAPIChat(BaseChat):
    """A chat model behind HTTP; its file can be loaded without a key or a network."""

    model_family = ["toy-remote-chat", "toy-remote-chat-large"]

    def __init__(self, model_id: str, device: str = "cuda:0") -> None:
        super().__init__(model_id)
        self.key = os.getenv("TOY_REMOTE_KEY", "")
        self.url = os.getenv("TOY_REMOTE_URL", "http://127.0.0.1:9/v1/chat/completions")
        self.max_retries = 3

    def chat(self, messages: List[Dict[str, Any]], **generation_kwargs) -> Response:
        conversation = []
        for message in messages:
            content: Union[str, Dict[str, str]] = message["content"]
            if isinstance(content, dict):
                with open(content["image_path"], "rb") as f:
                    data = base64.b64encode(f.read()).decode("utf-8")
                parts = [
                    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}},
                    {"type": "text", "text": content["text"]},
                ]
            else:
                parts = [{"type": "text", "text": content}]
            conversation.append({"role": message["role"], "content": parts})
        payload = {
            "model": self.model_id,
            "messages": conversation,
            "max_tokens": generation_kwargs.get("max_new_tokens", 100),
            "temperature": generation_kwargs.get("temperature", 0.0),
        }
        for attempt in range(self.max_retries):
            try:
                reply = requests.post(self.url, json=payload, timeout=30,
                                      headers={"Authorization": "Bearer " + self.key})
                reply.raise_for_status()
                choice = reply.json()["choices"][0]
                return Response(self.model_id, choice["message"]["content"], None, choice["finish_reason"])
            except requests.RequestException:
                time.sleep(2 ** attempt)
        raise RuntimeError("the service did not answer")
