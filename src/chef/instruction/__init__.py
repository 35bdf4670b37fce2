"""Instructions: how a sample is put into words."""

from chef.instruction.handler import InstructionHandler
from chef.instruction.retriever import RETRIEVERS

__all__ = ["RETRIEVERS", "InstructionHandler"]
