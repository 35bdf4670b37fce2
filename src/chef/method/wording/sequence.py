"""ChEF's sequence of changes of the text of a question."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

from chef.common.logs import logger
from chef.errors import ChefError, DependencyError, SampleError
from chef.method.corruptions.base import SEVERITIES
from chef.method.wording import characters, options
from chef.method.wording import words as of_words
from chef.method.wording.base import ByRate, ChangedQuestion
from chef.method.wording.rewriting import Rewritten
from chef.models import Model
from chef.types import Sample

_log = logger(__name__)
_SENTENCES = {
    "active-to-passive": "active_to_passive",
    "passive-to-active": "passive_to_active",
    "formal-to-casual": "formal_to_casual",
    "casual-to-formal": "casual_to_formal",
    "back-translation": "back_trans",
}


class WordingStep(NamedTuple):
    """One step of the sequence, as ``Text_Corruptions_info.json`` has it; severity 1 to 5."""

    level: str
    method: str
    severity: int


class TextSequence(ChangedQuestion):
    """Small letters; contraction or expansion; one change each of sentence, word, character, option.

    Character methods and synonyms have a severity, 1 to 5, all as likely. A method that fails, or
    leaves nothing of the question, is drawn again; where every method of a level fails, it is left
    out. Sentences need a model that rewrites them, and are left out without one.

    Args:
        method_id: the id under which it was chosen.
        model: the model that rewrites sentences; a recipe may give its file as ``model_cfg``.
        seed: of everything that is drawn at random.
    """  # noqa: E501

    takes_model: ClassVar[bool] = True
    needs_gradients: ClassVar[bool] = False
    groups: ClassVar[Sequence[Sequence[tuple[str, type[ChangedQuestion]]]]] = (
        (("lowercase", of_words.Lowercase),),
        (("contraction", of_words.Contraction), ("expansion", of_words.Expansion)),
        tuple((name, Rewritten) for name in _SENTENCES),
        (("swap-synonym", of_words.SwapSynonym), ("insert-adverb", of_words.InsertAdverb),
         ("append-irrelevant", of_words.AppendIrrelevant)),
        (("char-ocr", characters.ScanErrors), ("char-typos", characters.Typos),
         ("char-spelling", characters.SpellingErrors),
         ("char-keyboard", characters.KeyboardErrors)),
        (("circular-option", options.CircularOption), ("reverse-option", options.ReverseOption)),
    )  # fmt: skip

    def __init__(
        self, method_id: str, model: Callable[[], Model] | None = None, *, seed: int = 0
    ) -> None:
        super().__init__(method_id, seed=seed)
        self._model = model
        self._rewriting: dict[str, Rewritten] = {}
        if model is None:
            left_out = ", ".join(_SENTENCES)
            _log.warning("%s: without model_cfg it leaves out %s", method_id, left_out)

    def fingerprint(self) -> str:
        return "" if self._model is None else self._sentence("back-translation").fingerprint()

    def changed(self, sample: Sample, rng: random.Random) -> Sample:
        return self.run(sample, rng)[0]

    def steps(self, sample: Sample) -> list[WordingStep]:
        """What is done to a sample, in order; it is done for that."""
        return self.run(sample, self.stream(sample))[1]

    def run(self, sample: Sample, rng: random.Random) -> tuple[Sample, list[WordingStep]]:
        """The changed sample, and what was done to it, in order."""
        steps = []
        for group in self.groups:
            left = [item for item in group if self._model or not issubclass(item[1], Rewritten)]
            while left:
                name, kind = left.pop(rng.randrange(len(left)))
                severity = rng.randint(1, SEVERITIES) if issubclass(kind, ByRate) else 1
                try:
                    sample = self._method(name, kind, severity).changed(sample, rng)
                except (SampleError, DependencyError):
                    continue
                steps.append(WordingStep(kind.level, _SENTENCES.get(name, kind.title), severity))
                break
        if not steps:
            raise SampleError(
                "no method can be applied: the sample has neither a text nor listed options",
                where=f"sample '{sample.id}'",
            )
        return sample, steps

    def _method(self, name: str, kind: type[ChangedQuestion], severity: int) -> ChangedQuestion:
        if issubclass(kind, Rewritten):
            return self._sentence(name)
        keys: dict[str, Any] = {"severity": severity} if issubclass(kind, ByRate) else {}
        return kind(name, **keys)

    def _sentence(self, name: str) -> Rewritten:
        if self._model is None:
            raise ChefError("there is no model that rewrites sentences")
        return self._rewriting.setdefault(name, Rewritten(name, self._model, seed=self.seed))
