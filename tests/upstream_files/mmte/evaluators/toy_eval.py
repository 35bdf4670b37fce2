import re
from typing import Any, Dict, List, Optional, Sequence, Tuple

from mmte.evaluators.base import BaseEvaluator
from mmte.utils.registry import registry


@registry.register_evaluator()
class ToyColourEvaluator(BaseEvaluator):
    """1 where the first colour word of the answer is (one of) the label(s), else 0."""

    evaluator_ids: List[str] = ["toy_colour_eval"]
    colours: Sequence[str] = ["red", "green", "blue", "yellow", "black", "white"]

    def __init__(self, evaluator_id: str, metrics_cfg: Dict[str, Any], colours: Optional[Sequence[str]] = None) -> None:
        super().__init__(evaluator_id, metrics_cfg)
        if colours is not None:
            self.colours = list(colours)

    def process(
        self,
        preds: Sequence[Any],
        labels: Sequence[Any],
        extras: Optional[Sequence[Any]] = None,
    ) -> Tuple[Sequence[Any], Sequence[Any], Optional[Sequence[Any]]]:
        processed_preds = []
        for pred, label in zip(preds, labels):
            accepted = label if isinstance(label, (list, tuple)) else [label]
            accepted = [str(item).lower() for item in accepted]
            words = [w for w in re.findall(r"[a-z]+", str(pred).lower()) if w in self.colours]
            processed_preds.append(int(bool(words) and words[0] in accepted))
        return processed_preds, labels, extras


@registry.register_evaluator()
class ToyShortenEvaluator(BaseEvaluator):
    """Keeps the first `words` words of an answer, for the evaluator behind it."""

    evaluator_ids: List[str] = ["toy_shorten_eval"]

    def __init__(self, evaluator_id: str, metrics_cfg: Dict[str, Any], words: int = 1) -> None:
        super().__init__(evaluator_id, metrics_cfg)
        self.words = words

    def process(self, preds, labels, extras=None):
        return [" ".join(str(pred).split()[: self.words]) for pred in preds], labels, extras
