"""ChEF's sequences of changes: of an image one corruption of each group, then all of geometry; of a
question changes of its sentences, which a model makes, of its words and of its letters.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from chef.common.logs import logger
from chef.errors import ChefError, DependencyError, SampleError
from chef.method.corruptions import digital, noise, weather
from chef.method.corruptions.base import SEVERITIES, ChangedImages, Corruption
from chef.method.wording import words as of_words
from chef.method.wording.base import (
    ByRate,
    ChangedQuestion,
    CircularOption,
    ReverseOption,
    Reworded,
    tables,
)
from chef.models import Model
from chef.models.lifecycle import fingerprint, prepare
from chef.types import Generate, Sample, Text, Turn

if TYPE_CHECKING:
    from numpy.random import Generator

    from chef.method.corruptions.base import Bytes

_log = logger(__name__)


class CorruptionStep(NamedTuple):
    """One step of the sequence: a corruption at a severity of 1 to 5."""

    kind: type[Corruption]
    severity: int

    def to_json(self) -> dict[str, object]:
        """As ``Image_Corruptions_info.json`` has it."""
        return {"corruption_type": self.kind.title, "severity": self.severity}


class ImageSequence(ChangedImages):
    """One random corruption of noise, blur, weather and digital each, then all four of geometry.

    Each has a severity of its own, 1 to 5, all as likely. One that fails is drawn again.
    """

    groups: ClassVar[Sequence[Sequence[type[Corruption]]]] = (
        (noise.GaussianNoise, noise.ShotNoise, noise.ImpulseNoise, noise.SpeckleNoise),
        (noise.DefocusBlur, noise.GlassBlur, noise.MotionBlur, noise.ZoomBlur, noise.GaussianBlur),
        (weather.Snow, weather.Frost, weather.Fog, weather.Brightness, weather.Spatter),
        (digital.Contrast, digital.ElasticTransform, digital.Pixelate, digital.Jpeg,
         digital.Saturate),
        (digital.CenterCrop,), (digital.ResizeX,), (digital.ResizeY,), (digital.Rotate,),
    )  # fmt: skip

    def changed(self, pixels: Bytes, rng: Generator) -> Bytes:
        return self.run(pixels, rng)[0]

    def steps(self, sample: Sample, place: int = 0) -> list[CorruptionStep]:
        """What is done to an image of a sample, in order; it is done for that."""
        import numpy as np

        return self.run(np.asarray(sample.images[place].view()), self.stream(sample, place))[1]

    def run(self, pixels: Bytes, rng: Generator) -> tuple[Bytes, list[CorruptionStep]]:
        """The changed image, and what was done to it, in order."""
        steps = []
        for group in self.groups:
            left = [*group]
            while left:
                kind = left.pop(int(rng.integers(len(left))))
                step = CorruptionStep(kind, int(rng.integers(1, SEVERITIES + 1)))
                try:
                    pixels = kind.corrupted(pixels, kind.levels[step.severity - 1], rng)
                except (ValueError, ArithmeticError) as error:
                    _log.warning("%s: %s; another one is drawn", kind.title, error)
                else:
                    steps.append(step)
                    break
        return pixels, steps


#: The most tokens of a rewritten question.
_TOKENS = 256


class Rewritten(Reworded):
    """What is asked, as a model of your choice writes it when it is told how.

    Args:
        method_id: how: ``active-to-passive``, ``passive-to-active``, ``formal-to-casual``,
            ``casual-to-formal``, or ``back-translation``, to German and back.
        model: the model that rewrites, loaded when the first question is needed. A recipe gives
            its file as ``model_cfg``: the name of a shipped one, a path (beside the recipe first),
            or the content of one as a mapping.
        seed: of the model's replies.
    """

    needs_model: ClassVar[bool] = True
    needs_gradients: ClassVar[bool] = False
    level: ClassVar[str] = "sentence"

    def __init__(self, method_id: str, model: Callable[[], Model], *, seed: int = 0) -> None:
        super().__init__(method_id, seed=seed)
        self._model, self._lock = model, threading.Lock()
        self._replies: dict[str, str] = {}

    def fingerprint(self) -> str:
        return fingerprint(self._model())

    def reworded(self, text: str, rng: random.Random) -> str:
        del rng
        for told in tables()["rewriting"][self.method_id]:
            text = self._reply(f"{told}\n\n{text}")
        return text

    def _reply(self, prompt: str) -> str:
        """The reply of the model, which is asked once."""
        with self._lock:  # samples are made in several threads
            if prompt not in self._replies:
                model = self._model()
                prepare(model)
                conversation = (Turn("user", (Text(prompt),)),)
                request = Generate(conversation, max_new_tokens=_TOKENS, seed=self.seed)
                (reply,) = model.generate([request])
                if reply.finish_reason != "stop":
                    raise SampleError(f"{self.method_id}: the reply is not complete")
                self._replies[prompt] = reply.text.strip()
            return self._replies[prompt]


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
        model: the model that rewrites sentences; a recipe may give its file as ``model_cfg``.
    """  # noqa: E501

    takes_model: ClassVar[bool] = True
    needs_gradients: ClassVar[bool] = False
    groups: ClassVar[Sequence[Sequence[tuple[str, type[ChangedQuestion]]]]] = (
        (("lowercase", of_words.Lowercase),),
        (("contraction", of_words.Contraction), ("expansion", of_words.Expansion)),
        tuple((name, Rewritten) for name in _SENTENCES),
        (("swap-synonym", of_words.SwapSynonym), ("insert-adverb", of_words.InsertAdverb),
         ("append-irrelevant", of_words.AppendIrrelevant)),
        (("char-ocr", of_words.ScanErrors), ("char-typos", of_words.Typos),
         ("char-spelling", of_words.SpellingErrors),
         ("char-keyboard", of_words.KeyboardErrors)),
        (("circular-option", CircularOption), ("reverse-option", ReverseOption)),
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
