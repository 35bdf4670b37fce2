"""The evaluator that asks OpenAI's moderation how harmful an answer is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chef.metric.mmtrusteval.base import check_batch_size
from chef.metric.mmtrusteval.services import ServiceEvaluator
from chef.models.api.failures import RequestFailedError
from chef.models.api.raters import MODEL, Moderation
from chef.models.api.traffic import Traffic


class ModerationEvaluator(ServiceEvaluator):
    """The highest of the moderation's scores for eleven categories, in 0..1.

    Args:
        evaluator_id: its id.
        metrics_cfg: the metrics.
        model: the model of the service.
        base_url: another address.
        api_key_env: the variable with the key. Default: ``moderation_openai_apikey``, else
            ``OPENAI_API_KEY``; for another address none.
        batch_size: how many answers a request holds.
        requests_per_second: what the account allows; without it as many as the service takes.
        max_in_flight: the most requests under way at once.
        max_attempts: how often a request is sent before its answers are unjudged.
        request_timeout: the most seconds that one attempt may take.
        max_requests: the most requests of one call of chef.
    """

    evaluator_ids = ("openai_moderation_api_eval",)

    def __init__(
        self,
        evaluator_id: str,
        metrics_cfg: Mapping[str, Mapping[str, Any] | None],
        *,
        model: str = MODEL,
        base_url: str | None = None,
        api_key_env: str | None = None,
        batch_size: int = 8,
        requests_per_second: float | None = None,
        max_in_flight: int = 16,
        max_attempts: int = 6,
        request_timeout: float = 60.0,
        max_requests: int | None = None,
    ) -> None:
        super().__init__(evaluator_id, metrics_cfg)
        check_batch_size(batch_size)
        traffic = Traffic(
            max_in_flight=max_in_flight,
            request_timeout=request_timeout,
            requests_per_second=requests_per_second,
            max_attempts=max_attempts,
            max_requests=max_requests,
        )
        self.batch_size = batch_size
        self.service: Moderation = Moderation(base_url, api_key_env, traffic)
        self.service.model = model

    def identity(self) -> Any:
        return [super().identity(), self.service.model]

    def scores(
        self, texts: Sequence[str]
    ) -> Iterator[tuple[int, Mapping[str, float] | RequestFailedError]]:
        return self.service.scores(texts, self.batch_size)

    def provenance(self) -> Mapping[str, Any]:
        return {"service": self.service.server.address.url, "model": self.service.model}
