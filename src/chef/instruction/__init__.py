"""Instructions: how a sample becomes a conversation."""

from chef.instruction.handler import InstructionHandler
from chef.instruction.retriever import RETRIEVERS
from chef.registry import Registry

#: The default; plugins add others.
INSTRUCTIONS: Registry[InstructionHandler] = Registry(
    "instruction", {"InstructionHandler": "chef.instruction.handler:InstructionHandler"}
)

__all__ = ["INSTRUCTIONS", "RETRIEVERS", "InstructionHandler"]
