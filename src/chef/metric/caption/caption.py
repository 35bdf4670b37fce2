"""Objects mentioned by captions: precision and recall."""

from __future__ import annotations

from typing import Any, Literal

from chef.errors import DataError
from chef.metric.base import Metric
from chef.metric.caption.overlap import (
    BLEU_ORDERS,
    bleu_counts,
    cider_d,
    corpus_bleu,
    meteor_estimate,
    rouge_l,
)
from chef.metric.records import (
    answer_text,
    by_score,
    check_kind,
    names,
    references_of,
    required_choices,
    required_texts,
    scored_choice,
    scored_entry,
)
from chef.metric.vqa.accuracy import accuracy
from chef.reading.names import mentioned_labels
from chef.reading.text import POLICY, Reading, strip_reasoning
from chef.reading.words import tokens
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate, undefined
from chef.stats.figures import mean, ratio, share


def object_metrics(answers: list[dict[str, Any]]) -> dict[str, Estimate]:
    """Precision and recall of mentioned objects, in %, over samples that list their ``objects``.

    The vocabulary is the union of the objects of these samples. An object of the vocabulary that is
    mentioned but not in the image counts against precision.

    Returns:
        ``object_recall``: correctly mentioned objects over true objects, summed over images.
        ``object_precision``: correctly mentioned objects over mentioned ones.
        ``object_exact``: captions that mention all true objects and no other.
        The result is empty if no sample lists its objects.
    """
    listed = [answer for answer in answers if names(answer, "objects")]
    if not listed:
        return {}
    references = [set(names(answer, "objects")) for answer in listed]
    vocabulary = set().union(*references)
    predicted = [set(mentioned_labels(answer["parsed"] or "", vocabulary)) for answer in listed]
    pairs = list(zip(predicted, references, strict=True))
    right = [len(mentioned & true) for mentioned, true in pairs]
    exact = [float(mentioned == true) for mentioned, true in pairs]
    clusters = clusters_of(listed)
    return {
        "object_recall": ratio(right, [len(true) for true in references], clusters),
        "object_precision": ratio(right, [len(item) for item in predicted], clusters),
        "object_exact": share(exact, clusters),
    }


