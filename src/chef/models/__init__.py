"""Models: what is evaluated. One file a kind of model, one line here."""

from typing import TYPE_CHECKING

from chef.models.base import Model, TestBase
from chef.registry import Registry

MODELS: Registry[Model] = Registry(
    "model",
    {
        "HuggingFace": "chef.models.huggingface.model:HuggingFaceModel",
        "OpenAI": "chef.models.api.openai_model:OpenAIModel",
        "VLMEvalKit": "chef.models.hooks.vlmevalkit.registry:RegistryModel",
        "ChEF": "chef.models.hooks.chef_package:PackagedModel",
        "MMTrustEval": "chef.models.hooks.mmtrusteval.model:ChatModel",
        "tiny": "chef.models.tiny:Tiny",
    },
)

__all__ = ["MODELS", "Model", "TestBase"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """The classes by ChEF's names."""
        from chef.common.front_modules import chef_name

        return chef_name(__name__, name)
