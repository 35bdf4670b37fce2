"""What a metric that scores in its own way may ask of the run: its scenario and its judge."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from chef.common.user_code import told
from chef.config.judge import JudgeSection
from chef.embedding.embed import progress
from chef.engine.response_cache import ResponseCache
from chef.errors import ChefError, RunError
from chef.judge.stored import REPLIES
from chef.metric.place import Place
from chef.models import Model, lifecycle
from chef.run.environment import reply_identity
from chef.scenario import Scenario
from chef.scoring.evaluations import Evaluations
from chef.types import Generate


@dataclass(frozen=True)
class Surroundings:
    """The scenario and the judges of a recipe.

    Attributes:
        scenario: gives the scenario.
        judges: gives the section of the judges; None where there are none.
    """

    scenario: Callable[[], Scenario]
    judges: Callable[[], JudgeSection | None]

    def at(self, of: Path) -> Place:
        """The place of a metric that scores the answers in a run folder, or in a file."""
        if of.is_dir():
            folder, model = of, of.resolve().parents[1].name
            replies = of.resolve().parents[2] / REPLIES
        else:
            folder, model, replies = of.with_name(f"{of.stem}_evaluation"), of.stem, None
        section = self.judges()
        judge = None if section is None else RecipeJudge(section, replies)
        return Place(folder, model, self.scenario, judge, Evaluations(folder), evaluating)


@contextmanager
def evaluating(label: str, total: int) -> Iterator[Callable[[int], object]]:
    """A progress bar of the answers that an evaluator is asked about; see `Place.progress`."""
    with progress(label, total) as bar:
        yield bar.update


class RecipeJudge:
    """The first judge of a recipe, loaded when it is first asked; its replies are kept.

    Args:
        section: the judges.
        replies: the folder in which replies are kept; None keeps them for this process.
    """

    def __init__(self, section: JudgeSection, replies: Path | None) -> None:
        self._spec, self._replies = section.models[0], replies
        self._lock = threading.Lock()
        self._is_loaded = False

    @cached_property
    def _model(self) -> Model:
        return self._spec.model.build()

    @cached_property
    def _cache(self) -> ResponseCache:
        secrets = self._spec.document.secret_digest()
        fingerprint = lifecycle.fingerprint(self._model)
        identity = reply_identity(fingerprint, self._spec.plugins, secrets)
        return ResponseCache(identity, self._replies)

    @property
    def name(self) -> str:
        """The name of its model."""
        return str(self._spec.model.options.get("name") or self._spec.model.name)

    @property
    def identity(self) -> str:
        """A digest of what decides its replies."""
        with self._lock:
            return self._cache.model

    def ask(self, request: Generate) -> str:
        """The reply to a request; one request at a time, and what was asked before is not again.

        Raises:
            RunError: the judge cannot be loaded, or fails.
        """
        with self._lock:
            try:
                if (known := self._cache.get(request)) is not None:
                    return known.text
                if not self._is_loaded:
                    lifecycle.prepare(self._model)
                    self._is_loaded = True
                (reply,) = self._model.generate([request])
            except Exception as error:
                why = error.what if isinstance(error, ChefError) else told(error)
                hint = error.hint if isinstance(error, ChefError) else None
                raise RunError(f"the judge {self.name} failed: {why}", hint=hint) from error
            self._cache.put(request, reply)
            return reply.text

    def close(self) -> None:
        """Release the memory of the model, if it was loaded."""
        with self._lock:
            if "_cache" in vars(self):
                self._cache.close()
                del self._cache
            if self._is_loaded:
                self._is_loaded = False
                lifecycle.close(self._model)
