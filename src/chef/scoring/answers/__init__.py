"""Answers made elsewhere, read into predictions: those of chef, ChEF and VLMEvalKit."""
