"""How fine a class is named rightly?"""

from __future__ import annotations

from typing import Any, Literal

from chef.common.taxonomy import load_taxonomy, taxonomy_file
from chef.errors import ConfigError, DataError
from chef.extraction import POLICY
from chef.extraction.names import named
from chef.extraction.text import visible
from chef.metric.base import BaseMetric
from chef.metric.records import answer_text, check_kind, is_scored, missing_truth, truths, turns_of
from chef.metric.statistics import bootstrap_mean
from chef.types import Compat


class FGClassification(BaseMetric):
    """Fine-grained classification: how far down a chain of ever finer classes an answer is right.

    Turns: the levels are walked down while the answer is right. One answer: the finest class of the
    chain that it names. Options are compared as a whole, text is searched for whole words; with a
    hierarchy the name of another class that holds the word ("hot dog") does not count for it.

    Figures:
        ``score``: ChEF's weighted accuracy: mean share of the levels that are right, in %.

    Args:
        dataset_name: the name of the scenario.
        inference_type: ``singleturn`` or ``multiturn``; None goes by what the answers hold.
        ppl: whether options were scored; None goes by what the answers hold.
        bamboo_tree_path: the hierarchy, JSON; None does without.
        sibling_credit: turns of free text: where the walk ends, half a level for an answer that
            names a class beside the right one in the hierarchy. ChEF means to give such credit and
            never does; how much is our choice.
        compat: ``upstream``: a class counts wherever its letters are in the answer, also in that of
            an option ("dog" in "hot dog").

    Raises:
        DataError: there is no such hierarchy.
        ConfigError: credit for siblings without a hierarchy.
    """

    primary = "score"

    def __init__(
        self,
        dataset_name: str = "",
        *,
        inference_type: Literal["singleturn", "multiturn"] | None = None,
        ppl: bool | None = None,
        bamboo_tree_path: str | None = None,
        sibling_credit: bool = False,
        compat: Compat = "corrected",
    ) -> None:
        super().__init__(dataset_name)
        if sibling_credit and bamboo_tree_path is None:
            raise ConfigError(
                "the hierarchy says which classes are siblings, and none is given",
                where="metric_cfg.sibling_credit",
                mend="add bamboo_tree_path",
            )
        self.sibling_credit = sibling_credit
        self.inference_type, self.ppl, self.compat = inference_type, ppl, compat
        self.needs_options, self.needs_prompt_type = ppl, inference_type
        self._tree = bamboo_tree_path
        if bamboo_tree_path is not None:
            taxonomy_file(bamboo_tree_path)

    def judge(self, record: dict[str, Any]) -> dict[str, Any]:
        """``metric_result`` is the share, 0 to 1; ``depth`` how many levels are right."""
        chain = [str(label) for label in truths(record)]
        if not chain:
            raise missing_truth(record, "chain of classes in gt_answers")
        turns = turns_of(record)
        scored = is_scored(turns) or record.get("choice") is not None
        check_kind(self.inference_type, "multiturn" if turns else "singleturn")
        check_kind(None if self.ppl is None else str(self.ppl), str(scored), "ppl")
        if turns:
            said = [answer_text(dict(turn)) for turn in turns]
            depth: float = self._walk(chain, said, scored)
        else:
            said = [answer_text(record)]
            right = [self._right(label, said[0], scored) for label in chain]
            depth = max((level for level, hit in enumerate(right, start=1) if hit), default=0)
        return {
            "metric_result": depth / len(chain),
            "depth": depth,
            "parsed": said if any(text.strip() for text in said) else None,
            "evidence": {"rule": "option" if scored else "class named", "text": "", "span": None},
        }

    def metric_func(self, answers: list[dict[str, Any]]) -> dict[str, Any]:
        shares = [answer["metric_result"] for answer in answers]
        score = bootstrap_mean(shares, unit="0-1").scaled(100.0, "%")
        return {"score": score, "policy": POLICY}

    def _walk(self, chain: list[str], said: list[str], scored: bool) -> float:
        if len(said) != len(chain):
            raise DataError(f"{len(said)} turns are answered, and the chain has {len(chain)}")
        for depth, (label, text) in enumerate(zip(chain, said, strict=True)):
            if not self._right(label, text, scored):
                parent = chain[depth - 1] if depth else None
                return depth + (0.0 if scored else self._credit(label, parent, text))
        return len(chain)

    def _credit(self, label: str, parent: str | None, text: str) -> float:
        """Half a level for a class beside the right one."""
        if not self.sibling_credit or self._tree is None:
            return 0.0
        siblings = load_taxonomy(self._tree).siblings(label, parent)
        return 0.5 if named(visible(text), siblings) else 0.0

    def _right(self, label: str, text: str, scored: bool) -> bool:
        if self.compat == "upstream":
            return label in text
        if scored:
            return label == text
        longer = () if self._tree is None else load_taxonomy(self._tree).mistaken_for(label)
        return label in named(visible(text), [label, *longer])
