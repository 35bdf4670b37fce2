"""What ``rules.yaml`` names of VLMEvalKit's own rules: reading, scores and figures.

Written answers are read by `chef.reading.rules`, without removing a chain of thought. Options that
were chosen by their likelihood, which VLMEvalKit does not do, are taken by their indices. An answer
that neither the rules nor a judge can read is wrong, as with its ``exact_matching``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chef.common.options import YES_NO
from chef.metric import judged
from chef.metric.base import Metric
from chef.metric.caption.caption import mean_percentage
from chef.metric.caption.overlap import cider_d
from chef.metric.records import (
    Record,
    references_of,
    required_references,
    scored_choice,
    scored_entry,
)
from chef.metric.vlmevalkit.scores import (
    JUDGED_AS,
    ORDERS,
    SCORES,
    accuracy,
    all_references,
    anls,
    converted_choices,
    corpus_bleu,
    gave_up,
    is_converted,
    is_failed_call,
    is_math_equal,
    is_multiple_choice,
    is_open,
    is_scored_by_name,
    lettered_choices,
    mean_accuracy,
    method_of,
    read_choice,
    relaxed_accuracy,
    rouge_l,
    score_choice,
    score_converted,
    stored_text,
    there_of,
    vqa_score,
)
from chef.metric.vlmevalkit.table import (
    accuracy_table,
    by_category,
    default_rating,
    mme_rating,
    mme_subtask,
    ocrbench_parts,
    open_answers,
    overall,
    pope_rating,
    random_options,
    vsr_rating,
)
from chef.metric.vqa import blocks, mathvista, vqa, yesno
from chef.metric.vqa.accuracy import NONE_OF_THEM, share_of
from chef.metric.vqa.hallusionbench import HallusionBench
from chef.metric.vqa.open_answers import ANLS, OpenAnswerMetric
from chef.metric.vqa.yesno import accuracy_of_kinds
from chef.reading.rules.vlmevalkit import FAILED, yes_no
from chef.reading.text import Reading
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate, undefined
from chef.stats.figures import mean
from chef.types import Prediction, Status

__all__ = [
    "accuracy", "accuracy_of_kinds", "mme_rating", "pope_rating", "relaxed_accuracy",
    "score_choice", "vqa_score",
]  # fmt: skip


def failures_as_answers(self: Metric, predictions: Sequence[Prediction]) -> Sequence[Prediction]:
    """The answers of a run, among them the texts that VLMEvalKit stores for failed calls.

    What fails in a run of chef stays an error: it is asked again, and VLMEvalKit has no text for
    it.
    """
    answers: Sequence[Prediction] = self.own_rules.answers_of_run(
        self, list(map(_answer, predictions))
    )
    return answers


def _answer(prediction: Prediction) -> Prediction:
    message = str((prediction.error or {}).get("message", ""))
    if prediction.status != Status.ERROR or not message.startswith(FAILED):
        return prediction
    return replace(prediction, status=Status.OK, answer=message, error=None)


def kind_of_choice(record: Record) -> str | None:
    """None where an option was chosen by its score, or the correct one is not known."""
    asked = scored_choice(record) is None and is_multiple_choice(record)
    return JUDGED_AS if asked else None


def options_of_choice(record: Record) -> list[str]:
    """The options by the letters that `can_infer` reads."""
    return list(lettered_choices(record).values())


def reading_of_choice(self: Metric, record: Record) -> int | None:
    """The option's index; -1 for a refusal or a failed call's text; None where a judge is asked."""
    if is_failed_call(record):
        return NONE_OF_THEM
    reading = self.rule_findings(record)
    is_refusal = reading["parsed"] is None and reading["evidence"]["rule"] != "none"
    index: int | None = NONE_OF_THEM if is_refusal else reading["parsed"]
    return index


def table_of_rows(self: Metric, answers: list[Record]) -> Record:
    """``Overall`` of all and of each split, and the table of accuracies."""
    table = accuracy_table(answers, "metric_result", self.dataset_name)
    return {**overall(answers), **random_options(answers), "table": table}


def circular_rows(answers: Sequence[Record]) -> list[Record]:
    """The main row of each question, with its circular score under ``hit``: all its rows that are
    there. A question without its main row is left out, because that carries the score.
    """
    groups = vqa.questions(list(answers))
    return [
        {**rows[0], "hit": float(vqa.all_right(rows))}
        for name, rows in groups.items()
        if rows[0]["id"] == name
    ]


def circular_scores(self: Metric, answers: list[Record]) -> Record:
    """``Overall``, ``circ0`` and ``all_rows``, in 0..1, and the ``table``."""
    rows = circular_rows(answers)
    asked = [answer for answer in answers if not answer.get("skipped_by_judge")]
    return {
        **overall(rows, "hit"),
        "circ0": share_of(rows, "metric_result", "0-1"),
        "all_rows": share_of(asked, "metric_result", "0-1"),
        **random_options(asked),
        "table": accuracy_table(rows, "hit", self.dataset_name),
    }


def kind_with_open(record: Record) -> str | None:
    """As `kind_of_choice`; an open question with a reference has two options."""
    if is_open(record):
        return JUDGED_AS if references_of(record) else None
    return kind_of_choice(record)


def options_with_open(record: Record) -> list[str]:
    """As `options_of_choice`, of an open question the two that it gets."""
    return list((converted_choices if is_converted(record) else lettered_choices)(record).values())


def score_with_open(record: Record) -> Record:
    """``parsed`` is the index of the option."""
    if scored_choice(record) is None and is_converted(record):
        return score_converted(record)
    return score_choice(record)


def pairs_and_rows(self: blocks.MMVP, answers: list[Record]) -> Record:
    """The shares of right pairs and of right rows, in 0..1."""
    pairs, missing = self.blocks(answers)
    return {
        "Overall": self.share_of_blocks(blocks.all_right(pairs), answers, "0-1"),
        "all_rows": self.share_of_rows(answers, "0-1"),
        "incomplete_groups": missing,
    }


def is_circular(dataset_name: str) -> bool:
    """Whether VLMEvalKit scores the rows of a question together, by the name of its data set.

    >>> is_circular("MMBench_DEV_EN"), is_circular("SEEDBench_IMG")
    (True, False)
    """
    return any(part in dataset_name.lower() for part in ("mmbench", "ccbench", "circular", "mmcr"))


def init_accuracy(self: Metric, dataset_name: str = "") -> None:
    """Circular figures have their own chance level."""
    self.own_rules.__init__(self, dataset_name)
    if is_circular(dataset_name):
        self.chance_for = ("circ0",)


def is_free(record: Record, dataset_name: str) -> bool:
    """Whether an answer is scored as a text: also yes or no, where the name of the data set says
    how.
    """
    if scored_choice(record) is not None:
        return False
    by_name = is_scored_by_name(dataset_name) and record.get("choices") == list(YES_NO)
    return by_name or not is_multiple_choice(record)


def kind_of_any(self: Metric, record: Record) -> str | None:
    """As `kind_of_choice`; None for an answer that is scored as a text."""
    return None if is_free(record, self.dataset_name) else kind_of_choice(record)


def score_any(self: Metric, record: Record) -> Record:
    """``metric_result`` is 0 to 1; ``parsed`` is the index of the option, or the answer."""
    if not is_free(record, self.dataset_name):
        return score_choice(record)
    references = all_references(record, "gt_choice and no gt_answers")
    text = stored_text(record)
    return _scored_text(text, SCORES[method_of(self.dataset_name)](text, references))


def figures_of_any(self: Metric, answers: list[Record]) -> Record:
    """Circular figures, those of free answers or those of options."""
    if is_circular(self.dataset_name):
        return circular_scores(self, answers)
    if answers and all(is_open(answer) or is_free(answer, self.dataset_name) for answer in answers):
        return open_answers(answers)
    return table_of_rows(self, answers)


def _scored_text(text: str, score: float) -> Record:
    found: Reading[str] = Reading(text, "text", text)
    return {**scored_entry(found, right=score > 0), "metric_result": score}


def score_whole_text(self: OpenAnswerMetric, record: Record) -> Record:
    """The score of the whole answer, with its chain of thought, also where it is empty."""
    references, text = all_references(record), stored_text(record)
    return _scored_text(text, self.score_record(record, text, references))


def free_figures(self: OpenAnswerMetric, answers: list[Record]) -> Record:
    """The mean of all answers and of each split (without splits, of each category), in %."""
    return {**open_answers(answers, name=self.primary), "open_answers": self.compared}


def accuracy_by_name(self: OpenAnswerMetric, answer: str, references: list[str]) -> float:
    """The share of equal references where the name of the data set says so (GQA), else 1 or 0."""
    is_share = method_of(self.dataset_name) == "mean_accuracy"
    return (mean_accuracy if is_share else accuracy)(answer, references)


def anls_of(self: ANLS, answer: str, references: list[str]) -> float:
    """The similarity to the most similar reference, 0 to 1."""
    return anls(answer, references, self.threshold)


def ocrbench_counts(answers: list[Record]) -> Record:
    """The right answers, as a count and as a tenth of it, and those of each part."""
    right = sum(answer["metric_result"] for answer in answers)
    return {
        "Final Score": Estimate(right, len(answers), unit="count"),
        "Final Score Norm": Estimate(right / 10, len(answers), unit="0-100"),
        **ocrbench_parts(answers),
    }


def score_raw_caption(record: Record) -> Record:
    """The findings about a caption as it was written: ``rouge_l``, in 0..1."""
    references = required_references(record, "references in gt_answers")
    text = stored_text(record)
    rouge = rouge_l(text, references)
    return {**_scored_text(text, rouge), "rouge_l": rouge}


def raw_caption_figures(answers: list[Record]) -> dict[str, Estimate]:
    """``Bleu_1`` to ``Bleu_4``, ``ROUGE_L`` and ``CIDEr``."""
    texts = [str(answer["parsed"]) for answer in answers]
    references = [required_references(answer) for answer in answers]
    bleu = corpus_bleu(texts, references) if texts else [None] * len(ORDERS)
    cider = undefined(n=len(answers))
    if texts:
        words = [[item.split() for item in targets] for targets in references]
        scores = cider_d([text.split() for text in texts], words)
        cider = mean(scores, clusters_of(answers), least=0)
    return {
        **{
            f"Bleu_{order}": Estimate(
                None if value is None else 100 * value, len(texts), unit="0-100"
            )
            for order, value in zip(ORDERS, bleu, strict=True)
        },
        "ROUGE_L": mean_percentage(answers, "rouge_l"),
        "CIDEr": cider.scaled(100.0, "0-1000"),
    }


def read_yes_no(record: Record) -> Reading[str]:
    """What `yes_no` reads, or the option chosen by its score says."""
    if scored_choice(record) is not None:
        return yesno.read_answer(record)
    found = yes_no(stored_text(record))
    is_read = found != "Unknown"
    return Reading(found.lower() if is_read else None, "yes or no" if is_read else "none", found)


def reading_of_yes_no(self: Metric, record: Record) -> int | None:
    """As with chef's rules; the text of a failed call is neither, and no judge is asked."""
    if is_failed_call(record):
        return NONE_OF_THEM
    reading: int | None = self.own_rules.rule_reading(self, record)
    return reading


