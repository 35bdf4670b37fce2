"""What ``rules.yaml`` names of ChEF's own rules: options, verdicts, texts, counts and classes.

ChEF reads the texts of scored options too. How it reads a text is in `chef.reading.rules`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeVar

from chef.errors import DependencyError
from chef.metric.base import Metric
from chef.metric.caption.caption import Caption, mean_percentage
from chef.metric.caption.overlap import sentence_bleu
from chef.metric.classification.classes import hair_colour, true_label
from chef.metric.records import (
    Record,
    answer_text,
    names,
    references_of,
    required_choices,
    required_references,
    scored_choice,
    scored_entry,
)
from chef.metric.upstream.wordnet import (
    DRAWN,
    classification_acc,
    data_order,
    names_first_sense,
    require_wordnet,
    stored_text,
    with_any_scores,
    with_draws,
    with_thought,
)
from chef.metric.vqa.accuracy import score_choice, share, share_of
from chef.metric.vqa.calibration import calibrated
from chef.metric.vqa.texts_in_images import score_words, true_words
from chef.metric.vqa.vqa import ABSTAIN, VQA, all_right, questions, score_open
from chef.metric.vqa.yesno import YesNo
from chef.reading.rules.chef_options import (
    LETTERS,
    cascade,
    lamm_option,
    mapped_option,
    mmmu_option,
)
from chef.reading.rules.chef_texts import (
    chef_open_answer,
    first_number,
    no_or_not,
    quoted_by_any,
    substring_verdict,
    token_verdict,
)
from chef.reading.rules.vqa_normal import chef_normal
from chef.reading.text import Reading, evidence
from chef.stats.estimate import Estimate

__all__ = ["require_wordnet", "stored_text", "with_any_scores", "with_draws"]

T = TypeVar("T")


def score_by_cascade(self: VQA, record: Record, letters: str = LETTERS) -> Record:
    """``parsed`` is the index of the option; ``match`` is ``option`` or ``content``."""
    right, choices = required_choices(record), tuple(names(record, "choices"))
    found = cascade(stored_text(record), choices, known=letters, content_only=self.content_only)
    match = None if found.value is None else found.rule
    return {**scored_entry(found, right=found.value in right), "match": match}


def score_by_four_letters(self: VQA, record: Record) -> Record:
    """As `score_by_cascade`, with the letters A to D."""
    return score_by_cascade(self, record, "ABCD")


def score_calibrated(self: VQA, record: Record) -> Record:
    """As `score_by_cascade`, with what a confidence is compared with."""
    return calibrated(score_by_cascade(self, record), record)


def figures_in_data_order(self: Metric, answers: list[Record]) -> Record:
    """The figures of the corrected class, of answers in the order of the data."""
    values: Record = self.own_rules.metric_func(self, sorted(answers, key=data_order))
    return values


def score_four_letters_calibrated(self: VQA, record: Record) -> Record:
    """As `score_by_four_letters`, with what a confidence is compared with."""
    return calibrated(score_by_four_letters(self, record), record)


def accuracies_of_first_rows(answers: list[Record]) -> Record:
    """``vanilla_acc`` and ``circular_acc`` of questions that need not be complete."""
    groups = questions(answers)
    firsts = [rows[0] for rows in groups.values()]
    right = [float(rows[0]["id"] != name or all_right(rows)) for name, rows in groups.items()]
    return {
        "vanilla_acc": share_of(firsts, "metric_result"),
        "circular_acc": share(right, firsts),
    }


def rows_with_main_row(answers: list[Record]) -> list[Record]:
    """The rows of the questions whose main rows were scored."""
    groups = questions(answers)
    return [row for name, rows in groups.items() if rows[0]["id"] == name for row in rows]


def first_rows(answers: list[Record]) -> list[Record]:
    """The first scored row of each question, whatever its rotation."""
    return [rows[0] for rows in questions(answers).values()]


def first_places(answers: list[Record]) -> list[Record]:
    """The row of each question that is the first in the file."""
    groups = questions(answers).values()
    return [min(rows, key=data_order) for rows in groups]


def score_by_lamm_option(record: Record) -> Record:
    """``parsed`` is the index of the option."""
    right = required_choices(record)
    found = lamm_option(with_thought(record), names(record, "choices"), min(right))
    return scored_entry(found, right=found.value in right)


def score_by_mapped_option(record: Record) -> Record:
    """``parsed`` is the index of the option."""
    right = required_choices(record)
    options = names(record, "options")
    found = mapped_option(stored_text(record), options)
    accepted = {options[index].lower() for index in right if index < len(options)}
    hit = found.value is not None and options[found.value].lower() in accepted
    return scored_entry(found, right=hit)


def score_mmmu(record: Record) -> Record:
    """``parsed`` is the index of the option, or the matching reference, else the answer."""
    if record.get("question_type") == "open":
        accepted = required_references(record)
        return score_open(chef_open_answer(stored_text(record), accepted))
    if scored_choice(record) is not None:
        return score_choice(record)
    right = required_choices(record)
    found = mmmu_option(stored_text(record), names(record, "choices"), random.Random(42))
    if found.rule == "random" and DRAWN in record:
        found = Reading(record[DRAWN], found.rule)
    return scored_entry(found, right=found.value in right)


def score_first_options(self: Metric, record: Record) -> Record:
    """``parsed`` is the index of the option."""
    # Its own records do not say that the first option is right.
    score: Record = self.own_rules.score_sample(self, {"gt_choice": 0, **record})
    options = names(record, "options")
    accepted = options[: 2 if ABSTAIN in options else 1]
    return {**score, "metric_result": float(answer_text(record) in accepted)}


def no_or_else_yes(self: YesNo, record: Record) -> str:
    """The correct answer: ``no`` if that is the reference, else ``yes``."""
    if not (references := references_of(record)):  # only the index of the correct option is known
        return YesNo.reference(self, record)
    return "no" if references[0] == "no" else "yes"


def all_images(images: Iterable[list[Record]]) -> list[list[Record]]:
    """All images, however many of their questions were scored."""
    return list(images)


def equals_a_reference(record: Record, choice: int, right: set[int]) -> bool:
    """Whether the chosen caption is equal to a reference."""
    del right
    options = names(record, "options") or names(record, "choices")
    return options[choice] in map(str, references_of(record))


def score_quotes(self: Caption, record: Record) -> Record:
    """The findings of the corrected class, and ``bleu4`` and ``rouge``, in 0..1: the best of the
    answer, of what it quotes and of the sentences of that, blank ones too, as in ChEF.
    """
    answer = stored_text(record)
    quotes = quoted_by_any(answer)
    texts = [answer, quotes, *quotes.split(".")]
    references = [str(item) for item in references_of(record)]
    bare = [item.replace(".", "").split() for item in references]
    return {
        **Caption.score_text(self, record),
        "bleu4": max(sentence_bleu(text.split(), bare) for text in texts),
        "rouge": max(package_rouge_l(text, references) for text in texts),
    }


def best_of_quotes(self: Caption, answers: list[Record]) -> dict[str, Estimate]:
    """``BLEU4``, ``Rouge`` and ``CIDEr``."""
    return {
        "BLEU4": mean_percentage(answers, "bleu4"),
        "Rouge": mean_percentage(answers, "rouge"),
        "CIDEr": Caption.text_metrics(self, answers)["CIDEr"],
    }


def score_quoted_words(record: Record) -> Record:
    """``metric_result`` is the share, 0 to 1; ``parsed`` lists the words of the answer."""
    text = quoted_by_any(stored_text(record))
    return score_words([one.lower() for one in true_words(record)], text.lower().split(), text)


def capped_counts(self: Metric, answers: list[Record]) -> Record:
    """The figures of the corrected class; ``MAE`` is its ``MAE_capped``."""
    values: Record = self.own_rules.metric_func(self, answers)
    capped = values.pop("MAE_capped")
    return {**values, "MAE": capped}


#: The version that ChEF uses; others compute other values.
VERSION = "1.0.1"


def require_rouge() -> None:
    """Check that the package is installed in the version that ChEF uses; raises DependencyError."""
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


def require_rouge_for_texts(*, scored: bool | None) -> None:
    """Check for the package unless options are scored."""
    if not scored:
        require_rouge()


def package_rouge_l(candidate: str, references: Sequence[str]) -> float:
    """The F1 with the best reference, in 0..1; 0 for texts without words.

    Raises DependencyError. Case counts, each word of a text counts once, and the common words are
    those of the longest common subsequences of all pairs of sentences (by full stops) together.
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


