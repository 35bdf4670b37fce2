"""The model's own prompt (``prompt: model``), as models written for VLMEvalKit may have one."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from chef.common.logs import logger
from chef.common.user_code import contained
from chef.common.vlmevalkit_messages import conversation_of
from chef.errors import ConfigError
from chef.models.hooks.vlmevalkit.messages import dumped_images, line_of
from chef.types import Conversation, Sample

_log = logger(__name__)


def dataset_of(scenario: object) -> str:
    """The name of a scenario's data set, as models written for VLMEvalKit know it."""
    given = getattr(scenario, "dataset_name", None)
    return given if isinstance(given, str) and given else str(getattr(scenario, "name", ""))


@dataclass(frozen=True, slots=True)
class ModelPrompt:
    """The prompt of one model (None: the recipe words the samples) for one data set."""

    model: Any = None
    dataset: str = ""
    is_used: bool = False
    #: Samples are worded in several threads, and a user's method may keep state.
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    @staticmethod
    def of(model: Any, dataset: str) -> ModelPrompt:
        """The prompt of a model for a data set; `ConfigError` without a method ``build_prompt``."""
        kind = type(model).__name__
        if not callable(getattr(model, "build_prompt", None)):
            raise ConfigError(
                f"prompt: model asks with the model's own prompt, and {kind} has none",
                where="eval_cfg.instruction_cfg.prompt",
                hint="remove the key, or give the class of the model the methods "
                "use_custom_prompt(dataset) and build_prompt(line, dataset)",
            )
        with contained(f"{kind}.use_custom_prompt"):
            is_used = bool(model.use_custom_prompt(dataset))
        if not is_used:
            _log.warning(
                "prompt: model: %s has no prompt of its own for %s; the recipe's is used",
                kind, dataset,
            )  # fmt: skip
        elif callable(getattr(model, "set_dump_image", None)):
            model.set_dump_image(dumped_images)
        return ModelPrompt(model, dataset, is_used)

    def is_of(self, model: object, dataset: str) -> bool:
        """Whether it is the prompt of that model for that data set."""
        return self.model is model and self.dataset == dataset

    @property
    def method(self) -> str:
        """The method that words the samples, for the journal."""
        return f"{type(self.model).__name__}.build_prompt"

    def conversation(self, sample: Sample) -> Conversation:
        """The conversation for a sample, where the prompt `is_used`. Raises `SampleError`."""
        line = line_of(sample)
        with self._lock, contained(self.method):
            return conversation_of(self.model.build_prompt(line, self.dataset))
