"""Captions, words in images and counts by ChEF's own rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from chef.errors import DependencyError
from chef.metric import counting
from chef.metric.caption import caption
from chef.metric.caption.caption import mean_percentage
from chef.metric.caption.overlap import sentence_bleu
from chef.metric.classification import ocr
from chef.metric.classification.ocr import score_words, true_words
from chef.metric.records import names, references_of
from chef.metric.upstream.stored import stored_text
from chef.reading.rules.chef_texts import first_number, quoted_by_any
from chef.reading.text import Reading
from chef.stats.estimate import Estimate

Record = dict[str, Any]


class Caption(caption.Caption):
    """``BLEU4`` and ``Rouge``: reasoning is part of the caption, and apostrophes quote too.

    Both are 0 to 100, the mean over images of the best value of these candidates: the caption, the
    text it quotes (`quoted_by_any`), and the sentences of that text. ``BLEU4`` is sentence BLEU-4,
    unsmoothed, of words that are separated by spaces and compared with case and punctuation;
    ``Rouge`` is that of the package ``rouge`` (`package_rouge_l`). They replace ``Bleu_1`` ..
    ``Bleu_4`` and ``ROUGE_L``; ``CIDEr`` and the metrics of objects are those of the corrected
    class. A chosen caption is correct if it is equal to a reference.
    """

    primary = "BLEU4"
    policy = "ChEF quotes"

    def require(self, *, scored: bool | None) -> None:
        if not scored:
            require_rouge()

    def is_right_caption(self, record: Record, choice: int, right: set[int]) -> bool:  # noqa: ARG002
        """Whether the chosen caption is equal to a reference."""
        options = names(record, "options") or names(record, "choices")
        return options[choice] in map(str, references_of(record))

    def _candidates(self, record: Record) -> list[str]:
        """The texts of which the best one counts; blank ones are compared too, as in ChEF."""
        answer = stored_text(record)
        quotes = quoted_by_any(answer)
        return [answer, quotes, *quotes.split(".")]

    def score_text(self, record: Record) -> Record:
        """The findings of the corrected class, and ``bleu4`` and ``rouge``, in 0..1."""
        texts, references = self._candidates(record), [str(item) for item in references_of(record)]
        bare = [item.replace(".", "").split() for item in references]
        bleu = (sentence_bleu(text.split(), bare) for text in texts)
        rouge = (package_rouge_l(text, references) for text in texts)
        best = {"bleu4": max(bleu, default=0.0), "rouge": max(rouge, default=0.0)}
        return {**super().score_text(record), **best}

    def text_metrics(self, answers: list[Record]) -> dict[str, Estimate]:
        return {
            "BLEU4": mean_percentage(answers, "bleu4"),
            "Rouge": mean_percentage(answers, "rouge"),
            "CIDEr": super().text_metrics(answers)["CIDEr"],
        }


class SVTOCR(ocr.SVTOCR):
    """Apostrophes quote too (`quoted_by_any`), and punctuation is part of a word.

    The answer and the words of the image are compared in lower case.
    """

    policy = "ChEF quotes"

    def score_sample(self, record: Record) -> Record:
        """``metric_result`` is the share, 0 to 1; ``parsed`` lists the words of the answer."""
        text = quoted_by_any(stored_text(record))
        wanted = [word.lower() for word in true_words(record)]
        return score_words(wanted, text.lower().split(), text)


class Counting(counting.Counting):
    """A count is the `first_number` of the text, or 0 if there is none; ``MAE`` is capped.

    The texts of scored options are read in the same way. ``MAE`` is the ``MAE_capped`` of the
    corrected class: each error is at most the true count.
    """

    policy = "ChEF numbers"

    def read(self, record: Record) -> Reading[float]:
        return first_number(stored_text(record))

    def metric_func(self, answers: list[Record]) -> Record:
        values = super().metric_func(answers)
        capped = values.pop("MAE_capped")
        return {**values, "MAE": capped}


#: The version that ChEF uses; others compute other values.
VERSION = "1.0.1"


def require_rouge() -> None:
    """Check that the package is installed, in the version that ChEF uses.

    Raises:
        DependencyError: it is not.
    """
    try:
        installed = version("rouge")
    except PackageNotFoundError:
        installed = None
    if installed != VERSION:
        state = "is not installed" if installed is None else f"is version {installed}"
        raise DependencyError(
            f"compat: upstream computes Rouge by the package rouge {VERSION}, which {state}",
            hint=f"pip install rouge=={VERSION}, or use compat: corrected",
        )


def package_rouge_l(candidate: str, references: Sequence[str]) -> float:
    """The F1 with the best reference, in 0..1; 0 for texts without words.

    Words are separated by spaces, sentences by full stops, and case counts. Each word of a text
    counts once. The common words are those of the longest common subsequences of all pairs of
    sentences together.

    Raises:
        DependencyError: see `require_rouge`.
    """
    texts = [item for item in references if item.strip(".")]
    if not candidate.strip("."):
        return 0.0
    scores = (_scorer().get_scores(candidate, text)[0]["rouge-l"]["f"] for text in texts)
    return max(map(float, scores), default=0.0)


@cache
def _scorer() -> Any:
    require_rouge()
    from rouge import Rouge

    return Rouge(metrics=["rouge-l"])
