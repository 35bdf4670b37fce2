"""Answers made elsewhere: files of other programs, read as predictions; see `answer_file`."""

from chef.scoring.answers.reading import read_answers

__all__ = ["read_answers"]
