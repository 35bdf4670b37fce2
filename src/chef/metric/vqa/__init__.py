"""Metrics of questions with one right answer: options, yes and no, short answers."""