def score_yes_no(self: Metric, record: Record) -> Record:
    """An answer of which none of five replies of a judge can be read is unknown."""
    # As where no judge was asked, so that only the rules read it.
    read = {**record, "judgements": None} if gave_up(record) else record
    score: Record = self.own_rules.score_sample(self, read)
    return score


def yes_no_rating(self: Metric, answers: list[Record]) -> Record:
    """The rating of VSR, or that of other data sets."""
    return vsr_rating(answers) if "VSR" in self.dataset_name else default_rating(answers)


def groups_as_they_are(self: HallusionBench, answers: list[Record]) -> Record:
    """The figures of HallusionBench, by the rows that are there: of all, and of each category."""

    def figures(rows: list[Record]) -> Record:
        values = self.values_of(rows, ())
        del values["incomplete_groups"]
        return values

    return by_category(figures, answers)


def mme_figures(answers: list[Record]) -> Record:
    """``acc``, ``acc_plus`` in % and the score of the group's images."""
    return dict(zip(("acc", "acc_plus", "score"), mme_subtask(answers), strict=False))


def kind_unless_failed(self: Metric, record: Record) -> str | None:
    """None for the text of a failed call."""
    kind: str | None = self.own_rules.judge_kind(self, record)
    return None if is_failed_call(record) else kind


