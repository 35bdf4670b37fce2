"""Runners: the model in this process, or replicas of it in others, by Ray."""
