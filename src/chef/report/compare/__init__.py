"""Runs compared with each other on the samples that they share."""
