"""Answers made elsewhere: files of other programs, read as predictions and scored."""

from chef.answers.reading import read_answers
from chef.answers.scoring import score_file

__all__ = ["read_answers", "score_file"]
