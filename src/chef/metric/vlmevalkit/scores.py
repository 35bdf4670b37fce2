"""Options, free answers and captions by VLMEvalKit's own rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from chef.common.judgements import JudgementStatus
from chef.common.options import letters, list_literal
from chef.common.seeding import sample_rng
from chef.metric.caption import overlap
from chef.metric.records import (
    MISSING_CELLS,
    STORED_ANSWER,
    STORED_HIT,
    Record,
    answer_text,
    by_score,
    names,
    references_of,
    required_choices,
    required_references,
    scored_choice,
    scored_entry,
    true_choices,
)
from chef.metric.verdicts import verdict
from chef.metric.vqa.open_answers import levenshtein
from chef.reading.rules.vlmevalkit import FAILED, can_infer, option_rule
from chef.reading.rules.vqa_normal import process_answer
from chef.reading.text import Reading

#: The texts that pandas reads from a table as missing values unless it is told not to
#: (``read_csv``, ``na_values``): an option with one of them is none for VLMEvalKit.
MISSING = frozenset(
    (
        *("#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN"),
        *("<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
    )
)
#: What VLMEvalKit makes of a missing value where it takes a cell for a text.
NAN = "nan"
#: What a judge is asked.
JUDGED_AS = "vlmevalkit_option"
#: How the answers are matched whose judge cannot be read.
RANDOM = "random"
#: The text of the wrong option that an open question gets.
_OTHERS = "Other Answers"


def is_missing(text: str) -> bool:
    """Whether pandas reads a cell with this text as a missing value.

    >>> is_missing("None"), is_missing(""), is_missing("None of them")
    (True, True, False)
    """
    return not text or text in MISSING


def stored_text(record: Record) -> str:
    """The answer, as VLMEvalKit reads it from its table where it was stored in one."""
    return NAN if "prediction" in record.get(MISSING_CELLS, ()) else answer_text(record)


def gave_up(record: Record) -> bool:
    """Whether no reply can be read, and no request failed (those are asked again)."""
    given = record.get("judgements") or ()
    return bool(given) and all(item["status"] == JudgementStatus.UNPARSED for item in given)


def is_failed_call(record: Record) -> bool:
    """Whether the answer is the text of a failed call."""
    return FAILED in answer_text(record)


def lettered_choices(record: Record) -> dict[str, str]:
    """The texts of a record's options by their labels, A, B, ... where it names none."""
    texts = names(record, "choices") or names(record, "options")
    labels = names(record, "labels")
    if len(labels) != len(texts):
        labels = letters(len(texts))
    return dict(zip(labels, texts, strict=True))


def is_open(record: Record) -> bool:
    """Whether a record is a question without options."""
    return not names(record, "choices") and not names(record, "options")


def score_choice(record: Record) -> dict[str, Any]:
    """The findings about a multiple-choice answer, read by `can_infer`, or as a judge reads it.

    ``parsed``: the option's index; None for none, for Z, and for a text of `MISSING`. ``match``:
    ``option``, ``content``, ``judge``, ``random``, ``stored`` (in the table), or None. Raises
    MissingTruthError.
    """
    right = right_choices(record)
    choice = scored_choice(record)
    if choice is not None:
        found = by_score(choice, record)
    else:
        choices = lettered_choices(record)
        found = _read(record, choices, there_of(choices))
    return _scored(found, record, right)


def _scored(found: Reading[int], record: Record, right: Collection[int]) -> Record:
    if STORED_HIT in record:
        return {**scored_entry(found, right=record[STORED_HIT] == 1), "match": "stored"}
    return {**scored_entry(found, right=found.value in right), "match": _match(found, record)}


def right_choices(record: Record) -> set[int]:
    """The indices of the right options; none where the stored label is that of an option that
    VLMEvalKit has lost, so that the row is wrong. Raises MissingTruthError.
    """
    if (label := _stored_label(record)) is None:
        return required_choices(record)
    labels = list(lettered_choices(record))
    return {labels.index(label)} if label in labels else set()


def _stored_label(record: Record) -> str | None:
    label = str(record.get(STORED_ANSWER, ""))
    return label if label in letters(26) else None


def there_of(choices: Mapping[str, str]) -> dict[str, str]:
    """The options that VLMEvalKit has: without those whose text is of `MISSING`."""
    return {label: text for label, text in choices.items() if text not in MISSING}


def _read(record: Record, choices: Mapping[str, str], there: Mapping[str, str]) -> Reading[int]:
    """The option that the judge names, if it was asked; that of `can_infer` otherwise.

    VLMEvalKit draws one, or none, where three replies cannot be read: here by the sample.
    """
    labels = list(choices)
    said = None if gave_up(record) else verdict(record)
    if said is not None:
        places = {place for place, label in enumerate(labels) if label in there}
        return said.as_extraction(said.value if said.value in places else None)
    by_rule = read_choice(stored_text(record), there, labels)
    if gave_up(record):
        if by_rule.rule != "none":
            return by_rule
        choice = sample_rng(0, "vlmevalkit judge", record["id"]).choice([*there, None])
        return Reading(None if choice is None else labels.index(choice), RANDOM)
    return by_rule


