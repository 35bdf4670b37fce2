"""A server for tests that gives the true log-probabilities of a checkpoint, as vLLM and OpenAI do.

They are computed with transformers alone, one prompt at a time: an independent statement of what a
server with that checkpoint would answer.
"""

from __future__ import annotations

import base64
import io
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from models.api.scripted_server import Answer, Asked
from PIL import Image
from transformers import AutoModelForImageTextToText, AutoProcessor


class TrueServer:
    """The answers of a server that has loaded a checkpoint.

    Args:
        folder: the checkpoint.
    """

    def __init__(self, folder: Path) -> None:
        self.processor: Any = AutoProcessor.from_pretrained(folder)
        self.model: Any = AutoModelForImageTextToText.from_pretrained(folder, dtype="float32")
        self.model.eval()
        self.tokenizer = self.processor.tokenizer
        self._lock = threading.Lock()

    def __call__(self, asked: Asked) -> Answer:
        """Answer one request."""
        with self._lock:
            if asked.path.endswith("/chat/completions"):
                return Answer(self.chat(asked.body))
            if asked.path.endswith("/completions"):
                return Answer(self.completions(asked.body))
        return Answer({"error": {"message": "no such address"}}, status=404)

    def chat(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """A chat completion of one token, with the log-probabilities that were asked for."""
        messages, images = _messages(body["messages"])
        text = self.processor.apply_chat_template(
            messages,
            tokenize=False,
            add_generation_prompt=body.get("add_generation_prompt", True),
            continue_final_message=body.get("continue_final_message", False),
        )
        ids, logprobs = self._forward(text, images)
        best = int(logprobs[-1].argmax())
        choice: dict[str, Any] = {
            "index": 0,
            "message": {"role": "assistant", "content": self._decoded(best)},
            "finish_reason": "length",
            "logprobs": None,
        }
        if body.get("logprobs"):
            listed = logprobs[-1].topk(body["top_logprobs"])
            entries = [
                {"token": self._decoded(int(token)), "logprob": float(value), "bytes": None}
                for value, token in zip(listed.values, listed.indices, strict=True)
            ]
            choice["logprobs"] = {"content": [{**entries[0], "top_logprobs": entries}]}
        reply = {"choices": [choice], "usage": _usage(len(ids), 1)}
        if (number := body.get("prompt_logprobs")) is not None:
            reply["prompt_logprobs"] = self._prompt_logprobs(ids, logprobs, number)
        return reply

    def _prompt_logprobs(self, ids: Sequence[int], logprobs: torch.Tensor, number: int) -> Any:
        positions: list[Any] = [None]
        for token, row in zip(ids[1:], logprobs, strict=False):
            wanted = dict.fromkeys([token, *row.topk(number).indices.tolist()])
            positions.append(
                {
                    str(each): {
                        "logprob": float(row[each]),
                        "rank": int((row > row[each]).sum()) + 1,
                        "decoded_token": self._decoded(each),
                    }
                    for each in wanted
                }
            )
        return positions

    def completions(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Completions of one token each, after the repeated prompts."""
        assert body["echo"]
        assert body["max_tokens"] == 1
        choices, prompt_tokens = [], 0
        for index, text in enumerate(body["prompt"]):
            ids, logprobs = self._forward(text, [])
            prompt_tokens += len(ids)
            whole = [*ids, int(logprobs[-1].argmax())]
            tokens = [self._decoded(token) for token in whole]
            values = [float(row[token]) for row, token in zip(logprobs, whole[1:], strict=True)]
            offsets = [sum(map(len, tokens[:place])) for place in range(len(tokens))]
            found = {"tokens": tokens, "token_logprobs": [None, *values], "text_offset": offsets}
            choices.append({"index": index, "text": "".join(tokens), "logprobs": found})
        # In another order: choices are known by their index.
        return {"choices": choices[::-1], "usage": _usage(prompt_tokens, len(choices))}

    def _forward(self, text: str, images: Sequence[Image.Image]) -> tuple[list[int], torch.Tensor]:
        """The tokens of a prompt, and for each the log-probabilities of the next one."""
        given = {"images": list(images)} if images else {}
        inputs = self.processor(text=[text], return_tensors="pt", **given)
        with torch.inference_mode():
            logits = self.model(**inputs).logits[0].float()
        return inputs["input_ids"][0].tolist(), logits.log_softmax(dim=-1)

    def _decoded(self, token: int) -> str:
        return str(self.tokenizer.decode([token]))


def _messages(given: Sequence[Mapping[str, Any]]) -> tuple[list[dict[str, Any]], list[Any]]:
    """Messages as a chat template takes them, and the images in them."""
    messages, images = [], []
    for message in given:
        content = message["content"]
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        parts = []
        for part in content:
            if part["type"] == "image_url":
                data = part["image_url"]["url"].partition(";base64,")[2]
                images.append(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))
                parts.append({"type": "image"})
            else:
                parts.append({"type": "text", "text": part["text"]})
        messages.append({"role": message["role"], "content": parts})
    return messages, images


def _usage(prompt: int, reply: int) -> dict[str, int]:
    return {
        "prompt_tokens": prompt,
        "completion_tokens": reply,
        "total_tokens": prompt + reply,
    }
