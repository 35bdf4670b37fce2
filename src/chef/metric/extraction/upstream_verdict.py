"""ChEF's own ways of reading yes and no, kept to compare with its results."""

from __future__ import annotations

import re

from chef.metric.extraction.text import Extraction

_NO = frozenset({"No", "not", "no"})


def token_verdict(answer: str) -> Extraction[str]:
    """ChEF's rule for POPE: no if the first sentence has the word No, no or not, else yes.

    >>> token_verdict("There is no dog. Yes.").value, token_verdict("I know nothing").value
    ('no', 'yes')
    """
    first = answer.partition(".")[0].replace(",", "")
    return Extraction("no" if _NO & set(first.split(" ")) else "yes", "token", first)


def substring_verdict(answer: str) -> Extraction[str]:
    """ChEF's rule for MME: the one of "yes" and "no" that occurs, inside a word or not.

    >>> substring_verdict("I know").value, substring_verdict("Yes, there is no dog").value
    ('no', None)
    """
    # ChEF turns number words into digits first, so that "none" is no "no".
    text = re.sub(r"\bnone\b", "0", answer.lower())
    said = [word for word in ("yes", "no") if word in text]
    return Extraction(said[0] if len(said) == 1 else None, "substring", answer)
