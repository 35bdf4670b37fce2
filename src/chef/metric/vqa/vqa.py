"""Questions with options about images: ScienceQA, SEEDBench, MMBench with rotated options, MMMU."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from chef.common.circular import main_index
from chef.metric.base import Metric
from chef.metric.records import (
    MissingTruthError,
    Record,
    answer_text,
    by_score,
    names,
    references_of,
    required_choices,
    required_references,
    scored_choice,
    scored_entry,
)
from chef.metric.verdicts import verdict
from chef.metric.vqa.accuracy import (
    EQUIVALENCE,
    OPTION,
    MeanMetric,
    accuracy,
    choice_kind,
    equivalence,
    equivalence_by_rule,
    parts_of,
    score_choice,
    share,
    share_of,
)
from chef.reading.open_answers import open_matches
from chef.reading.text import POLICY, Reading
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate, undefined
from chef.stats.figures import count


class OptionMetric(Metric):
    """Answers to questions of multiple choice; a subclass says which of them count."""

    policy = POLICY
    judge_kinds: ClassVar[Sequence[str]] = (OPTION,)
    content_only: bool = False

    def judge_kind(self, record: dict[str, Any]) -> str | None:
        """``option``, unless an option was chosen by its score."""
        return choice_kind(record)

    def rule_reading(self, record: dict[str, Any]) -> int | None:
        """The index of the option."""
        index: int | None = self.rule_findings(record)["parsed"]
        return index

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option; ``match`` says how it was read (`match_kind`)."""
        return score_choice(record, content_only=self.content_only)


class VQA(OptionMetric):
    """Share of correct options.

    Metrics:
        ``ACC``: correct options, in % of all scored; unparsed answers are not correct.
        ``match_ratio``: answers that could be read, in % of all scored.

    Args:
        dataset_name: the name of the scenario.
        content_only: match only the words of the options, never their letters.
    """

    primary = mean_figure = "ACC"
    chance_for = ("ACC",)
    aggregates: ClassVar[Sequence[str]] = ("metric_result", "parsed")

    def __init__(self, dataset_name: str = "", *, content_only: bool = False) -> None:
        super().__init__(dataset_name)
        self.content_only = content_only

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return accuracy(answers)


class LammVQA(MeanMetric, VQA):
    """Share of correct options, from 0 to 1.

    Metrics:
        ``vision_acc``: correct options over all scored.
    """

    primary = mean_figure = "vision_acc"
    chance_for = ("vision_acc",)
    aggregates = ("metric_result",)
    unit = "0-1"


#: An abstention: an option that is never counted as wrong.
ABSTAIN = "I don't know."


