"""MMTrustEval's chains of evaluators as the metric of a recipe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from chef.common.judgements import Judging
from chef.common.logs import logger
from chef.common.mmtrusteval import EXTRA, FAILED, OPTION_NAMES, SUBSET
from chef.metric.mmtrusteval.base import RULES_OF, Failure, SampleEvaluator
from chef.metric.mmtrusteval.chain import Processed
from chef.metric.mmtrusteval.chains import (
    CLASSIFIER_KEY,
    FAILURE_RATE,
    KEY,
    chains_of,
    figures,
    sample_values,
)
from chef.metric.mmtrusteval.rules import OPTIONS
from chef.metric.place import OutputsInMemory, PlacedMetric
from chef.metric.records import Record, UnjudgedError
from chef.metric.report import Report
from chef.stats.clusters import clusters_of
from chef.stats.estimate import Estimate
from chef.types import Compat, Prediction, Status

_log = logger(__name__)
#: The finding of a sample with the predictions of every evaluator.
OUTPUTS = "evaluations"
#: The only figure of a task without evaluators.
ANSWERS = "answers"
#: What of a record is no field that a template may name, where the sample has no ``extra``.
_NOT_EXTRA = {"id", "gt_answers", "answer", "status", "judgements", "options"}


@dataclass(slots=True)
class EvaluatedSamples:
    """What the chains have made of some samples, whose places in the lists are by id."""

    places: dict[str, int] = field(default_factory=dict)
    clusters: list[int] = field(default_factory=list)
    subsets: list[str | None] = field(default_factory=list)
    chains: list[Processed] = field(default_factory=list)

    def failures(self, place: int) -> dict[str, Failure]:
        """On which evaluators a sample failed, by the ids up to them: the first of each chain."""
        failures: dict[str, Failure] = {}
        for done in self.chains:
            for key, items in done.outputs.items():
                if isinstance(item := items[place], Failure):
                    failures.setdefault(key.rpartition(":")[0], item)
                    break
        return failures

    def reasons(self) -> Counter[tuple[str, str]]:
        """How many samples lack the output of an evaluator, by its ids and the reason."""
        return Counter(
            (name, failure.reason)
            for place in self.places.values()
            for name, failure in self.failures(place).items()
            if failure.error is None
        )

    def by_subset(self, places: Sequence[int]) -> dict[str, list[int]]:
        """Samples by subset, as these appear; as in MMTrustEval none if the first has none."""
        if not places or self.subsets[places[0]] is None:
            return {}
        found: dict[str, list[int]] = {}
        for place in places:
            if (name := self.subsets[place]) is not None:
                found.setdefault(name, []).append(place)
        return found


class Evaluators(PlacedMetric):
    """Chains of MMTrustEval's evaluators: rules, judges, classifiers and services.

    Each item of ``evaluator_seq_cfgs`` is a chain: the keys of each evaluator by its id, in order.
    The first one is given the answers, each other one the predictions before it; ``metrics_cfg`` of
    the last one names the metrics. The figures are called ``A->B:metric``, and of the samples of a
    subset (``extra.subset``) ``A->B:metric_SUBSET``.

    What a judge, a classifier or a service says is kept in ``evaluations.jsonl`` of the run folder
    as soon as it is there, and is not asked again. An answer on which one failed is unjudged: it is
    left out of the figures of all chains, and asked again by the next command.

    Metrics:
        `METRIC`: as ``metrics_cfg`` of the last evaluator says, such as ``pred_mean`` and
        ``accuracy_score``. `failure_rate`: the share of answers that the evaluators of a chain
        could not decide, in 0..1; they are left out of the mean and the sum of predictions, and
        count as not right in the others. With ``compat: upstream`` there is none. Those of subsets
        are among the scores of groups, field ``subset``. `answers`: how many answers there are,
        where no evaluator is named.

    Args:
        dataset_name: the name of the scenario.
        evaluator_seq_cfgs: the chains. The keys of an evaluator are those of its class, and
            ``metrics_cfg``: the keys of each metric by its id.
        classifier_cfg: keys of all classifiers: ``model_path``, ``revision``, ``device``,
            ``batch_size``; what a classifier says itself counts more.
    """

    compat: ClassVar[Compat] = "corrected"
    rules_of: ClassVar[Mapping[str, str]] = RULES_OF

    def __init__(
        self,
        dataset_name: str = "",
        *,
        evaluator_seq_cfgs: list[dict[str, Any]],
        classifier_cfg: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(dataset_name)
        self.chains = chains_of(evaluator_seq_cfgs, self.compat, classifier_cfg)
        self.needs_judge = self.may_ask_judge = any(one.needs_judge for one in self.chains)
        steps = [step for chain in self.chains for step in chain.steps]
        named = [getattr(step, "model_id", "") for step in steps if step.needs_judge]
        self.named_judges = list(dict.fromkeys(filter(None, named)))
        self.asks = any(isinstance(step, SampleEvaluator) for step in steps)
        self._scored = EvaluatedSamples()

    @classmethod
    def check_keys(cls, options: Mapping[str, Any]) -> None:
        chains_of(options[KEY], cls.compat, options.get(CLASSIFIER_KEY))

    def require(self, *, scored: bool | None) -> None:
        del scored
        for chain in self.chains:
            chain.require()

    def evaluate(
        self,
        predictions: Iterable[Prediction],
        expected: int | None = None,
        groupings: Mapping[str, str] | None = None,
        judging: Judging | None = None,
    ) -> Report:
        """See `Metric.evaluate`. Chains run on all answers; RunError if one fails on all."""
        latest = {item.sample_id: as_answer(item, self.compat) for item in predictions}
        if self.place is not None or not self.asks:
            answered = [item for item in latest.values() if item.status != Status.ERROR]
            self._scored = self._run([_record(item) for item in answered])
        for (name, why), count in self._scored.reasons().items():
            _log.warning(
                "%s failed on %d of %d answers; the same command asks them again (%s)",
                name, count, len(self._scored.places), why,
            )  # fmt: skip
        try:
            return super().evaluate(latest.values(), expected, groupings, judging)
        finally:
            self._scored = EvaluatedSamples()

    def score_sample(self, record: Record) -> Record:
        name, scored = str(record["id"]), self._scored
        if name not in scored.places:  # a running score, or a rehearsal
            if self.asks:
                for chain in self.chains:
                    chain.check(*_given(record))
                raise UnjudgedError("its evaluators are asked when all answers are there")
            scored = self._run([record])
        place = scored.places[name]
        if failures := scored.failures(place):
            key, failure = next(iter(failures.items()))
            if failure.error is not None:
                raise failure.error
            raise UnjudgedError(f"{key}: {failure.reason}")
        made = [done.outputs for done in scored.chains]
        outputs = {key: items[place] for one in made for key, items in one.items()}
        main = scored.chains[0].preds[place] if scored.chains else None
        score = {"metric_result": main} if isinstance(main, int | float) else {}
        return {OUTPUTS: outputs, **({"parsed": main} if scored.chains else {}), **score}

    def first_prompt(self, answer: Prediction) -> str:
        """What the judge is asked about an answer first, where a chain begins with it."""
        prompts = (
            prompt for chain in self.chains for prompt in chain.check(*_given(_record(answer)))
        )
        return next(prompts, "")

    def metric_func(self, answers: list[Record]) -> Mapping[str, Any]:
        scored = self._of(answers)
        places = sorted(scored.places[str(answer["id"])] for answer in answers)
        figures = self._figures(scored, places)
        for subset, members in scored.by_subset(places).items():
            named = self._figures(scored, members)
            # Failure rates of subsets are among the scores of groups.
            figures |= {
                f"{key}_{subset}": value
                for key, value in named.items()
                if not key.endswith(f":{FAILURE_RATE}")
            }
        if not any(chain.steps for chain in self.chains):
            figures = {ANSWERS: Estimate(len(places), len(places), unit="count")}
        return {**figures, **self._told(scored)}

    def group_metrics(self, answers: list[Record]) -> Mapping[str, Any]:
        """The same without those of subsets, which are groups themselves."""
        scored = self._of(answers)
        return self._figures(scored, [scored.places[str(answer["id"])] for answer in answers])

    def _of(self, answers: Sequence[Record]) -> EvaluatedSamples:
        """What the chains have made of some answers; they are run where that is not known."""
        is_known = all(str(answer["id"]) in self._scored.places for answer in answers)
        return self._scored if is_known else self._run(answers)

    def _figures(self, scored: EvaluatedSamples, places: Sequence[int]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for chain, done in zip(self.chains, scored.chains, strict=True):
            found |= figures(chain, done, places, scored.clusters)
        return found

    def _run(self, records: Sequence[Record]) -> EvaluatedSamples:
        """Run the chains; what several of them begin with is asked once."""
        given = [_given(record) for record in records]
        preds, labels, extras = ([one[part] for one in given] for part in range(3))
        names = [str(record["id"]) for record in records]
        kept = (self.place.kept if self.place is not None else None) or OutputsInMemory()
        done = [
            chain.process(preds, labels, extras, names=names, place=self.place, kept=kept)
            for chain in self.chains
        ]
        for chain, one in zip(self.chains, done, strict=True):
            one.outputs |= sample_values(chain, one)
        return EvaluatedSamples(
            places={name: place for place, name in enumerate(names)},
            clusters=clusters_of(records),
            subsets=[_subset(extra) for extra in extras],
            chains=done,
        )

    def _told(self, scored: EvaluatedSamples) -> dict[str, Any]:
        """What the results tell besides figures: versions, the judge, and why answers lack."""
        steps = {step.evaluator_id: step for chain in self.chains for step in chain.steps}
        lines = [{"evaluator": name, **step.provenance()} for name, step in steps.items()]
        judge = self.place.judge if self.place is not None and self.needs_judge else None
        unjudged = [
            {"evaluator": name, "reason": why, "count": count}
            for (name, why), count in scored.reasons().items()
        ]
        return {
            **({"evaluators": told} if (told := [line for line in lines if len(line) > 1]) else {}),
            **({"judge": f"{judge.name} {judge.identity}"} if judge is not None else {}),
            **({"not_evaluated": unjudged} if unjudged else {}),
        }


def as_answer(item: Prediction, compat: Compat) -> Prediction:
    """A prediction; by MMTrustEval's own rules the text by which a model tells that it failed is
    its answer.
    """
    message = str((item.error or {}).get("message", ""))
    if compat != "upstream" or item.status != Status.ERROR or not message.startswith(FAILED):
        return item
    text = message.partition("\n  -> ")[0]  # without the remedy
    return replace(item, status=Status.OK, answer=text, error=None)


def _record(item: Prediction) -> Record:
    """What the chains are given of an answer: the fields of its sample, and none of the model's."""
    own = {"id": item.sample_id, "answer": item.answer, "status": str(item.status)}
    return {**item.sample, **own}


def _given(record: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    """Answer, reference and ``extra`` of a record, else its other fields, with options' names."""
    answer = record.get("answer")
    extra = record.get(EXTRA)
    if extra is None:
        extra = {key: item for key, item in record.items() if key not in _NOT_EXTRA}
    if OPTION_NAMES in record and isinstance(extra, Mapping):
        extra = {OPTIONS: record[OPTION_NAMES], **extra}
    return "" if answer is None else answer, record.get("gt_answers"), extra


def _subset(extra: Any) -> str | None:
    name = extra.get(SUBSET) if isinstance(extra, Mapping) else None
    return None if name is None else str(name)
