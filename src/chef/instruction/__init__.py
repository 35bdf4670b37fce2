"""Instructions: how a sample becomes a conversation."""

from chef.instruction.handler import Instruction, InstructionHandler
from chef.instruction.retriever import RETRIEVERS
from chef.registry import Registry

#: The default; plugins add others.
INSTRUCTIONS: Registry[Instruction] = Registry(
    "instruction",
    {
        "InstructionHandler": "chef.instruction.handler:Instruction",
        "Instruction": "chef.instruction.handler:Instruction",
    },
    upstream={
        "InstructionHandler": "chef.instruction.upstream:ChefInstruction",
        "Instruction": "chef.instruction.upstream:ChefInstruction",
    },
)

__all__ = ["INSTRUCTIONS", "RETRIEVERS", "Instruction", "InstructionHandler"]
