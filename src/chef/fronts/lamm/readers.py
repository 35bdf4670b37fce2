"""ChEF's functions that read answers and compare boxes (``metric.utils``, ``vqa``, ``mmmu_utils``).

They follow ChEF's own rules, as ``compat: upstream`` does.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from chef.common.boxes import VOC2012, iou
from chef.metric.classification.synonyms import synonyms
from chef.metric.upstream import wordnet
from chef.reading.rules.chef_boxes import boxes_in, listed_numbers, patch_boxes, points_in
from chef.reading.rules.chef_options import cascade, mmmu_option
from chef.reading.rules.chef_texts import first_number, given_as, open_forms, quoted_by_any
from chef.reading.rules.vqa_normal import chef_normal, plain_words, without_signs

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: The letters that ChEF's rule for options knows.
_KNOWN = "ABCDEFG"
#: What `parse_multi_choice_response` draws from: ChEF's stream, as it is after an import.
_DRAWS = random.Random(42)
#: The class of VOC2012 that each further noun stands for.
voc_syndict: Mapping[str, str] = {
    noun: label for label in VOC2012 for noun in synonyms(label) if " " not in noun
}


class Cleaner:
    """The normal form of answers of the VQA benchmark (Antol et al. 2015)."""

    def clean(self, answer: str) -> str:
        """The answer in lower case, without articles and most punctuation, numbers as digits.

        >>> Cleaner().clean("The dog has Two legs.")
        'dog has 2 legs'
        """
        return chef_normal(answer)

    def processPunctuation(self, inText: str) -> str:  # noqa: N802, N803 (ChEF's names)
        """The text without most punctuation."""
        return without_signs(inText)

    def processDigitArticle(self, inText: str) -> str:  # noqa: N802, N803 (ChEF's names)
        """The text in lower case, without articles, its number words as digits."""
        return plain_words(inText)


class Answer_Extractor:  # noqa: N801 (ChEF's name)
    """The option that an answer names; no letter with ``content_only``, where options are texts."""

    def __init__(self, content_only: bool = False) -> None:
        self.content_only = content_only

    def fetch_answer(self, answer: str, choices: Sequence[str]) -> tuple[str | None, int, int]:
        """The letter of the option, whether a letter decided, and whether the rest of the rule did.

        Returns:
            A letter or None; 1 or 0; 1 or 0. An answer that names no option is ``(None, 0, 1)``.

        >>> Answer_Extractor().fetch_answer("(B)", ["cat", "dog"])
        ('B', 1, 0)
        """
        found = cascade(answer, list(choices), known=_KNOWN, content_only=self.content_only)
        letter = None if found.value is None else _LETTERS[found.value]
        is_letter = found.rule == "option"
        return letter, int(is_letter), int(not is_letter)

    def preprocess_text(self, answer: str) -> str:
        """The text of the model's own turn; of a text with a marked letter ``(X)`` alone."""
        text = answer.partition("###")[0].rpartition("Assistant:")[2].strip()
        marked = re.search(r"([A-Z])\.", text) or re.search(r"\(([A-Z])", text)
        return f"({marked[1]})" if marked else text

    def infer_option(self, answer: str) -> str | None:
        """The only letter that the answer has in one of the forms of an option; else None."""
        found = cascade(answer, [], known=_KNOWN)
        return _LETTERS[found.value] if found.value is not None else None

    def infer_text(self, answer: str, choices: Sequence[str]) -> str | None:
        """The letter of the only option whose text the answer has; else None."""
        found = cascade(answer, list(choices), known=_KNOWN, content_only=True)
        return None if found.value is None else _LETTERS[found.value]


def classification_acc(gt_text: str, pred_text: str, syn_judge: bool = True) -> bool:
    """Whether a normalised text names a class, or with ``syn_judge`` a synonym in WordNet."""
    if not syn_judge:
        return gt_text in pred_text.split(" ")
    return wordnet.classification_acc(gt_text, pred_text)


def parse_caption_sentence(text: str) -> str:
    """What stands in quotation marks, joined by ``". "``; without any the whole text."""
    return quoted_by_any(text)


def ennum2numerical(text: str) -> int:
    """The first word that is a number in digits or letters; 0 where none is.

    >>> ennum2numerical("there are three dogs")
    3
    """
    return int(first_number(text).value or 0)