def read_choice(answer: str, choices: Mapping[str, str], labels: Sequence[str]) -> Reading[int]:
    """The place in ``labels`` of the option that `can_infer` finds, and which of its rules did."""
    label = can_infer(answer, choices)
    if label is None:
        return Reading(None, "none")
    rule = "label" if option_rule(answer, choices) else "text of an option"
    return Reading(labels.index(label) if label in labels else None, rule, label)


def is_converted(record: Record) -> bool:
    """Whether VLMEvalKit takes a record for a question without options: it has no option A."""
    return is_open(record) or "A" not in there_of(lettered_choices(record))


def score_converted(record: Record) -> dict[str, Any]:
    """The findings about a question without option A, which VLMEvalKit turns into one of multiple
    choice: the reference (A, correct; several as a printed list; of a question that has lost its
    option A the right label) and "Other Answers" (B), so that a letter in an answer counts by
    accident. Raises MissingTruthError.
    """
    if not references_of(record):
        right_choices(record)
    choices = converted_choices(record)
    found = _read(record, choices, choices)
    return _scored(found, record, {0})


def converted_choices(record: Record) -> dict[str, str]:
    """The options that such a question has then, by their labels."""
    if is_open(record):
        references = references_of(record)
        text = str(references[0] if len(references) == 1 else references)
        return {"A": text, "B": _OTHERS}
    choices = lettered_choices(record)
    right = _stored_label(record) or list(choices)[min(required_choices(record))]
    others = {label: text for label, text in there_of(choices).items() if label not in "AB"}
    return {"A": right, "B": _OTHERS, **others}


def _match(found: Reading[int], record: Record) -> str | None:
    """Whether an option was found by its label or by its words, as the corrected class says it."""
    if found.rule == RANDOM:
        return RANDOM
    if found.value is None:
        return None
    if found.rule.startswith("judge") and record.get("judgements"):
        return "judge"
    return "content" if found.rule == "text of an option" else "option"


def is_multiple_choice(record: Record) -> bool:
    """Whether a record has options, and it is known which are correct."""
    is_known = _stored_label(record) is not None or bool(true_choices(record))
    return not is_open(record) and is_known


Method: TypeAlias = Literal["vqa_score", "anls", "relaxed_accuracy", "accuracy", "mean_accuracy"]

#: How data sets are scored, by a part of their names; others are by `vqa_score`.
_METHODS: Mapping[str, Method] = {
    "TextVQA": "vqa_score",
    "ChartQA": "relaxed_accuracy",
    "OCRVQA": "accuracy",
    "GQA": "mean_accuracy",
    "DocVQA": "anls",
    "InfoVQA": "anls",
}
#: Similarities below count as 0.
ANLS_THRESHOLD = 0.5
#: How far off a number may be, as a share of the true one.
_TOLERANCE = 0.05
#: How many others have to give an answer for a full score.
_ENOUGH = 3


def method_of(dataset_name: str) -> Method:
    """How the answers of a data set are scored, by a part of its name.

    >>> method_of("DocVQA_VAL"), method_of("TextVQA_VAL"), method_of("Mine")
    ('anls', 'vqa_score', 'vqa_score')
    """
    return next((how for part, how in _METHODS.items() if part in dataset_name), "vqa_score")


def is_scored_by_name(dataset_name: str) -> bool:
    """Whether the name of a data set says how its answers are scored, of whatever kind they are."""
    return any(part in dataset_name for part in _METHODS)


def all_references(record: Mapping[str, Any], what: str = "gt_answers") -> list[str]:
    """The references of a record; of a single one that is a list, its items; of one that was stored
    as a missing value, the text of that.

    Raises MissingTruthError, which names ``what``.
    """
    stored = record.get(STORED_ANSWER)
    references = required_references(dict(record), what) if stored is None else [str(stored)]
    if "answer" in record.get(MISSING_CELLS, ()):
        return [NAN]
    if len(references) > 1 or not references[0].startswith("["):
        return references
    return list(map(str, list_literal(references[0]) or references))


def vqa_score(answer: object, references: Sequence[object]) -> float:
    """The mean over references of ``min(1, equal ones among the others / 3)``, in 0..1.

    Answer and references are compared as `process_answer` writes them. There are no others of a
    single reference: its score is 0, whatever the answer.

    >>> vqa_score("Two", ["2", "2", "3"]), vqa_score("red", ["red"])
    (0.4444444444444444, 0.0)
    """
    given = process_answer(answer)
    equal = [process_answer(reference) == given for reference in references]
    total = sum(equal)
    return sum(min(1.0, (total - own) / _ENOUGH) for own in equal) / len(equal)


