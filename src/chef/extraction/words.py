"""Split captions into words."""

from __future__ import annotations

import re

#: Words with inner hyphens; clitics ('s) and Chinese characters are separate words.
_TOKEN = re.compile(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+(?:-[^\W\u4e00-\u9fff]+)*|(?<=\w)'\w+")


def tokens(text: str) -> list[str]:
    """Lower-case words without punctuation, similar to those of the COCO caption server.

    >>> tokens("A man's T-shirt, red.")
    ['a', 'man', "'s", 't-shirt', 'red']
    """
    return _TOKEN.findall(text.lower())
