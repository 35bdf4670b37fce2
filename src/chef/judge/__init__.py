"""Judges: models that are asked about the answers of a run, between its predictions and scores."""
