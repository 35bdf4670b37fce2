"""Instructions: how a sample becomes a conversation."""

from typing import TYPE_CHECKING

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

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """The classes by ChEF's names."""
        from chef.common.front_modules import chef_name

        return chef_name(__name__, name)
