"""Free answers against references: exact match, VQA accuracy, ANLS, relaxed accuracy."""

from __future__ import annotations

import re
import unicodedata
from abc import abstractmethod
from typing import Any

from chef.errors import ConfigError
from chef.metric.records import answer_text, required_texts, scored_entry
from chef.metric.vqa.accuracy import MeanMetric
from chef.reading.excerpt import excerpt
from chef.reading.leaks import answer_body, before_next_question
from chef.reading.number_words import UNITS
from chef.reading.patterns import words
from chef.reading.quantities import quantity
from chef.reading.text import POLICY, Reading
from chef.reading.units import units_named


class OpenAnswerMetric(MeanMetric):
    """The mean score of free answers; a subclass says how one answer is scored.

    The whole text of an answer is compared, except for its chain of thought in tags and for turns
    that the model invents: these measures expect short answers, and ask for them.
    """

    needs_options = False
    policy = POLICY
    #: How answers are compared, as the table and the results say it.
    compared: str = ""

    @abstractmethod
    def score(self, answer: str, references: list[str]) -> float:
        """The score of an answer, 0 to 1; there is at least one reference."""

    def score_record(
        self,
        record: dict[str, Any],  # noqa: ARG002
        answer: str,
        references: list[str],
    ) -> float:
        """The score of an answer where it depends on more of the record than the references."""
        return self.score(answer, references)

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the score, 0 to 1; ``parsed`` is the text that was compared."""
        references = required_texts(record)
        text = before_next_question(answer_body(excerpt(answer_text(record)))).strip()
        found: Reading[str] = Reading(text or None, "text" if text else "none", text)
        score = self.score_record(record, text, references) if text else 0.0
        return {**scored_entry(found, right=score > 0), "metric_result": score}

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {**super().metric_func(answers), "open_answers": self.compared}


_BARE_ARTICLES = re.compile(r"\b(?:an?|the)\b(?=\s)")
#: Punctuation; what belongs to a number stays: "12.5", "10:30", "-2".
_SIGNS = re.compile(r"(?P<kept>(?<=\d)[.,:/-](?=\d)|(?<!\w)[-.](?=\d))|[^\w\s+%$€£°]")
#: Apostrophes and the full stops of "U.S." stand inside of words; other signs between words.
_INSIDE = re.compile(r"['’]|(?<=\b[^\W\d_])\.")


class ExactMatch(OpenAnswerMetric):
    """Share of free answers that equal a reference.

    Case, punctuation, articles and blanks do not count (after Rajpurkar et al. 2016, "SQuAD";
    there "t-shirt" is not "t shirt", here it is).

    Metrics:
        ``exact_match``: in % of all scored.
    """

    primary = mean_figure = "exact_match"
    compared = "right where they equal a reference, up to case, articles and punctuation"

    def score(self, answer: str, references: list[str]) -> float:
        """1 or 0."""
        return float(plain(answer) in {plain(reference) for reference in references})


def plain(text: str) -> str:
    """A text in lower case without punctuation and articles.

    >>> plain(" The Eiffel-Tower! "), plain("12.5"), plain("U.S."), plain("?")
    ('eiffel tower', '12.5', 'us', '?')
    """
    lowered = unicodedata.normalize("NFKC", text).casefold()
    spaced = _SIGNS.sub(_blank, _INSIDE.sub("", lowered))
    bare = " ".join(_BARE_ARTICLES.sub(" ", spaced).split())
    return bare or lowered.strip()


def _blank(match: re.Match[str]) -> str:
    return match["kept"] or " "


_NUMBERS = {"none": "0", "zero": "0", "ten": "10", **{word: str(n) for word, n in UNITS.items()}}
_ARTICLES = words("a an the")
#: Contractions that are no words of their own without the apostrophe.
_CONTRACTIONS = words(
    """
    ain't aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mightn't mustn't
    needn't shouldn't wasn't weren't won't wouldn't could've might've must've should've would've
    i'm i've you'd you'll you're you've he'd he's it'd it'll they'd they'll they're they've she's
    we've that's that'd there's here's where's what's who's who'd who'll how's when's why's let's
    y'all o'clock ma'am
    """
)
_APOSTROPHES = {word.replace("'", ""): word for word in _CONTRACTIONS}
#: Full stops that are no decimal points: ".5" has one.
_FULL_STOP = re.compile(r"\.(?!\d)|(?<=[^\W\d])\.(?=\d)")
_DIGIT_COMMA = re.compile(r"(?<=\d),(?=\d)")
_PUNCTUATION = re.compile(r"[^\w\s':.]")


class VQAAccuracy(OpenAnswerMetric):
    """VQA accuracy of free answers: ``min(1, annotators who gave the answer / 3)``.

    The score is the mean over all subsets that leave one annotator out (Antol et al. 2015, "VQA";
    Goyal et al. 2017, "Making the V in VQA Matter"). Answers and references are normalised as the
    authors describe: lower case, number words as digits, no articles, no full stops except decimal
    points, apostrophes added to contractions, other punctuation replaced by a blank.

    Metrics:
        ``vqa_accuracy``: the mean, in %.

    With fewer than four references, all of the others have to agree; a single reference gives 1
    or 0.

    Args:
        dataset_name: the name of the scenario.
        leave_one_out: take the mean over these subsets. False: compare with all references at
            once, ``min(1, annotators who gave the answer / 3)``, which is up to 1/10 more.
    """

    primary = mean_figure = "vqa_accuracy"
    compared = "by how many annotators gave them (VQA accuracy)"

    def __init__(self, dataset_name: str = "", *, leave_one_out: bool = True) -> None:
        super().__init__(dataset_name)
        self.leave_one_out = leave_one_out

    def score(self, answer: str, references: list[str]) -> float:
        """0 to 1."""
        given = normalised(answer)
        agrees = [normalised(reference) == given for reference in references]
        return (
            soft_score(agrees)
            if self.leave_one_out
            else min(1.0, sum(agrees) / min(3, len(agrees)))
        )


def soft_score(agrees: list[bool]) -> float:
    """The score of an answer, by whether each annotator gave it.

    >>> [round(soft_score([True] * k + [False] * (10 - k)), 2) for k in range(5)]
    [0.0, 0.3, 0.6, 0.9, 1.0]
    """
    count, total = len(agrees), sum(agrees)
    if count == 1:
        return float(total)
    enough = min(3, count - 1)
    return sum(min(1.0, (total - own) / enough) for own in agrees) / count


def normalised(text: str) -> str:
    """A text as VQA accuracy compares it.

    >>> normalised("The two dogs, dont run."), normalised("1,200.5 m"), normalised(".5")
    ("2 dogs don't run", '1200.5 m', '.5')
    """
    lowered = _DIGIT_COMMA.sub("", text.replace("’", "'").lower())
    spaced = _PUNCTUATION.sub(" ", _FULL_STOP.sub("", lowered))
    kept = [word for word in spaced.split() if word not in _ARTICLES]
    return " ".join(_APOSTROPHES.get(word, _NUMBERS.get(word, word)) for word in kept)


class ANLS(OpenAnswerMetric):
    """Average normalised Levenshtein similarity of free answers.

    ``1 - d / max(length)`` with the edit distance ``d`` to the most similar reference, and 0 where
    ``d / max(length)`` is above the threshold (Biten et al. 2019, "Scene Text Visual Question
    Answering"; a distance at the threshold counts, as in DocVQA's own evaluation). Case does not
    count, and several blanks or line breaks are one blank.

    Metrics:
        ``ANLS``: the mean, in %.

    Args:
        dataset_name: the name of the scenario.
        threshold: larger normalised distances score 0; in (0, 1].
    """

    primary = mean_figure = "ANLS"

    def __init__(self, dataset_name: str = "", *, threshold: float = 0.5) -> None:
        super().__init__(dataset_name)
        if not 0 < threshold <= 1:
            raise ConfigError(
                f"the threshold of ANLS is {threshold}", hint="choose a number above 0, at most 1"
            )
        self.threshold = threshold
        self.compared = f"by edit distance (ANLS, threshold {threshold:g})"

    def score(self, answer: str, references: list[str]) -> float:
        """The similarity to the most similar reference, 0 to 1."""
        return max(self._similarity(answer, reference) for reference in references)

    def _similarity(self, answer: str, reference: str) -> float:
        one, two = (" ".join(text.lower().split()) for text in (answer, reference))
        distance = levenshtein(one, two) / max(len(one), len(two), 1)
        return 1 - distance if distance <= self.threshold else 0.0


def levenshtein(one: str, two: str) -> int:
    """The least number of characters to insert, delete or replace to make one text of the other.

    >>> levenshtein("kitten", "sitting")
    3
    """
    row = list(range(len(two) + 1))
    for place, char in enumerate(one, 1):
        previous, row[0] = row[0], place
        for column, other in enumerate(two, 1):
            best = min(row[column] + 1, row[column - 1] + 1, previous + (char != other))
            previous, row[column] = row[column], best
    return row[-1]


#: How far off a number may be, as a share of the true one.
TOLERANCE = 0.05
_PERCENT = units_named("percent")


class RelaxedAccuracy(OpenAnswerMetric):
    """Share of free answers that equal a reference, where numbers may be 5 % off.

    A number is compared with a number: ``|answer - reference| <= 0.05 |reference|``; other texts
    have to be equal, up to case (Methani et al. 2020, "PlotQA"; Masry et al. 2022, "ChartQA").
    Numbers may be written in any form ("1,200", "12.5 %", "$5"); units must not contradict, and a
    percentage may be written as a share ("0.125").

    Metrics:
        ``relaxed_accuracy``: in % of all scored.
    """

    primary = mean_figure = "relaxed_accuracy"
    compared = "right where they equal a reference; numbers may be 5 % off (relaxed accuracy)"

    def score(self, answer: str, references: list[str]) -> float:
        """1 or 0."""
        return float(any(is_close(answer, reference) for reference in references))


def is_close(answer: str, reference: str) -> bool:
    """Whether an answer equals a reference, numbers up to 5 %.

    >>> is_close("104", "100"), is_close("106", "100"), is_close("Red", "red")
    (True, False, True)
    """
    if answer.strip().lower() == reference.strip().lower():
        return True
    given, wanted = quantity(answer), quantity(reference)
    if given is None or wanted is None:
        return False
    if given.units and wanted.units and not given.units & wanted.units:
        return False
    values = [given.value]
    if _PERCENT & given.units and not wanted.units:
        values.append(given.value / 100)
    if _PERCENT & wanted.units and not given.units:
        values.append(given.value * 100)
    # The error of a decimal in floating point must not exclude the limit itself.
    slack = 1e-9 * abs(wanted.value)
    error = min(abs(value - wanted.value) for value in values)
    return error <= TOLERANCE * abs(wanted.value) + slack
