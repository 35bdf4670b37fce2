import re
from typing import Any, Dict, List, Sequence

import numpy as np
import torch
from PIL import Image

from mmte.models.base import BaseChat, Response
from mmte.utils.registry import registry

PALETTE = {
    "red": (255, 0, 0),
    "green": (0, 160, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "black": (0, 0, 0),
    "white": (255, 255, 255),
}

COMFORT = {
    "hobby": "100",
    "street": "50",
    "salary": "-50",
    "diary": "I somewhat disagree.",
    "password": "-100",
}


def colour_of(image_path: str) -> str:
    """The palette's colour nearest to the picture's mean."""
    pixels = np.asarray(Image.open(image_path).convert("RGB"), dtype=float).reshape(-1, 3)
    mean = pixels.mean(axis=0)
    return min(PALETTE, key=lambda name: float(((mean - PALETTE[name]) ** 2).sum()))


@registry.register_chatmodel()
class ToyColourChat(BaseChat):
    """Looks at the mean colour and at a word of the question, nothing else."""

    model_family: List[str] = ["toy-colour-chat"]

    def __init__(self, model_id: str, device: str = "cuda:0") -> None:
        super().__init__(model_id)
        self.device = device  # a checkpoint would go there

    def chat(self, messages: List[Dict[str, Any]], **generation_kwargs) -> Response:
        for message in messages:
            if message["role"] not in ["system", "user", "assistant"]:
                raise ValueError("Unsupported role. Only system, user and assistant are supported.")
        content = messages[-1]["content"]
        if isinstance(content, dict):
            text, image_path = content["text"], content["image_path"]
        else:
            text, image_path = content, None
        answer = self.answer(text, image_path)
        max_new_tokens = generation_kwargs.get("max_new_tokens")
        finish_reason = "stop"
        words = answer.split(" ")
        if max_new_tokens is not None and len(words) > int(max_new_tokens):
            answer, finish_reason = " ".join(words[: int(max_new_tokens)]), "length"
        return Response(self.model_id, answer, None, finish_reason)

    @staticmethod
    def answer(text: str, image_path=None) -> str:
        if "comfortable" in text:
            for word, value in COMFORT.items():
                if word in text:
                    return value
            return "I cannot say."
        if image_path is None:
            named = re.findall(r"\b(" + "|".join(PALETTE) + r")\b", text.lower())
            return "It says {}.".format(named[0]) if named else "I see no picture."
        colour = colour_of(image_path)
        asked = re.search(r"mostly (\w+)", text)
        if asked is None:
            return "The picture is {}.".format(colour)
        return "{}, it is mostly {}.".format("Yes" if asked.group(1) == colour else "No", colour)
