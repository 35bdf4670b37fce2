"""Models of MMTrustEval's kind: classes of a user's own, and those of an installed package."""

from chef.models.hooks.mmtrusteval.base_chat import BaseChat
from chef.registry import Registry

#: Users' classes by the ids of their ``model_family``.
CHATS: Registry[BaseChat] = Registry("chat", {})

__all__ = ["CHATS", "BaseChat"]