def require_wordnet_for_texts(*, scored: bool | None) -> None:
    """Check for WordNet unless options are scored."""
    if not scored:
        require_wordnet(scored=scored)


def score_words_of_class(self: Metric, record: Record) -> Record:
    """``metric_result`` and ``synonym_result`` are 1 or 0; the rest is as in the base class."""
    score: Record = self.own_rules.score_sample(self, record)
    if scored_choice(record) is not None:
        return score
    label, answer = true_label(record), chef_normal(stored_text(record))
    return {
        **score,
        "metric_result": float(label in answer.split()),
        "synonym_result": float(classification_acc(label, answer)),
    }


def with_synonyms(self: Metric, answers: list[Record]) -> Record:
    """ChEF reports ``SYN_ACC`` of scored options too."""
    synonyms = share_of(answers, "synonym_result")
    return {**self.own_rules.metric_func(self, answers), "SYN_ACC": synonyms}


def has_letters_of(label: str, text: str, *, scored: bool) -> bool:
    """Whether the letters of ``label`` are in the answer."""
    del scored
    return label in text


def _class_entry(label: str, *, right: bool) -> Record:
    """The findings about an answer in which only the correct class is looked for."""
    return {
        "metric_result": float(right),
        "parsed": [label] if right else [],
        "evidence": evidence("class named", label if right else ""),
    }


def score_first_sense(record: Record) -> Record:
    """``metric_result`` is 1 or 0; ``parsed`` holds the class if it is found."""
    label = true_label(record)
    return _class_entry(label, right=names_first_sense(label, stored_text(record)))


def score_hair(record: Record) -> Record:
    """``metric_result`` is 1 or 0; ``parsed`` holds the colour if it is found."""
    label = hair_colour(record)
    return _class_entry(label, right=names_first_sense(label, stored_text(record)))


def score_letters_of_class(record: Record) -> Record:
    """``metric_result`` is 1 or 0; ``parsed`` holds the class if it is found."""
    label = true_label(record)
    return _class_entry(label, right=label in stored_text(record))


def _of_text(rule: Callable[[str], Reading[T]]) -> Callable[[Record], Reading[T]]:
    """A rule for texts as one for records; it reads scored options, too."""
    return lambda record: rule(stored_text(record))


read_tokens, read_substrings = _of_text(token_verdict), _of_text(substring_verdict)
read_first_number, read_no_or_not = _of_text(first_number), _of_text(no_or_not)
