"""The words of a caption."""

from __future__ import annotations

import re

#: Words with inner hyphens, clitics ('s) on their own, and each Chinese character by itself.
_TOKEN = re.compile(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+(?:-[^\W\u4e00-\u9fff]+)*|(?<=\w)'\w+")


def tokens(text: str) -> list[str]:
    """Lower-case words without punctuation, close to what the COCO caption server compares.

    >>> tokens("A man's T-shirt, red.")
    ['a', 'man', "'s", 't-shirt', 'red']
    """
    return _TOKEN.findall(text.lower())
