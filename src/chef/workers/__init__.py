"""Runners: the model in this process, or replicas of it in Ray worker processes."""