class Ch3EfMetric(Metric):
    """Share of accepted options. Written answers are kept but not scored: people rate them.

    Metrics:
        ``ACC``: the correct option, or an abstention if it is offered, in % of all scored.
        ``abstained``: abstentions, in % of all scored; neither high nor low is good in itself.

    Args:
        dataset_name: the name of the scenario.
    """

    primary = "ACC"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``parsed`` is the index of the option."""
        right = required_choices(record)
        choice = scored_choice(record)
        if choice is None:
            raise MissingTruthError(
                "a written answer is judged by a person", hint="set ppl: true to score options"
            )
        options = names(record, "options")
        abstained = choice < len(options) and options[choice].strip() == ABSTAIN
        found = by_score(choice, record)
        return {**scored_entry(found, right=choice in right or abstained), "abstained": abstained}

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        abstained = share_of(answers, "abstained")
        return {
            "ACC": share_of(answers, "metric_result"),
            "abstained": replace(abstained, higher_is_better=None),
        }


class MMBenchVQA(VQA):
    """Accuracy on the original questions, and with all rotations correct ("circular").

    Source: Liu et al. 2023, "MMBench: Is Your Multi-modal Model an All-around Player?".

    Metrics, in %:
        ``vanilla_acc``: correct main rows over main rows scored.
        ``circular_acc``: questions with every rotation correct, over those with every rotation
        scored; no value if no question is rotated.
        ``incomplete_groups`` (a count): questions left out of ``circular_acc`` because one of their
        rows failed or was not asked.
        ``option_match``, ``content_match``: answers matched by a label or score, and by the words
        of an option, over all rows.

    Where the recipe has a judge, the rows of a question are judged until one of them is wrong. The
    others count as not correct in ``circular_acc`` and in no other figure; the main row is always
    judged. An answer that a judge reads is in neither ``option_match`` nor ``content_match``.
    """

    primary = "vanilla_acc"
    chance_for = ("vanilla_acc",)
    stops_groups = True

    def may_skip(self, record: Record) -> bool:
        """Whether the row is a rotation: main rows count in ``vanilla_acc``."""
        return question_of(record) != str(record["id"])

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        asked = [answer for answer in answers if not answer.get("skipped_by_judge")]
        read = {answer["id"]: answer["match"] for answer in self.counted_rows(asked)}
        by = [read.get(answer["id"]) for answer in asked]
        return {
            **self.accuracies(answers),
            "option_match": share([item == "option" for item in by], asked),
            "content_match": share([item == "content" for item in by], asked),
        }

    def accuracies(self, answers: list[Record]) -> dict[str, Estimate]:
        """``vanilla_acc``, ``circular_acc`` and ``incomplete_groups``."""
        return _accuracies(questions(answers))

    def scored_with(self, record: Record) -> str:
        """The question."""
        return question_of(record)

    def counted_rows(self, answers: list[Record]) -> list[Record]:
        """The rows whose answers are counted by the option that they chose."""
        return answers

    def first_rows(self, answers: list[Record]) -> list[Record]:
        """The row that stands for each question."""
        return main_rows(answers)


def questions(answers: list[Record]) -> dict[str, list[Record]]:
    """The rows of each question, its main row first."""
    groups: dict[str, list[Record]] = {}
    for answer in sorted(answers, key=lambda answer: (len(answer["id"]), answer["id"])):
        groups.setdefault(question_of(answer), []).append(answer)
    return groups


def question_of(row: Record) -> str:
    """The name of the question that a row belongs to."""
    # In ChEF's own records only the index tells.
    return str(row.get("circular_group") or main_index(str(row["id"])) or row["id"])


def main_rows(answers: list[Record]) -> list[Record]:
    """The rows that are not rotations."""
    return [rows[0] for name, rows in questions(answers).items() if rows[0]["id"] == name]


def _accuracies(groups: dict[str, list[Record]]) -> dict[str, Estimate]:
    mains = [
        rows[0]
        for name, rows in groups.items()
        if rows[0]["id"] == name and not rows[0].get("skipped_by_judge")
    ]
    # Each row says how many rows its question has in the file.
    sizes = [int(rows[0].get("circular_size", len(rows))) for rows in groups.values()]
    whole = [rows for rows, size in zip(groups.values(), sizes, strict=True) if len(rows) == size]
    circular = undefined("%")
    if max(sizes, default=0) > 1:
        rights = [float(all_right(rows)) for rows in whole]
        circular = share(rights, [rows[0] for rows in whole])
        if min(sizes) == 1 and circular.value is not None:
            # Some of the questions may have no rotation, so no rows tell the figure of a part.
            circular = replace(circular, value=float(circular.value))
    incomplete = [len(rows) < size for rows, size in zip(groups.values(), sizes, strict=True)]
    return {
        "vanilla_acc": share_of(mains, "metric_result"),
        "circular_acc": circular,
        "incomplete_groups": count(incomplete, clusters_of([rows[0] for rows in groups.values()])),
    }


def all_right(rows: list[Record]) -> bool:
    """Whether every row of a question is answered correctly."""
    return all(row.get("metric_result") == 1 for row in rows)


class InstructFollow(OptionMetric):
    """Accuracy on questions whose options are named by an ``option_map``, without rotations.

    Metrics:
        ``score``: correct options, in % of the main rows scored.
    """

    primary = "score"
    chance_for = ("score",)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {"score": share_of(self.first_rows(answers), "metric_result")}

    def scored_with(self, record: dict[str, Any]) -> str:
        """The question."""
        return question_of(record)

    def first_rows(self, answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The row that stands for each question."""
        return main_rows(answers)


class MMMUMetric(Metric):
    """Share of correct answers; an answer that cannot be read is not correct.

    Source of the rule for open questions: Yue et al. 2024, "MMMU"; see `open_matches`.

    Metrics, for ``Overall`` and for each subject:
        ``acc``: in %. ``sample_nums``: questions scored (a count). Each subject also has
        ``correct_nums`` (a count).

    Args:
        dataset_name: the name of the scenario.
    """

    primary = mean_figure = "Overall/acc"
    group_figures = ("Overall/acc",)
    policy = POLICY
    judge_kinds: ClassVar[Sequence[str]] = (OPTION, EQUIVALENCE)

    def judge_kind(self, record: Record) -> str | None:
        """``equivalence`` for open questions, otherwise ``option``."""
        if _is_open(record):
            return EQUIVALENCE if references_of(record) else None
        return choice_kind(record)

    def rule_reading(self, record: Record) -> int | bool | None:
        """The index of the option; of an open question, whether the answer is right."""
        reading = self.rule_findings(record)
        return equivalence_by_rule(reading) if _is_open(record) else reading["parsed"]

    def score_sample(self, record: Record) -> dict[str, Any]:
        """``parsed`` is the index of the option, or the matching reference, else the answer."""
        if judged := equivalence(record):
            return judged
        if not _is_open(record):
            return score_choice(record)
        references = required_references(record)
        verdict(record)  # an answer that was to be judged is not compared by rule
        return score_open(open_matches(answer_text(record), references))

    def metric_func(self, answers: list[Record]) -> dict[str, Any]:
        subjects = parts_of(answers, lambda answer: [str(answer.get("subject", "other"))])
        overall = _metrics(answers)
        overall.pop("correct_nums")
        return {"Overall": overall, **{name: _metrics(part) for name, part in subjects.items()}}


def score_open(found: Reading[str]) -> dict[str, Any]:
    """The findings about an answer to an open question, as `open_matches` read it."""
    return scored_entry(found, right=found.rule in {"number", "words"})


def _is_open(record: Record) -> bool:
    return record.get("question_type") == "open"


def _metrics(answers: list[Record]) -> dict[str, Estimate]:
    right = sum(answer["metric_result"] for answer in answers)
    n = len(answers)
    return {
        "acc": share_of(answers, "metric_result"),
        "correct_nums": Estimate(right, n, unit="count"),
        "sample_nums": Estimate(n, n, unit="count", higher_is_better=None),
    }
