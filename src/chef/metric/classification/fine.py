"""Fine-grained classification: how specific is the correct class that an answer gives?"""

from __future__ import annotations

from typing import Any, Literal

from chef.errors import ConfigError, DataError
from chef.metric.records import answer_text, check_kind, is_scored, required_texts, turns_of
from chef.metric.vqa.accuracy import MeanMetric
from chef.reading.names import mentioned_labels
from chef.reading.text import POLICY, evidence, strip_reasoning
from chef.scenario.omnibenchmark import load_taxonomy, taxonomy_file


class FGClassification(MeanMetric):
    """Fine-grained classification: the depth to which answers follow a chain of ever finer classes.

    Several turns ask for one level each; the depth is the number of levels before the first wrong
    one. A single answer has the depth of the finest class of the chain that it mentions. Options
    are compared as a whole, text is searched for whole words. With a hierarchy, the name of another
    class that contains the word ("hot dog") does not count as mentioning it.

    Metrics:
        ``score``: ChEF's weighted accuracy: the mean share of correct levels, in %.

    Args:
        dataset_name: the name of the scenario.
        inference_type: ``singleturn`` or ``multiturn``; None accepts both.
        ppl: whether options were scored; None accepts both.
        bamboo_tree_path: the hierarchy, a JSON file; None to use none.
        sibling_credit: for turns of free text, give half a level if the first wrong answer mentions
            a sibling of the correct class in the hierarchy. ChEF intends such credit but never
            gives it; the amount is our choice.

    Raises:
        DataError: the hierarchy does not exist.
        ConfigError: ``sibling_credit`` is set without a hierarchy.
    """

    primary = "score"
    chance_for = ("score",)
    policy = POLICY

    def __init__(
        self,
        dataset_name: str = "",
        *,
        inference_type: Literal["singleturn", "multiturn"] | None = None,
        ppl: bool | None = None,
        bamboo_tree_path: str | None = None,
        sibling_credit: bool = False,
    ) -> None:
        super().__init__(dataset_name)
        if sibling_credit and bamboo_tree_path is None:
            raise ConfigError(
                "sibling_credit needs a hierarchy, which defines the siblings, and none is given",
                where="metric_cfg.sibling_credit",
                hint="add bamboo_tree_path",
            )
        self.sibling_credit = sibling_credit
        self.inference_type, self.ppl = inference_type, ppl
        self.needs_options, self.needs_prompt_type = ppl, inference_type
        self._tree = bamboo_tree_path
        if bamboo_tree_path is not None:
            taxonomy_file(bamboo_tree_path)

    def score_sample(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the share of correct levels, 0 to 1; ``depth`` is their number."""
        chain = required_texts(record, "chain of classes in gt_answers")
        turns = turns_of(record)
        scored = is_scored(turns) or record.get("choice") is not None
        check_kind(self.inference_type, "multiturn" if turns else "singleturn")
        check_kind(None if self.ppl is None else str(self.ppl), str(scored), "ppl")
        if turns:
            predicted = [answer_text(dict(turn)) for turn in turns]
            depth: float = self._walk(chain, predicted, scored)
        else:
            predicted = [self.text(record)]
            right = [self.names_label(label, predicted[0], scored=scored) for label in chain]
            depth = max((level for level, hit in enumerate(right, start=1) if hit), default=0)
        return {
            "metric_result": depth / len(chain),
            "depth": depth,
            "parsed": predicted if any(text.strip() for text in predicted) else None,
            "evidence": evidence("option" if scored else "class named"),
        }

    def text(self, record: dict[str, Any]) -> str:
        """The answer that was given in a single turn."""
        return answer_text(record)

    def _walk(self, chain: list[str], predicted: list[str], scored: bool) -> float:
        if len(predicted) != len(chain):
            raise DataError(f"{len(predicted)} turns are answered, and the chain has {len(chain)}")
        for depth, (label, text) in enumerate(zip(chain, predicted, strict=True)):
            if not self.names_label(label, text, scored=scored):
                parent = chain[depth - 1] if depth else None
                return depth + (0.0 if scored else self._credit(label, parent, text))
        return len(chain)

    def _credit(self, label: str, parent: str | None, text: str) -> float:
        """Half a level if ``text`` mentions a sibling of ``label``, else 0."""
        if not self.sibling_credit or self._tree is None:
            return 0.0
        siblings = load_taxonomy(self._tree).siblings(label, parent)
        return 0.5 if mentioned_labels(strip_reasoning(text), siblings) else 0.0

    def names_label(self, label: str, text: str, *, scored: bool) -> bool:
        """Whether an answer, perhaps a ``scored`` option, gives the true class of a level."""
        if scored:
            return label == text
        longer = () if self._tree is None else load_taxonomy(self._tree).mistaken_for(label)
        return label in mentioned_labels(strip_reasoning(text), [label, *longer])