class Caption(Metric):
    """The quality of captions, by their references and by the objects in the image.

    Metrics of written captions (``strategy: direct``):
        ``Bleu_1`` .. ``Bleu_4``: corpus BLEU, 0 to 100, unsmoothed.
        ``ROUGE_L``: mean ROUGE-L (beta 1.2), as the COCO caption server has it, 0 to 100.
        ``CIDEr``: mean CIDEr-D times 100, as commonly published, 0 to 1000; needs two captions.
        ``object_recall``, ``object_precision``, ``object_exact``: see `object_metrics`; only if
        samples list their ``objects``.
    They compare lower-case words without punctuation (`tokens`). ChEF's own ``BLEU4`` and ``Rouge``
    need ``compat: upstream``.

    Metrics of captions chosen by their scores:
        ``ACC``: with ``strategy: acc`` the correct captions chosen, in %; with ``top_acc`` the mean
        share of correct captions among the better-scored half of the options, in %.
        ``match_ratio``: 100.

    The intervals take the document frequencies of CIDEr as they are.

    Args:
        dataset_name: the name of the scenario.
        strategy: ``direct``, ``acc`` or ``top_acc``; None accepts written and chosen captions, and
            scores chosen ones by ``acc``.
    """

    primary = "CIDEr"
    chance_for = ("ACC",)
    policy = POLICY

    def __init__(
        self,
        dataset_name: str = "",
        strategy: Literal["direct", "acc", "top_acc"] | None = None,
    ) -> None:
        super().__init__(dataset_name)
        self.strategy = strategy
        self.needs_options = None if strategy is None else strategy != "direct"

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the share of the objects that are mentioned, else ROUGE-L, in 0..1.

        For a chosen caption it is 1 or 0 (with ``top_acc`` a share). ``parsed`` is the caption
        without its reasoning.
        """
        choice = scored_choice(record)
        chosen = "top_acc" if self.strategy == "top_acc" else "acc"
        check_kind(self.strategy, "direct" if choice is None else chosen, "strategy")
        if choice is not None:
            right = required_choices(record)
            hit = self.is_right_caption(record, choice, right)
            entry = scored_entry(by_score(choice, record), right=hit)
            half = {"metric_result": _best_half(record, right)} if chosen == "top_acc" else {}
            return {**entry, **half}
        scored = self.score_text(record)
        objects = set(names(record, "objects"))
        if objects:
            mentioned = mentioned_labels(scored["parsed"] or "", objects)
            scored["objects_named"] = mentioned
            scored["metric_result"] = len(mentioned) / len(objects)
        return scored

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        chosen = [answer for answer in answers if answer.get("choice") is not None]
        written = [answer for answer in answers if answer.get("choice") is None]
        metrics: dict[str, Any] = {}
        if (written or not chosen) and self.strategy in (None, "direct"):
            metrics = {**self.text_metrics(written), **object_metrics(written)}
        if chosen or self.strategy in ("acc", "top_acc"):
            metrics |= accuracy(chosen)
        if self.strategy == "top_acc":
            metrics["ACC"] = mean_percentage(chosen, "metric_result", "%")
        return metrics

    def is_right_caption(self, record: dict[str, Any], choice: int, right: set[int]) -> bool:  # noqa: ARG002
        """Whether the caption that was chosen by its score is one of the correct ones.

        Args:
            record: the record of the sample.
            choice: the index of the chosen caption.
            right: the indices of the correct ones.
        """
        return choice in right

    def score_text(self, record: dict[str, Any]) -> dict[str, Any]:
        """The findings about the words of a written caption."""
        return score_caption(record)

    def text_metrics(self, answers: list[dict[str, Any]]) -> dict[str, Estimate]:
        """The metrics of the words of written captions."""
        return word_metrics(answers)


def score_caption(record: dict[str, Any]) -> dict[str, Any]:
    """The text of a written caption without reasoning, and its ROUGE-L; or MissingTruthError."""
    references = required_texts(record, "references in gt_answers")
    text = strip_reasoning(answer_text(record)).strip()
    found: Reading[str] = Reading(text or None, "text" if text else "none", text)
    rouge = rouge_l(tokens(text), [tokens(item) for item in references])
    return {**scored_entry(found, right=False), "metric_result": rouge, "rouge_l": rouge}


def word_metrics(answers: list[dict[str, Any]]) -> dict[str, Estimate]:
    """``Bleu_1`` .. ``Bleu_4``, ``ROUGE_L`` and ``CIDEr`` of answers scored by `score_caption`."""
    candidates = [tokens(answer["parsed"] or "") for answer in answers]
    references = [[tokens(str(item)) for item in references_of(answer)] for answer in answers]
    counts = [bleu_counts(*pair) for pair in zip(candidates, references, strict=True)]
    cider = undefined(n=len(answers))
    if len(answers) > 1:
        cider = mean(cider_d(candidates, references), clusters_of(answers), least=0)
    return {
        **{
            f"Bleu_{order}": corpus_bleu(counts, order, clusters_of(answers))
            for order in BLEU_ORDERS
        },
        "ROUGE_L": mean_percentage(answers, "rouge_l"),
        "CIDEr": cider.scaled(100.0, "0-1000"),
    }


def _best_half(record: dict[str, Any], right: set[int]) -> float:
    """The share of correct options among the better-scored half, in 0..1."""
    scores = record.get("ppl_results")
    if not isinstance(scores, list) or len(scores) < 2:
        raise DataError("strategy top_acc needs the scores of two options or more")
    order = sorted(range(len(scores)), key=lambda option: (-scores[option], option))
    half = order[: len(scores) // 2]
    return sum(option in right for option in half) / len(half)


def mean_percentage(answers: list[dict[str, Any]], key: str, unit: str = "0-100") -> Estimate:
    """The mean of ``key``, which is in 0..1, as 0 to 100."""
    return share([answer[key] for answer in answers], clusters_of(answers), unit)


class LAMMCaption(Metric):
    """Word overlap of captions with references, over all images together.

    Metrics:
        ``Bleu_1`` .. ``Bleu_4``, ``ROUGE_L``: 0 to 100; ``CIDEr``: 0 to 1000; as in `Caption`.
        ``METEOR``: 0 to 100, without an interval; no value where the package ``pycocoevalcap`` and
        Java are not installed.

    Words come from `chef.reading.words.tokens` instead of the Penn Treebank tokenizer, which
    also needs Java, so values differ slightly from LAMM's.
    """

    primary = "CIDEr"
    policy = POLICY

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is ROUGE-L, in 0..1; ``parsed`` is the caption without reasoning."""
        return score_caption(record)

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        candidates = [" ".join(tokens(answer["parsed"] or "")) for answer in answers]
        references = [
            [" ".join(tokens(str(item))) for item in references_of(answer)] for answer in answers
        ]
        return {**word_metrics(answers), "METEOR": meteor_estimate(candidates, references)}
