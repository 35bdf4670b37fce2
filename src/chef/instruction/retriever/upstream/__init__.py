"""Retrievers by ChEF's own rules, which ``compat: upstream`` asks for."""

from chef.instruction.retriever.upstream.kinds import ChefRetriever, EvaluatedSet

__all__ = ["ChefRetriever", "EvaluatedSet"]
