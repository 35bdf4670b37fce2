"""VQA accuracy: an answer counts by how many of ten annotators gave it."""

from __future__ import annotations

import re

from chef.metric.vqa.open.base import OpenAnswerMetric
from chef.reading.number_words import UNITS
from chef.reading.patterns import words

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
    """The score of an answer that some annotators gave.

    Args:
        agrees: for each annotator whether it is the answer that he or she gave.

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
