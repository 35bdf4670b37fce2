"""Free answers by VLMEvalKit's own rules: scores, and a class for each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from chef.metric.records import answer_text, required_references, scored_entry
from chef.metric.vlmevalkit.failures import FailuresAreAnswers
from chef.metric.vlmevalkit.table import open_answers
from chef.metric.vqa import open_answers as corrected
from chef.metric.vqa import texts_in_images
from chef.metric.vqa.accuracy import share_of
from chef.metric.vqa.open_answers import OpenAnswerMetric, levenshtein
from chef.reading.rules.vqa_normal import process_answer
from chef.reading.text import Reading
from chef.stats.estimate import Estimate

Method: TypeAlias = Literal["vqa_score", "anls", "relaxed_accuracy", "accuracy", "mean_accuracy"]

#: Parts of the names of data sets that are not scored by `vqa_score`.
_METHODS: Mapping[str, Method] = {
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
    is compared. Otherwise the texts have to be equal, up to case. So "5%" is not "5", and "1,000"
    not "1000". Blanks around the answer do not count; what is known of VLMEvalKit's rules does not
    say so.
    """
    text = str(answer).strip()
    return float(any(_is_close(text, str(reference)) for reference in references))


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


class WholeText(FailuresAreAnswers, OpenAnswerMetric):
    """A mixin: the whole answer is scored, with its chain of thought, also where it is empty.

    The metric is that of all answers and of each split, or of each category where the rows have no
    splits, in %.
    """

    policy = "VLMEvalKit"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the score, 0 to 1; ``parsed`` is the answer."""
        references, text = required_references(record), answer_text(record)
        score = self.score_record(record, text, references)
        found: Reading[str] = Reading(text, "text", text)
        return {**scored_entry(found, right=score > 0), "metric_result": score}

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {**open_answers(answers, name=self.primary), "open_answers": self.compared}

    def group_metrics(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        """The metric of the group."""
        return {self.primary: share_of(answers, "metric_result")}


class VQAAccuracy(WholeText, corrected.VQAAccuracy):
    """VQA accuracy by `vqa_score`: leaving one annotator out, a single reference gives 0."""

    compared = "by VLMEvalKit's vqa_score"

    def score(self, answer: str, references: list[str]) -> float:
        """0 to 1."""
        return vqa_score(answer, references)


class ANLS(WholeText, corrected.ANLS):
    """ANLS by `anls`: distances are divided by the length of the texts as they were written."""

    def score(self, answer: str, references: list[str]) -> float:
        """The similarity to the most similar reference, 0 to 1."""
        return anls(answer, references, self.threshold)


class RelaxedAccuracy(WholeText, corrected.RelaxedAccuracy):
    """Relaxed accuracy by `relaxed_accuracy`: numbers are what Python reads as one."""

    compared = "by VLMEvalKit's relaxed accuracy"

    def score(self, answer: str, references: list[str]) -> float:
        """1 or 0."""
        return relaxed_accuracy(answer, references)


class ExactMatch(WholeText, corrected.ExactMatch):
    """Exact match by `accuracy`: up to case and blanks around the texts, and no more."""

    compared = "right where they equal a reference, up to case and blanks around it"

    def score(self, answer: str, references: list[str]) -> float:
        """1 or 0."""
        return accuracy(answer, references)


class OCRBench(WholeText, texts_in_images.OCRBench):
    """The whole answer is searched, with its chain of thought, and categories are counted.

    Metrics: ``Final Score`` (a count, 0 to 1000), ``Final Score Norm`` (a tenth of it), and the
    right answers of each of the five parts (counts). What is known of VLMEvalKit's rules says that
    blanks of formulas are removed; that case counts there and nowhere else is the benchmark's rule.
    """

    primary = "Final Score Norm"

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        return {**self.group_metrics(answers), **ocrbench_parts(answers)}

    def group_metrics(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        """``Final Score Norm`` and ``Final Score`` of the group."""
        right = sum(answer["metric_result"] for answer in answers)
        return {
            "Final Score": Estimate(right, len(answers), unit="count"),
            "Final Score Norm": Estimate(right / 10, len(answers), unit="0-100"),
        }


def ocrbench_parts(rows: list[dict[str, Any]]) -> dict[str, Estimate]:
    """The right answers of each part, as counts; 0 where it has none."""
    found = {}
    for name, categories in texts_in_images.PARTS.items():
        part = [row["metric_result"] for row in rows if row.get("category") in categories]
        found[name] = Estimate(sum(part), len(part), unit="count")
    return found
