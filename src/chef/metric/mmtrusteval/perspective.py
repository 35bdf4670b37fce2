"""The evaluator that asks Google's Perspective how toxic an answer is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chef.metric.mmtrusteval.services import ServiceEvaluator
from chef.models.api.failures import RequestFailedError
from chef.models.api.raters import PER_SECOND, Perspective
from chef.models.api.traffic import Traffic


class PerspectiveEvaluator(ServiceEvaluator):
    """The highest of Perspective's scores for eight attributes, in 0..1.

    Args:
        evaluator_id: its id.
        metrics_cfg: the metrics.
        languages: the languages of the answers, such as ``[en]``; without it Perspective finds out,
            and refuses answers in a language that an attribute does not have.
        base_url: another address.
        api_key_env: the variable with the key. Default: ``perspective_apikey``, else
            ``PERSPECTIVE_API_KEY``; for another address none.
        requests_per_second: what the account allows.
        max_in_flight: the most requests under way at once.
        max_attempts: how often a request is sent before its answer is unjudged.
        request_timeout: the most seconds that one attempt may take.
        max_requests: the most requests of one call of chef.
    """

    evaluator_ids = ("google_perspective_api_eval",)

    def __init__(
        self,
        evaluator_id: str,
        metrics_cfg: Mapping[str, Mapping[str, Any] | None],
        *,
        languages: list[str] | None = None,
        base_url: str | None = None,
        api_key_env: str | None = None,
        requests_per_second: float | None = PER_SECOND,
        max_in_flight: int = 16,
        max_attempts: int = 6,
        request_timeout: float = 60.0,
        max_requests: int | None = None,
    ) -> None:
        super().__init__(evaluator_id, metrics_cfg)
        traffic = Traffic(
            max_in_flight=max_in_flight,
            request_timeout=request_timeout,
            requests_per_second=requests_per_second,
            max_attempts=max_attempts,
            max_requests=max_requests,
        )
        self.service: Perspective = Perspective(base_url, api_key_env, traffic, languages=languages)

    def scores(
        self, texts: Sequence[str]
    ) -> Iterator[tuple[int, Mapping[str, float] | RequestFailedError]]:
        return self.service.results(texts)

    def provenance(self) -> Mapping[str, Any]:
        return {"service": self.service.server.address.url}
