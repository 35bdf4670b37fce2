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
_CJK_RUN = re.compile(f"[{CJK}]+")
#: What may stand before a word of Chinese characters without being a part of it.
_CJK_BEFORE = frozenset(
    "是为为有在的了着和与跟及或个只隻匹头条張张本把辆輛台架艘朵棵座位名件块片支枝根颗粒瓶杯盏份种這这那该此"
    "大小黑白红紅黄蓝藍绿綠灰老新好长短高低男女叫看见到养像抱骑拿吃喝、，。は、の：:"
)
#: What may stand after a word of one Chinese character.
_CJK_AFTER = frozenset("的了在是和与跟及或吗呢吧咪子儿兒正也都就而。，、")


def is_cjk(char: str) -> bool:
    """Whether a character is Chinese, kana or hangul."""
    return char > "\u2e7f" and _IS_CJK.match(char) is not None


def continues_word(char: str) -> bool:
    """Whether a character would continue a word in an alphabet; False for "".

    >>> continues_word("a"), continues_word("是"), continues_word("")
    (True, False, False)
    """
    return (char.isalnum() or char == "_") and not is_cjk(char)


def limits_cjk(text: str, span: tuple[int, int]) -> bool:
    """Whether a word of Chinese characters is no part of a longer one, as 猫 in 熊猫.

    >>> limits_cjk("一只熊猫", (3, 4)), limits_cjk("一只猫", (2, 3))
    (False, True)
    """
    start, end = span
    word = text[start:end]
    if not _CJK_RUN.fullmatch(word):
        return True
    if (
        len(word) == 1
        and "\u4e00" <= text[end : end + 1] <= "\u9fff"
        and text[end] not in _CJK_AFTER
    ):
        return False
    before = text[start - 1] if start else ""
    if not "\u4e00" <= before <= "\u9fff" or before in _CJK_BEFORE:
        return True
    # 京都 in 東京都
    return len(word) > 1 and before not in "東东西南北"
