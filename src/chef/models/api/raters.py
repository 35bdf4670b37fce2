"""Services that rate texts: Google's Perspective and OpenAI's moderation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chef.models.api.client import Client
from chef.models.api.failures import Failure, RequestFailedError, broken
from chef.models.api.gate import Waits
from chef.models.api.service import Service, score_in
from chef.models.api.settings import PROVIDER, PROVIDER_KEY
from chef.models.api.traffic import Traffic

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


#: The categories that MMTrustEval's rule knows; newer models of the service have further ones.
CATEGORIES = (
    "harassment", "harassment/threatening", "hate", "hate/threatening", "self-harm",
    "self-harm/instructions", "self-harm/intent", "sexual", "sexual/minors", "violence",
    "violence/graphic",
)  # fmt: skip
MODEL = "omni-moderation-latest"
Scores = Mapping[str, float]


class Moderation(Service[Sequence[str], Sequence[Scores]]):
    """The scores of texts, in 0..1, by category; a request holds several texts.

    Attributes:
        model: the model, as the service calls it.
        categories: those that a reply has to have.
    """

    title = "OpenAI's moderation"
    usual_url = PROVIDER
    variables = ("moderation_openai_apikey", PROVIDER_KEY)
    model: str = MODEL
    categories: Sequence[str] = CATEGORIES

    def scores(
        self, texts: Sequence[str], batch_size: int
    ) -> Iterator[tuple[int, Scores | RequestFailedError]]:
        """The place of each text with its scores or error; refused batches go one by one."""
        everything = range(len(texts))
        starts = range(0, len(texts), batch_size)
        refused: list[int] = []
        groups = [list(everything[start : start + batch_size]) for start in starts]
        for place, found in self.results([[texts[item] for item in group] for group in groups]):
            group = groups[place]
            if not isinstance(found, RequestFailedError):
                yield from zip(group, found, strict=True)
            elif len(group) > 1 and found.failure is Failure.BAD_REQUEST:
                refused += group
            else:
                yield from ((item, found) for item in group)
        for place, found in self.results([[texts[item]] for item in refused]):
            yield refused[place], found if isinstance(found, RequestFailedError) else found[0]

    async def attempt(self, client: Client, item: Sequence[str]) -> Sequence[Scores]:
        """Ask for the scores of some texts once; see `Service.attempt`."""
        reply = await client.post("moderations", {"model": self.model, "input": list(item)})
        try:
            found = [
                {name: score_in(result["category_scores"][name]) for name in self.categories}
                for result in reply["results"]
            ]
        except (KeyError, TypeError, ValueError) as error:
            what = f"the reply has no score of each category ({error!r})"
            raise broken(what, client.where) from None
        if len(found) != len(item):
            raise broken(f"{len(found)} results came for {len(item)} texts", client.where)
        return found