def anls(answer: object, references: Sequence[object], threshold: float = ANLS_THRESHOLD) -> float:
    """1 minus the smallest normalised edit distance to a reference; 0 where that is below 0.5.

    The distance is between the texts in lower case with single blanks, and is divided by the length
    of the longer text as it was written.

    >>> anls("A  Cat", ["a cat"]), anls("cat", ["dog"])
    (1.0, 0.0)
    """
    score = 1 - min(_distance(str(answer), str(reference)) for reference in references)
    return 0.0 if score < threshold else score


def relaxed_accuracy(answer: object, references: Sequence[object]) -> float:
    """1 if the answer equals a reference, where numbers may be 5 % off, else 0.

    Both are numbers for Python (of a percentage, a hundredth) and the reference is not 0: the error
    is compared. Otherwise the texts are equal, up to case: "5%" is not "5", "1,000" not "1000".
    Blanks around the answer do no harm, of which what is known of the rules says nothing.
    """
    texts = (str(answer), str(answer).strip())
    return float(any(_is_close(text, str(one)) for text in texts for one in references))


def accuracy(answer: object, references: Sequence[object]) -> float:
    """1 if the answer equals a reference, up to case and blanks around them, else 0."""
    return float(any(_equal(answer, references)))


def mean_accuracy(answer: object, references: Sequence[object]) -> float:
    """The share of references that the answer equals, as in `accuracy`.

    >>> mean_accuracy("Red", ["red", "dark red"])
    0.5
    """
    equal = _equal(answer, references)
    return sum(equal) / len(equal)


SCORES: Mapping[Method, Callable[[object, Sequence[object]], float]] = {
    "vqa_score": vqa_score,
    "anls": anls,
    "relaxed_accuracy": relaxed_accuracy,
    "accuracy": accuracy,
    "mean_accuracy": mean_accuracy,
}


def _equal(answer: object, references: Sequence[object]) -> list[bool]:
    text = str(answer).strip().lower()
    return [text == str(reference).strip().lower() for reference in references]


def _distance(answer: str, reference: str) -> float:
    longest = max(len(answer), len(reference))
    one, two = (" ".join(text.lower().split()) for text in (answer, reference))
    return levenshtein(one, two) / longest if longest else 0.0


def _is_close(answer: str, reference: str) -> bool:
    given, wanted = _number(answer), _number(reference)
    if given is not None and wanted:
        return abs(given - wanted) / abs(wanted) <= _TOLERANCE
    return answer.lower() == reference.lower()


def _number(text: str) -> float | None:
    try:
        return float(text.rstrip("%")) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return None


ORDERS = (1, 2, 3, 4)
#: The toolkit adds these to hits and totals, so that a precision of 0 gives a value close to 0.
_TINY, _SMALL = 1e-15, 1e-9


def corpus_bleu(candidates: Sequence[str], references: Sequence[Sequence[str]]) -> list[float]:
    """BLEU-1 to BLEU-4 over a corpus, in 0..1.

    The reference nearest in length counts for the brevity penalty, of two the shorter one (Papineni
    et al. 2002).

    >>> [round(value, 3) for value in corpus_bleu(["a red dog"], [["a red cat", "a dog"]])]
    [1.0, 0.707, 0.0, 0.0]
    """
    counts = [
        overlap.bleu_counts(candidate.split(), [target.split() for target in targets])
        for candidate, targets in zip(candidates, references, strict=True)
    ]
    *sums, length, nearest = map(sum, zip(*counts, strict=True))
    hits, totals = sums[:4], sums[4:]
    product, found = 1.0, []
    for place, order in enumerate(ORDERS):
        product *= (hits[place] + _TINY) / (totals[place] + _SMALL)
        found.append(product ** (1 / order))
    ratio = (length + _TINY) / (nearest + _SMALL)
    brevity = math.exp(1 - 1 / ratio) if ratio < 1 else 1.0
    return [value * brevity for value in found]


def rouge_l(candidate: str, references: Sequence[str]) -> float:
    """ROUGE-L with the best precision and the best recall over the references, in 0..1.

    Words are separated by single spaces. Source: Lin 2004, with beta 1.2.

    >>> round(rouge_l("a red dog", ["a dog", "the red dog"]), 3)
    0.83
    """
    words = [item.split(" ") for item in references]
    return overlap.rouge_l(candidate.split(" "), words, may_be_empty=True)


def is_math_equal(text: str, record: Mapping[str, Any]) -> bool:
    """Whether a text is a reference, as Python's type for the answer compares them."""
    kind = str(record.get("answer_type") or "")
    return any(_is_same(text, str(item), kind) for item in references_of(dict(record)))


def _is_same(text: str, reference: str, kind: str) -> bool:
    try:
        if kind == "integer":
            return int(text) == int(reference)
        if kind == "float":
            return float(text) == float(reference)
    except ValueError:
        return False
    return text == reference
