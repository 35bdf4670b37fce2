"""Retrievers by ChEF's own rules, which ``compat: upstream`` asks for."""

from chef.instruction.retriever.upstream.base import ChefRetriever
from chef.instruction.retriever.upstream.evaluated_set import EvaluatedSet

__all__ = ["ChefRetriever", "EvaluatedSet"]
