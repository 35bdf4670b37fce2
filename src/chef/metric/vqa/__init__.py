"""Metrics of questions with one correct answer: options, yes or no, short answers."""
