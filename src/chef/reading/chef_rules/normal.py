"""The normalisation of answers in ChEF, which is that of the VQA benchmark (Antol et al. 2015)."""

from __future__ import annotations

from chef.reading.vqa_benchmark import plain_words, without_signs


def vqa_normal(text: str) -> str:
    """``text`` in lower case, without articles, most punctuation and number words.

    A sign that touches a space anywhere in the text is removed everywhere, otherwise it becomes a
    space: "dog-like" is two words, but one in "a dog-like - thing".

    >>> vqa_normal("The dog-like thing has Two legs."), vqa_normal("a dog-like - thing")
    ('dog like thing has 2 legs', 'doglike thing')
    """
    text = text.replace("\n", " ").replace("\t", " ").strip()
    return plain_words(without_signs(text))
