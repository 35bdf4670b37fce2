"""Chinese characters, kana and hangul, which no space parts from a letter or a number."""

from __future__ import annotations

import re

#: Chinese characters, kana and hangul, for a character class. No space stands between them and a
#: letter or a number, so they limit a word: in "我选B" the B is a word of its own.
CJK = r"\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
#: A character that would continue a word in an alphabet.
WORD = rf"[^\W{CJK}]"
#: The limits of a word; unlike ``\b`` they also stand between a letter and a Chinese character.
#: Case is not ignored in them because compiling so large a class takes milliseconds otherwise.
BEFORE, AFTER = rf"(?-i:(?<!{WORD}))", rf"(?-i:(?!{WORD}))"
#: The limit before a word, told behind its first character: a pattern that begins with some
#: characters is found much faster than one that begins with a condition.
BEFORE_IT = rf"(?-i:(?<!{WORD}.))"

_IS_CJK = re.compile(f"[{CJK}]")


def is_cjk(char: str) -> bool:
    """Whether a character is Chinese, kana or hangul."""
    return char > "\u2e7f" and _IS_CJK.match(char) is not None


def continues_word(char: str) -> bool:
    """Whether a character would continue a word in an alphabet; False for "".

    >>> continues_word("a"), continues_word("是"), continues_word("")
    (True, False, False)
    """
    return (char.isalnum() or char == "_") and not is_cjk(char)
