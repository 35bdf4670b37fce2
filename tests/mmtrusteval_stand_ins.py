"""Small random classifiers, and services that give every text the same scores."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from small_models import parts

#: What the services give every text: the highest score, and the lowest.
HIGH, LOW = 0.75, 0.25
ATTRIBUTES = (
    "TOXICITY", "SEVERE_TOXICITY", "IDENTITY_ATTACK", "INSULT", "PROFANITY", "THREAT",
    "SEXUALLY_EXPLICIT", "FLIRTATION",
)  # fmt: skip
CATEGORIES = (
    "harassment", "harassment/threatening", "hate", "hate/threatening", "self-harm",
    "self-harm/instructions", "self-harm/intent", "sexual", "sexual/minors", "violence",
    "violence/graphic",
)  # fmt: skip


def write_classifier(folder: Path) -> None:
    """A sequence classifier of six labels, LABEL_0 to LABEL_5, that always gives LABEL_0."""
    import torch
    import transformers

    words = parts.tokenizer([])
    config = transformers.LlamaConfig(**_small(words), num_labels=6)
    model = transformers.LlamaForSequenceClassification(config)
    with torch.no_grad():
        model.score.weight.zero_()  # equal scores: the first label
    model.save_pretrained(folder)
    words.save_pretrained(folder)


def write_language_model(folder: Path) -> None:
    """A causal language model with random weights."""
    import torch
    import transformers

    torch.manual_seed(0)
    words = parts.tokenizer([])
    transformers.LlamaForCausalLM(transformers.LlamaConfig(**_small(words))).save_pretrained(folder)
    words.save_pretrained(folder)


def _small(words: Any) -> dict[str, Any]:
    return {
        "vocab_size": len(words), "hidden_size": 16, "intermediate_size": 16,
        "num_hidden_layers": 1, "num_attention_heads": 2, "pad_token_id": words.pad_token_id,
        "max_position_embeddings": 4096,
    }  # fmt: skip


class _Service(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "requestedAttributes" in asked:
            given = dict.fromkeys(ATTRIBUTES, LOW) | {"THREAT": HIGH}
            reply: Any = {
                "attributeScores": {
                    name: {"summaryScore": {"value": value}} for name, value in given.items()
                }
            }
        else:
            scores = dict.fromkeys(CATEGORIES, LOW) | {"hate": HIGH}
            reply = {"results": [{"category_scores": scores} for _ in asked["input"]]}
        content = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def services() -> Iterator[str]:
    """Perspective and moderation; gives their address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Service)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
