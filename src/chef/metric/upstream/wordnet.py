"""What ChEF's own rules need besides an answer: those of the whole run in order, and WordNet."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from chef.common.boxes import VOC2012
from chef.common.circular import PLACE
from chef.errors import DependencyError
from chef.metric.base import Metric
from chef.metric.chef_answers import NOT_FINITE
from chef.metric.classification.synonyms import synonyms
from chef.metric.records import answer_text, names, scored_choice, turns_of
from chef.reading.rules.chef_options import mmmu_option
from chef.reading.rules.chef_texts import lamm_words
from chef.types import Prediction, Status


class WordNet:
    """WordNet, as far as ChEF's rules use it, by the reader of NLTK's corpus."""

    def __init__(self, reader: Any) -> None:
        from nltk.stem import WordNetLemmatizer

        self._reader, self._lemmatizer = reader, WordNetLemmatizer()

    def senses(self, word: str) -> Sequence[frozenset[str]]:
        """The names of each synset of a word, the commonest sense first."""
        return [frozenset(synset.lemma_names()) for synset in self._reader.synsets(word)]

    def noun(self, word: str) -> str:
        """The shortest noun that a word is a form of; the word itself if there is none."""
        return str(self._lemmatizer.lemmatize(word, "n"))

    def base(self, word: str) -> str:
        """The base form of a word of any kind; the word itself if it is unknown."""
        return str(self._reader.morphy(word) or word)


@cache
def lexicon() -> WordNet:
    """WordNet; raises DependencyError without NLTK's corpus."""
    try:
        from nltk.corpus import wordnet

        wordnet.ensure_loaded()
    except (ImportError, LookupError):
        raise DependencyError(
            "compat: upstream judges classes by WordNet, and its corpus is not installed",
            hint="pip install nltk; python -m nltk.downloader wordnet; or use compat: corrected",
        ) from None
    return WordNet(wordnet)


def require_wordnet(*, scored: bool | None = None) -> None:
    """Raise DependencyError unless WordNet is installed, whatever is scored."""
    del scored
    lexicon()


def classification_acc(label: str, text: str) -> bool:
    """Whether a word of ``text`` is a lemma of any synset of ``label``.

    Words are separated by single spaces and keep their case and punctuation. A label without a
    synset (``diningtable``) is never named. Narrower nouns of a class of VOC2012 ("puppy") count as
    the class too; they are taken from chef's own table of synonyms.

    Raises:
        DependencyError: the WordNet corpus of NLTK is not installed.
    """
    nouns = lexicon()
    words = text.split(" ")
    words += [owner for word in words if (owner := _narrower().get(word))]
    names = frozenset[str]().union(*nouns.senses(label))
    return any(nouns.noun(word) in names for word in words)


def names_first_sense(label: str, text: str) -> bool:
    """LAMM's rule: a word of `lamm_words`, in base form, is ``label`` or of its first synset."""
    nouns = lexicon()
    names = {label, *next(iter(nouns.senses(label)), ())}
    return any(nouns.base(word) in names for word in lamm_words(text))


@cache
def _narrower() -> dict[str, str]:
    return {noun: label for label in VOC2012 for noun in synonyms(label) if " " not in noun}


def stored_text(record: dict[str, Any]) -> str:
    """The answer as ChEF stores it: generated text follows its chain of thought."""
    return answer_text(record) if scored_choice(record) is not None else with_thought(record)


def with_thought(record: dict[str, Any]) -> str:
    """The chain of thought and the answer, which may be a scored option."""
    return f"{record.get('CoT_answer') or ''}{answer_text(record)}"


#: The field of a sample of MMMU for the option that ChEF draws, as it reads none in the answer.
DRAWN = "drawn_choice"
_SEED = 42
_NUMBER = re.compile(r"(\d+)")


def with_any_scores(self: Metric, predictions: Sequence[Prediction]) -> Sequence[Prediction]:
    """The answers of a run, among them options that ChEF chose by scores of NaN."""
    answers: Sequence[Prediction] = self.own_rules.answers_of_run(
        self, [_chosen(prediction) for prediction in predictions]
    )
    return answers


def _chosen(prediction: Prediction) -> Prediction:
    if (prediction.error or {}).get("message") != NOT_FINITE:
        return prediction
    choice, turns = prediction.scores.get("choice"), turns_of(prediction.trace)
    if choice is None and not turns:
        return prediction
    answer: Any = [turn["answer"] for turn in turns]
    if choice is not None:
        answer = prediction.sample["options"][choice]
    return replace(prediction, status=Status.OK, answer=answer, error=None)


def data_order(row: Mapping[str, Any]) -> tuple[int, Sequence[str | int]]:
    """Sorts rows as ChEF meets them: by their places in a file, those of a run by their ids."""
    parts = _NUMBER.split(str(row["id"]))
    return row.get(PLACE, 0), [int(part) if part.isdecimal() else part for part in parts]


def with_draws(self: Metric, predictions: Sequence[Prediction]) -> Sequence[Prediction]:
    """As `with_any_scores`; where no letter is read, with the option that ChEF draws (`DRAWN`).

    One random stream runs through the answers, in the order of the data.
    """
    rng, answers = random.Random(_SEED), with_any_scores(self, predictions)
    ordered = sorted(answers, key=lambda one: data_order({"id": one.sample_id, **one.sample}))
    return [_with_draw(one, rng) for one in ordered]


def _with_draw(prediction: Prediction, rng: random.Random) -> Prediction:
    record = prediction.to_record()
    choices = names(record, "choices")
    is_other = record.get("question_type") == "open" or record.get("choice") is not None
    if prediction.status is not Status.OK or is_other or not choices:
        return prediction
    reading = mmmu_option(stored_text(record), choices, rng)
    drawn = {DRAWN: reading.value} if reading.rule == "random" else {}
    return replace(prediction, sample={**prediction.sample, **drawn})
