"""Answers made elsewhere: reads files of other programs as predictions, and scores them."""

from chef.scoring.answer_file import score_file
from chef.scoring.answers.reading import read_answers

__all__ = ["read_answers", "score_file"]
