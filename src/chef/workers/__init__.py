"""Replicas of the model in processes of their own, here or on a cluster, by Ray."""

from chef.workers.pool import RayPool

__all__ = ["RayPool"]
