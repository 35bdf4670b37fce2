"""Models: what is evaluated. One file a kind of model, one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chef.common.front_modules import attributes
from chef.registry import Registry

if TYPE_CHECKING:
    from chef.models.base import Model, TestBase
else:
    __getattr__ = attributes(__name__, {"chef.models.base": ("Model", "TestBase")})

MODELS: Registry[Model] = Registry(
    "model",
    {
        "HuggingFace": "chef.models.huggingface.model:HuggingFaceModel",
        "OpenAI": "chef.models.api.openai_model:OpenAIModel",
        "VLLM": "chef.models.huggingface.vllm_engine:VLLMModel",
        "VLMEvalKit": "chef.models.hooks.vlmevalkit.registry:RegistryModel",
        "ChEF": "chef.models.hooks.package:PackagedModel",
        "MMTrustEval": "chef.models.hooks.mmtrusteval.model:ChatModel",
        "tiny": "chef.models.tiny:Tiny",
    },
)

__all__ = ["MODELS", "Model", "TestBase"]
