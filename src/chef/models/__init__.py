"""Models: what is evaluated. One file a kind of model, one line here."""

from chef.models.base import Model, TestBase
from chef.registry import Registry

MODELS: Registry[Model] = Registry(
    "model",
    {
        "HuggingFace": "chef.models.huggingface.model:HuggingFaceModel",
        "tiny": "chef.models.tiny:Tiny",
    },
)

__all__ = ["MODELS", "Model", "TestBase"]
