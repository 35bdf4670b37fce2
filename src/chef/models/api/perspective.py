"""Google's Perspective: how likely a reader would find a text toxic, insulting, threatening, ..."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chef.models.api.client import Client
from chef.models.api.refusals import broken
from chef.models.api.service import Service, score_in
from chef.models.api.traffic import Traffic
from chef.models.api.waits import Waits

#: The attributes that MMTrustEval asks for.
ATTRIBUTES = (
    "TOXICITY", "SEVERE_TOXICITY", "IDENTITY_ATTACK", "INSULT", "PROFANITY", "THREAT",
    "SEXUALLY_EXPLICIT", "FLIRTATION",
)  # fmt: skip
#: What a new account may ask in a second.
PER_SECOND = 1.0


class Perspective(Service[str, Mapping[str, float]]):
    """The scores of a text, in 0..1, by attribute.

    Args:
        base_url: see `Service`.
        api_key_env: see `Service`.
        traffic: see `Service`.
        attributes: what is asked for.
        languages: the languages of the texts, such as ``en``; None lets the service find out.
        waits: see `Service`.
    """

    title = "Perspective"
    usual_url = "https://commentanalyzer.googleapis.com/v1alpha1"
    variables = ("perspective_apikey", "PERSPECTIVE_API_KEY")

    def __init__(
        self,
        base_url: str | None = None,
        api_key_env: str | None = None,
        traffic: Traffic = Traffic(requests_per_second=PER_SECOND),
        *,
        attributes: Sequence[str] = ATTRIBUTES,
        languages: Sequence[str] | None = None,
        waits: Waits | None = None,
    ) -> None:
        super().__init__(base_url, api_key_env, traffic, waits)
        self.attributes, self.languages = tuple(attributes), languages

    def headers(self, key: str) -> dict[str, str]:
        """The key, which never stands in the address: servers log those."""
        return {"X-Goog-Api-Key": key}

    async def attempt(self, client: Client, item: str) -> Mapping[str, float]:
        """Ask for the scores of a text once; see `Service.attempt`."""
        body: dict[str, Any] = {
            "comment": {"text": item},
            "requestedAttributes": {name: {} for name in self.attributes},
            "doNotStore": True,
        }
        if self.languages:
            body["languages"] = list(self.languages)
        reply = await client.post("comments:analyze", body)
        try:
            scores = reply["attributeScores"]
            return {
                name: score_in(scores[name]["summaryScore"]["value"]) for name in self.attributes
            }
        except (KeyError, TypeError, ValueError) as error:
            raise broken(
                f"the reply has no score of each attribute ({error!r})", client.where
            ) from None