def parse_bbox(text: str) -> list[list[float]]:
    """Every four numbers of a text as a box ``[x1, y1, x2, y2]``.

    >>> parse_bbox("a dog [0.1, 0.2, 0.5, 0.6]")
    [[0.1, 0.2, 0.5, 0.6]]
    """
    return [list(box) for box in boxes_in(text)]


def parse_bbox_3d(text: str) -> list[list[float]]:
    """Every six numbers of a text as a box: its centre, then its sizes."""
    numbers = listed_numbers(text)
    return [numbers[start : start + 6] for start in range(0, len(numbers) - 5, 6)]


def parse_keypoints(text: str) -> list[list[float]]:
    """Every two numbers of a text as a point ``[x, y]``."""
    return [list(point) for point in points_in(text)]


def parse_kosmos_bbox(text: str) -> list[list[float]]:
    """The boxes that Kosmos-2 writes by the numbers of patches, in 0..1."""
    return [list(box) for box in patch_boxes(text)]


def parse_multi_choice_response(
    response: str, all_choices: Sequence[str], index2ans: Mapping[str, str]
) -> str:
    """The letter that a reply to a question of MMMU chose; if none, the next one drawn."""
    texts = [str(index2ans[letter]) for letter in all_choices]
    found = mmmu_option(response, texts, _DRAWS)
    assert found.value is not None
    return all_choices[found.value]


def parse_open_response(response: str) -> list[str | float]:
    """What `eval_open` compares of a reply: its texts and numbers, normalised."""
    return open_forms(str(response))


def eval_multi_choice(gold_i: str | Sequence[str], pred_i: str) -> bool:
    """Whether a letter is the right one, or one of several that are."""
    return pred_i == gold_i if isinstance(gold_i, str) else pred_i in gold_i


def eval_open(gold_i: str | Sequence[str], pred_i: Sequence[object]) -> bool:
    """Whether a normalised text contains an accepted answer, or a number equals it.

    >>> eval_open("5", parse_open_response("So the result is 5.0"))
    True
    """
    references = [gold_i] if isinstance(gold_i, str) else [str(item) for item in gold_i]
    return any(given_as(reference, pred_i) for reference in references)


#: The corners of a box are rounded to so many decimals.
_DECIMALS = 3


def cal_iou(bbox1: Sequence[float], bbox2: Sequence[float]) -> float:
    """Intersection over union of two boxes ``(x1, y1, x2, y2)``, in 0..1."""
    return iou(bbox1, bbox2)


def cal_iou_3d(bbox1: Sequence[float], bbox2: Sequence[float]) -> float:
    """Intersection over union of two upright boxes: centre ``(x, y, z)``, then sizes; 0..1.

    >>> cal_iou_3d((0, 0, 0, 2, 2, 2), (1, 0, 0, 2, 2, 2))
    0.3333333333333333
    """
    shared = 1.0
    for first, second in zip(_edges(bbox1), _edges(bbox2), strict=True):
        shared *= max(0.0, min(first[1], second[1]) - max(first[0], second[0]))
    union = _volume(bbox1) + _volume(bbox2) - shared
    return shared / union if union > 0 else 0.0


def check_inside_bbox(keypoints_list: Sequence[Sequence[float]], bbox: Sequence[float]) -> bool:
    """Whether any of the points ``(x, y)`` is inside the box ``(x1, y1, x2, y2)``, not on its edge.

    >>> check_inside_bbox([(0.5, 0.5)], (0, 0, 1, 1)), check_inside_bbox([(0, 0.5)], (0, 0, 1, 1))
    (True, False)
    """
    x1, y1, x2, y2 = bbox
    return any(x1 < x < x2 and y1 < y < y2 for x, y in keypoints_list)


def _edges(bbox: Sequence[float]) -> list[tuple[float, float]]:
    """The lower and the upper edge on each axis."""
    return [
        (round(centre - size / 2, _DECIMALS), round(centre + size / 2, _DECIMALS))
        for centre, size in zip(bbox[:3], bbox[3:6], strict=True)
    ]


def _volume(bbox: Sequence[float]) -> float:
    volume = 1.0
    for low, high in _edges(bbox):
        volume *= high - low
    return volume
