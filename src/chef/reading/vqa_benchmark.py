"""The normalisation of free answers in the VQA benchmark (Antol et al. 2015), in its two steps."""

from __future__ import annotations

import re

_SIGNS = ';/[]{}()"=+\\_-<>@`,?!'
_FULL_STOP = re.compile(r"\.(?!\d)")
#: The number of full stops that are removed: a flag stands in the place
#: of this number in the benchmark's code, and in what was built on it.
_MOST_STOPS = 32
_ARTICLES = frozenset({"a", "an", "the"})
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DIGITS = {"none": "0", **{word: str(number) for number, word in enumerate(_NUMBERS)}}
_CONTRACTED = """
    ain't aren't can't could've couldn't couldn't've didn't doesn't don't hadn't hadn't've hasn't
    haven't he'd he'd've he's how'd how'll how's isn't it'd it'd've it'll ma'am mightn't mightn't've
    might've mustn't must've needn't not've o'clock oughtn't 'ow's'at shan't she'd've should've
    shouldn't shouldn't've somebody'd've somebody'll somebody's someone'd someone'd've someone'll
    someone's something'd something'd've something'll that's there'd there'd've there're there's
    they'd they'd've they'll they're they've 'twas wasn't we'd've we've weren't what'll what're
    what's what've when's where'd where's where've who'd who'd've who'll who's who've why'll why're
    why's won't would've wouldn't wouldn't've y'all y'all'll y'all'd've you'd you'd've you'll you're
    you've
""".split()  # noqa: SIM905 (a table in words is easier to read)


def _misspelt(word: str) -> list[str]:
    """``word`` without one of its apostrophes."""
    places = [place for place, sign in enumerate(word) if sign == "'"]
    return [word[:place] + word[place + 1 :] for place in places]


_CONTRACTIONS = {wrong: word for word in _CONTRACTED for wrong in _misspelt(word)}
#: The benchmark's table has this one the other way round.
_CONTRACTIONS["somebody'd"] = "somebodyd"


def without_signs(text: str, *, all_removed: bool = False) -> str:
    """``text`` without most punctuation.

    A sign that touches a space anywhere in the text is removed everywhere, otherwise it becomes a
    space: "dog-like" is two words, but one in "a dog-like - thing". At most 32 full stops that
    stand before no digit are removed.

    Args:
        text: the text.
        all_removed: remove every sign, whatever it touches.

    >>> without_signs("dog-like."), without_signs("a dog-like - thing")
    ('dog like', 'a doglike  thing')
    """
    bare = text
    for sign in _SIGNS:
        touches = f"{sign} " in text or f" {sign}" in text
        bare = bare.replace(sign, "" if touches or all_removed else " ")
    return _FULL_STOP.sub("", bare, count=_MOST_STOPS)


def plain_words(text: str) -> str:
    """``text`` in lower case, without articles; number words are digits, contractions have their '.

    >>> plain_words("The dogs dont have Two legs")
    "dogs don't have 2 legs"
    """
    words = (_DIGITS.get(word, word) for word in text.lower().split())
    return " ".join(_CONTRACTIONS.get(word, word) for word in words if word not in _ARTICLES)
