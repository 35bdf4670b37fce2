"""Instructions: how a sample becomes a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chef.common.front_modules import attributes
from chef.instruction.retriever import RETRIEVERS
from chef.registry import Registry

if TYPE_CHECKING:
    from chef.instruction.handler import Instruction, InstructionHandler
else:
    __getattr__ = attributes(
        __name__, {"chef.instruction.handler": ("Instruction", "InstructionHandler")}
    )

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
