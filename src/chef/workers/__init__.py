"""Replicas of a model in Ray worker processes."""
