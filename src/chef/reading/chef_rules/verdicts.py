"""ChEF's rules for yes and no."""

from __future__ import annotations

from chef.reading.chef_rules.normal import vqa_normal
from chef.reading.chef_rules.words import lamm_words
from chef.reading.text import Reading

_NO = frozenset({"No", "not", "no"})


def token_verdict(answer: str) -> Reading[str]:
    """ChEF's rule for POPE: "no" if the first sentence contains the word No, no or not, else "yes".

    >>> token_verdict("There is no dog. Yes.").value, token_verdict("I know nothing").value
    ('no', 'yes')
    """
    first = answer.partition(".")[0].replace(",", "")
    return Reading("no" if _NO & set(first.split(" ")) else "yes", "token", first)


def substring_verdict(answer: str) -> Reading[str]:
    """ChEF's rule for MME: "yes" or "no", if only one of them occurs, even inside a word.

    An answer that is neither is normalised first, which makes a number of "none".

    >>> substring_verdict("I know").value, substring_verdict("Yes, there is no dog").value
    ('no', None)
    """
    text = answer.lower()
    if text not in {"yes", "no"}:
        text = vqa_normal(text)
    found = [word for word in ("yes", "no") if word in text]
    return Reading(found[0] if len(found) == 1 else None, "substring", answer)


def no_or_not(answer: str) -> Reading[str]:
    """LAMM's rule for smiles: ``-1`` (no smile) if a word is "no" or "not", else ``1``.

    >>> no_or_not("It is not clear.").value, no_or_not("perhaps").value
    ('-1', '1')
    """
    negative = not {"no", "not"}.isdisjoint(lamm_words(answer))
    return Reading("-1" if negative else "1", "no or not")
