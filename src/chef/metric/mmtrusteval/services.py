"""What evaluators share that ask a service on the web for scores of a text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from chef.common.text import encodable
from chef.errors import ConfigError
from chef.metric.mmtrusteval.base import Failure, SampleEvaluator, text_problem
from chef.models.api.failures import RequestFailedError
from chef.models.api.service import Service

#: Keys of such evaluators that decide no score.
DECIDE_NOTHING = frozenset(
    {
        "api_key_env", "requests_per_second", "max_in_flight", "max_attempts", "request_timeout",
        "max_requests", "batch_size",
    }
)  # fmt: skip


class ServiceEvaluator(SampleEvaluator):
    """The highest score that a service gives a text, in 0..1; equal texts are sent once.

    A text that the service refuses, or does not answer, is a `Failure` with what it says.
    """

    decides_nothing = DECIDE_NOTHING
    #: What is scored in place of a text that the service refuses; None: nothing.
    instead: ClassVar[str | None] = None
    service: Service[Any, Any]

    @abstractmethod
    def scores(
        self, texts: Sequence[str]
    ) -> Iterator[tuple[int, Mapping[str, float] | RequestFailedError]]:
        """The position of each text with its scores by name, or why there are none.

        Raises:
            ConfigError: the service does not accept the key.
            RunError: it cannot be reached, or answers nothing.
        """

    def require(self) -> None:
        self.service.check_settings()

    def identity(self) -> Any:
        return self.service.identity()

    def check(self, pred: Any, label: Any, extra: Any) -> list[str]:
        del label, extra
        if problem := text_problem(self.evaluator_id, pred, "rates"):
            raise ConfigError(problem, hint="let it be the first of its sequence")
        return []

    def outputs(
        self, preds: Sequence[Any], labels: Sequence[Any], extras: Sequence[Any]
    ) -> Iterator[tuple[int, Any]]:
        del labels, extras
        places: dict[str, list[int]] = {}
        for place, pred in enumerate(preds):
            if problem := text_problem(self.evaluator_id, pred, "rates"):
                yield place, Failure(problem)
            else:
                places.setdefault(encodable(pred), []).append(place)
        if not places:
            return
        texts, refused = list(places), list[int]()
        for number, found in self.scores(texts):
            if isinstance(found, RequestFailedError) and self.instead is not None:
                refused += places[texts[number]]
                continue
            output = _output(found)
            yield from ((place, output) for place in places[texts[number]])
        if refused and self.instead is not None:
            for _, found in self.scores([self.instead]):
                yield from ((place, _output(found)) for place in refused)


def _output(found: Mapping[str, float] | RequestFailedError) -> float | Failure:
    if isinstance(found, RequestFailedError):
        return Failure(found.what, hint=found.hint)
    return max(found.values())
