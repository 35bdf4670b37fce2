"""The normalisation of free answers in the VQA benchmark (Antol et al. 2015), as others copied it.

ChEF and VLMEvalKit differ in which full stops go, and in what a comma between digits does.
"""

from __future__ import annotations

import re

_SIGNS = ';/[]{}()"=+\\_-<>@`,?!'
#: Full stops that go: in ChEF those before no digit, for the half of its pattern that looks back is
#: misspelt; in VLMEvalKit only those that also stand behind no digit.
_STOP_OF_CHEF = re.compile(r"\.(?!\d)")
_STOP_OF_VLMEVALKIT = re.compile(r"(?<!\d)\.(?!\d)")
_DIGIT_COMMA = re.compile(r"\d,\d")
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


_CONTRACTIONS = {
    **{wrong: word for word in _CONTRACTED for wrong in _misspelt(word)},
    "somebody'd": "somebodyd",  # the benchmark's table has it the other way round
}


def chef_normal(text: str) -> str:
    """ChEF's form of an answer: `plain_words` of `without_signs`.

    >>> chef_normal("The dog-like thing has Two legs."), chef_normal("a dog-like - thing of 3.")
    ('dog like thing has 2 legs', 'doglike thing of 3')
    """
    return plain_words(without_signs(text.replace("\n", " ").replace("\t", " ").strip()))


def without_signs(text: str) -> str:
    """A text without most punctuation, as ChEF removes it.

    A sign that touches a space anywhere in the text is removed everywhere, otherwise it becomes a
    space: "dog-like" is two words, but one in "a dog-like - thing". At most 32 full stops that
    stand before no digit are removed.

    >>> without_signs("dog-like."), without_signs("a dog-like - thing")
    ('dog like', 'a doglike  thing')
    """
    return _STOP_OF_CHEF.sub("", _without_signs(text), count=_MOST_STOPS)


def process_punctuation(text: str) -> str:
    """VLMEvalKit's removal of signs, as in `chef_normal`; colons and asterisks are none of them.

    With a comma between digits every sign is removed, as in the benchmark. At most 32 full stops
    that stand neither before nor behind a digit are removed: "3." keeps its own.

    >>> [process_punctuation(text) for text in ("no-one.", "1,000 dog-like", "3.")]
    ['no one', '1000 doglike', '3.']
    """
    bare = _without_signs(text, all_removed=_DIGIT_COMMA.search(text) is not None)
    return _STOP_OF_VLMEVALKIT.sub("", bare, count=_MOST_STOPS)


def process_answer(answer: object) -> str:
    """VLMEvalKit's form of an answer or a reference: `plain_words` of `process_punctuation`.

    Values that are no texts are read as they are printed.

    >>> process_answer("The two dogs, dont run."), process_answer("a"), process_answer("None")
    ("2 dogs don't run", '', '0')
    """
    text = str(answer).replace("\n", " ").replace("\t", " ").strip()
    return plain_words(process_punctuation(text))


def plain_words(text: str) -> str:
    """``text`` in lower case, without articles; number words are digits, contractions have their '.

    >>> plain_words("The dogs dont have Two legs")
    "dogs don't have 2 legs"
    """
    words = (_DIGITS.get(word, word) for word in text.lower().split())
    return " ".join(_CONTRACTIONS.get(word, word) for word in words if word not in _ARTICLES)


def _without_signs(text: str, *, all_removed: bool = False) -> str:
    bare = text
    for sign in _SIGNS:
        touches = f"{sign} " in text or f" {sign}" in text
        bare = bare.replace(sign, "" if touches or all_removed else " ")
    return bare
