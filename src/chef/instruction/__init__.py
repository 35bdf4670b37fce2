"""Instructions: how a sample is put into words."""

from chef.instruction.handler import InstructionHandler
from chef.instruction.retriever import RETRIEVERS
from chef.registry import Registry

#: The default first; others come from plugins.
INSTRUCTIONS: Registry[InstructionHandler] = Registry(
    "instruction", {"InstructionHandler": "chef.instruction.handler:InstructionHandler"}
)

__all__ = ["INSTRUCTIONS", "RETRIEVERS", "InstructionHandler"]
