"""Answers made elsewhere: files of other programs, read as predictions and scored."""

from chef.scoring.answer_file import score_file
from chef.scoring.answers.reading import read_answers

__all__ = ["read_answers", "score_file"]
