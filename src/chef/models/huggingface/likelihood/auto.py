"""The choice of a scorer: the fast one where it is right, otherwise the reference scorer.

What prompts of generated text share is computed by the fast scorer too, under the same condition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from chef.errors import ChefError, ConfigError, SampleError
from chef.models.agreement import Verification, compare
from chef.models.huggingface.likelihood.naive import NaiveScorer
from chef.models.huggingface.likelihood.shared_prefix.images import UnsupportedError
from chef.models.huggingface.rendering import Rendered
from chef.types import Generate, Score, Scored

if TYPE_CHECKING:
    from chef.models.huggingface.likelihood.shared_prefix.forward import Prefill
    from chef.models.huggingface.likelihood.shared_prefix.scorer import SharedPrefixScorer

#: ``shared``: the fast scorer; ``naive``: the reference scorer; ``auto``: see `AutoScorer`.
LikelihoodMode: TypeAlias = Literal["auto", "shared", "naive"]

#: How many candidates of a request are compared before the fast scorer is trusted.
COMPARED = 4
#: The candidates with which it is compared on a request for text.
PROBES = ("yes", "no")


class AutoScorer:
    """Scores with the fast scorer (shared prefixes), or the reference where that does not work.

    With ``auto``, the first request without an image, with one and with several are scored by both;
    if they differ by more than ``tolerance`` nats per token, the fast scorer is not used again.
    With ``shared``, a model that does not allow it is a ConfigError.
    """

    def __init__(
        self,
        naive: NaiveScorer,
        make: Callable[[], SharedPrefixScorer],
        scoring: LikelihoodMode,
        tolerance: float,
        is_out_of_memory: Callable[[BaseException], bool],
    ) -> None:
        self.naive = naive
        self.shared: SharedPrefixScorer | None = None
        self.scoring = scoring
        self.tolerance = tolerance
        self.is_out_of_memory = is_out_of_memory
        #: Messages for the user, in order.
        self.notices: list[str] = []
        self._compared: set[int] = set()
        if scoring != "naive":
            try:
                self.shared = make()
            except UnsupportedError as reason:
                self._fall_back(str(reason))

    def score(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        """See `NaiveScorer.score`."""
        if self.scoring == "auto":
            for request in requests:
                self._compare_kind(request)
        if self.shared is None:
            return self.naive.score(requests)
        try:
            return self.shared.score(requests)
        except Exception as error:
            if self.scoring == "shared" and not isinstance(error, UnsupportedError):
                raise
            reason = self._own_failure(error)
        slow = self.naive.score(requests)  # raises, if a request is the cause
        self._fall_back(reason)
        return slow

    def prefill(
        self, requests: Sequence[Generate], prompts: Sequence[Rendered]
    ) -> list[Prefill] | None:
        """See `SharedPrefixScorer.prefill`; None where each prompt is computed by itself."""
        images = [tuple(i for turn in each.conversation for i in turn.images) for each in requests]
        try:
            if self.scoring == "auto":
                for each in requests:
                    self._compare_kind(Score(each.conversation, PROBES, each.answer_prefix))
            return None if self.shared is None else self.shared.prefill(prompts, images)
        except SampleError:  # of one of the requests; the ordinary way says so to that request
            return None
        except Exception as error:
            self._fall_back(self._own_failure(error))
            return None

    def verify(self, requests: Sequence[Score]) -> Verification | None:
        """Compare the fast scorer with the reference; None where only the reference is used."""
        if self.shared is None:
            return None
        slow = self.naive.score(requests)
        try:
            fast = self.shared.score(requests)
        except Exception as error:
            self._fall_back(self._own_failure(error))
            return None
        found = compare(fast, slow, self.tolerance)
        if not found.agrees:
            self._disagree(found)
        return found

    def _compare_kind(self, request: Score) -> None:
        """Compare the scorers on the first request with no, one or several images."""
        kind = min(2, sum(len(turn.images) for turn in request.conversation))
        if self.shared is None or kind in self._compared or not request.candidates:
            return
        few = replace(request, candidates=request.candidates[:COMPARED])
        slow = self.naive.score([few])  # raises, if the request is the cause
        try:
            fast = self.shared.score([few])
        except Exception as error:
            self._fall_back(self._own_failure(error))
            return
        found = compare(fast, slow, self.tolerance)
        if not found.agrees:
            self._disagree(found)
        self._compared.add(kind)

    def _own_failure(self, error: Exception) -> str:
        """Why the fast scorer cannot be used; raises an error that a request is the cause of."""
        if isinstance(error, UnsupportedError):
            return str(error)
        if isinstance(error, ChefError) or self.is_out_of_memory(error):
            raise error
        return f"the fast scorer fails ({type(error).__name__}: {error})"

    def _disagree(self, found: Verification) -> None:
        if self.scoring == "shared":
            self.notices.append(f"the fast scorer is wrong for this model: {found}")
        else:
            self._fall_back(f"{found}")

    def _fall_back(self, reason: str) -> None:
        if self.scoring == "shared":
            raise ConfigError(
                f"prefixes cannot be shared: {reason}",
                where="scoring",
                hint="leave the key 'scoring' out; the reference scorer is slower, and right",
            )
        self.shared = None
        self.notices.append(
            f"options are scored by the reference scorer, which is slower: {reason}"
        )