def score_judged(self: Metric, record: Record) -> Record:
    """0 where no reply of a judge can be read, and for the text of a failed call."""
    if gave_up(record) or is_failed_call(record):
        return scored_entry(Reading(None, "none"), right=False)
    score: Record = self.own_rules.score_sample(self, record)
    return score


def grades(answers: list[Record]) -> Record:
    """The mean grade of all answers, and of each capability by its name."""
    return {"Overall": share_of(answers, "metric_result"), **judged.capabilities(answers)}


def kind_of_math(self: Metric, record: Record) -> str | None:
    """None also where a free answer is the reference as it stands."""
    if not mathvista.is_choice(record) and is_math_equal(stored_text(record), record):
        return None
    return kind_unless_failed(self, record)


def math_by_rule(self: mathvista.MathVista, record: Record) -> Record:
    """The findings without a judge: the choice, or whether the whole text is the reference."""
    if mathvista.is_choice(record):
        return mathvista.MathVista.by_rule(self, record)
    required_references(record)
    text = stored_text(record)
    right = is_math_equal(text, record)
    return scored_entry(Reading(text if right else None, "text", text), right=right)


def read_math_choice(record: Record) -> Reading[int]:
    """The choice that `can_infer` reads."""
    choices = lettered_choices(record)
    return read_choice(stored_text(record), there_of(choices), list(choices))


def math_figures(answers: list[Record]) -> Record:
    """Right answers in %: of all, of each task and of each skill."""
    parts = {**mathvista.shares(answers, "task"), **mathvista.shares(answers, "skills")}
    return {"Overall": share_of(answers, "metric_result"), **parts}
