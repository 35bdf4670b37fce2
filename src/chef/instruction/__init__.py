"""Instructions: how a sample is put into words."""

from chef.instruction.handler import InstructionHandler
from chef.registry import Registry

#: In-context retrievers register here; none is shipped yet.
RETRIEVERS: Registry[object] = Registry("retriever", {})

__all__ = ["RETRIEVERS", "InstructionHandler"]
