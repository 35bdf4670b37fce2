"""OpenAI's moderation: how likely a text is of a kind that should not be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from chef.models.api.client import Client
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.refusals import broken
from chef.models.api.service import Service, score_in
from chef.models.api.settings import PROVIDER, PROVIDER_KEY

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
        """The position of each text with its scores, or why the service refuses it.

        Texts of a request that is refused are sent again one by one, to find out which is at fault.

        Args:
            texts: the texts.
            batch_size: how many of them a request holds.

        Raises:
            ChefError: see `Service.results`.
        """
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
