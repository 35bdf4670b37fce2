"""Changes of whole words: small letters, contractions, synonyms, words and sentences more."""

from __future__ import annotations

import random
import re
from typing import ClassVar

from chef.errors import DependencyError
from chef.method.wording.base import ByRate, Reworded, cased, tables, words


class Lowercase(Reworded):
    """All letters are small; marks of images stay.

    Args:
        method_id, seed: as for `Reworded`; nothing is drawn at random.
    """

    level, title = "basic", "lowercase"

    def reworded(self, text: str, rng: random.Random) -> str:
        del rng
        return re.sub(r"<[^<>]*>|[^<]+|<", lambda part: _small(part[0]), text)


def _small(part: str) -> str:
    return part if part.startswith("<") and part.endswith(">") else part.lower()


class Contraction(Reworded):
    """``is not`` becomes ``isn't``, ``what is`` becomes ``what's``, and so on.

    Args:
        method_id, seed: as for `Reworded`; nothing is drawn at random.
    """

    level, title = "basic", "contraction"
    #: Whether it is the other way round.
    expands: ClassVar[bool] = False

    def reworded(self, text: str, rng: random.Random) -> str:
        del rng
        pairs = {short: long for long, short in tables()["contractions"].items()}
        if not self.expands:
            pairs = {long: short for short, long in pairs.items()}
        either = "|".join(map(re.escape, sorted(pairs, key=len, reverse=True)))
        pattern = re.compile(rf"\b(?:{either})\b(?!['’])", re.IGNORECASE)
        return pattern.sub(lambda match: cased(match[0], pairs[match[0].lower()]), text)


class Expansion(Contraction):
    """``isn't`` becomes ``is not``, and so on.

    Args:
        method_id, seed: as for `Reworded`; nothing is drawn at random.
    """

    title = "expansion"
    expands = True


class SwapSynonym(ByRate):
    """Words become synonyms of theirs, of NLTK's WordNet.

    Args:
        method_id, severity, seed: as for `ByRate`.
    """

    level, title = "word", "swap_syn"

    def other(self, word: str, rng: random.Random) -> str | None:
        near = [other for other in synonyms(word.lower()) if other.lower() != word.lower()]
        return cased(word, rng.choice(near)) if near else None

    def fingerprint(self) -> str:
        synonyms("color")
        return ""


def synonyms(word: str) -> list[str]:
    """The words (no phrases) of the most frequent sense in WordNet of a word that has several."""
    try:
        from nltk.corpus import wordnet

        senses = wordnet.synsets(word)
    except (ImportError, LookupError):
        raise DependencyError(
            "synonyms are those of WordNet, and NLTK's corpus of it is not installed",
            hint="pip install nltk; python -m nltk.downloader wordnet; or use another method",
        ) from None
    for sense in senses:
        names = [name for name in sense.lemma_names() if name.isalpha() and name.lower() != word]
        if names:
            return sorted(names)
    return []


class InsertAdverb(Reworded):
    """An adverb is put before the first verb, of those that questions use.

    Args:
        method_id, seed: as for `Reworded`.
    """

    level, title = "word", "insert_adv"

    def reworded(self, text: str, rng: random.Random) -> str:
        adverb = rng.choice(tables()["adverbs"])
        for word in words(text):
            if word[0].lower() in tables()["verbs"]:
                first, rest = text[: word.start()], text[word.start() :]
                if first.strip():
                    return f"{first}{adverb} {rest}"
                return f"{cased(rest, adverb)} {rest[0].lower()}{rest[1:]}"
        return text


class AppendIrrelevant(Reworded):
    """A sentence that has nothing to do with the question is put before or after it.

    Args:
        method_id, seed: as for `Reworded`.
    """

    level, title = "word", "append_irr"

    def reworded(self, text: str, rng: random.Random) -> str:
        sentence = rng.choice(tables()["irrelevant"])
        return f"{sentence} {text}" if rng.random() < 0.5 else f"{text} {sentence}"
