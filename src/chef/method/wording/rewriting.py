"""Changes of whole sentences, which a model makes: another voice, another style, translation."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import ClassVar

from chef.errors import SampleError
from chef.method.wording.base import Reworded, tables
from chef.models import Model
from chef.models.lifecycle import fingerprint, prepare
from chef.types import Generate, Text, Turn

#: The most tokens of a rewritten question.
_TOKENS = 256


class Rewritten(Reworded):
    """What is asked, as a model of your choice writes it when it is told how.

    Args:
        method_id: how: ``active-to-passive``, ``passive-to-active``, ``formal-to-casual``,
            ``casual-to-formal``, or ``back-translation``, to German and back.
        model: the model that rewrites, loaded when the first question is needed. A recipe gives
            its file as ``model_cfg``: the name of a shipped one, a path (beside the recipe first),
            or the content of one as a mapping.
        seed: of the model's replies.
    """

    needs_model: ClassVar[bool] = True
    needs_gradients: ClassVar[bool] = False
    level: ClassVar[str] = "sentence"

    def __init__(self, method_id: str, model: Callable[[], Model], *, seed: int = 0) -> None:
        super().__init__(method_id, seed=seed)
        self._model, self._lock = model, threading.Lock()
        self._replies: dict[str, str] = {}

    def fingerprint(self) -> str:
        return fingerprint(self._model())

    def reworded(self, text: str, rng: random.Random) -> str:
        del rng
        for told in tables()["rewriting"][self.method_id]:
            text = self._reply(f"{told}\n\n{text}")
        return text

    def _reply(self, prompt: str) -> str:
        """The reply of the model, which is asked once."""
        with self._lock:  # samples are made in several threads
            if prompt not in self._replies:
                model = self._model()
                prepare(model)
                conversation = (Turn("user", (Text(prompt),)),)
                request = Generate(conversation, max_new_tokens=_TOKENS, seed=self.seed)
                (reply,) = model.generate([request])
                if reply.finish_reason != "stop":
                    raise SampleError(f"{self.method_id}: the reply is not complete")
                self._replies[prompt] = reply.text.strip()
            return self._replies[prompt]
