"""Small models and scenarios whose every answer is known, for tests of everything around them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from chef.errors import SampleError
from chef.image import Image
from chef.models import Model
from chef.scenario import Scenario
from chef.types import Generate, Generated, Request, Sample, Score, Scored


def chance(*parts: object) -> float:
    """A number in 0..1 that depends on the parts alone."""
    text = "\x1f".join(map(str, parts)).encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big") / 2**32


def seen(request: Request) -> str:
    """Everything a request shows: its texts and the digests of its images."""
    parts = [part for turn in request.conversation for part in turn.parts]
    return "|".join(part.digest if isinstance(part, Image) else part.text for part in parts)


class Hashing(Model):
    """Answers by a hash of what it is shown, so that any mix-up of requests shows.

    Args:
        rows_that_fit: a call with more rows runs out of memory.
        broken: a request whose text holds this fails inside the model.
    """

    name = "hashing"

    def __init__(self, *, rows_that_fit: int = 10**9, broken: str | None = None) -> None:
        self.rows_that_fit = rows_that_fit
        self.broken = broken
        self.calls: list[list[str]] = []

    def fingerprint(self) -> str:
        return "hashing"

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        self._enter(requests)
        return [Generated(f"{chance(seen(item), item.seed):.6f}", tokens=1) for item in requests]

    def score(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        self._enter(requests)
        return [
            tuple(Scored(-5 * chance(seen(item), option), 2) for option in item.candidates)
            for item in requests
        ]

    def _enter(self, requests: Sequence[Request]) -> None:
        self.calls.append([seen(item) for item in requests])
        if sum(self.rows(item) for item in requests) > self.rows_that_fit:
            raise MemoryError
        if self.broken is not None and any(self.broken in seen(item) for item in requests):
            raise ValueError(f"cannot digest {self.broken}")


class Numbers(Scenario):
    """Questions ``n?`` with four options; ``n % 4`` is right.

    Args:
        size: how many.
        bad: indices whose sample cannot be made.
    """

    name = "Numbers"
    task = "VQA"
    metric = "Accuracy"

    def __init__(self, *, size: int = 50, bad: Sequence[int] = ()) -> None:
        self.size, self.bad = size, frozenset(bad)

    def __len__(self) -> int:
        return self.size

    def sample_id(self, index: int) -> str:
        return f"n{index}"

    def __getitem__(self, index: int) -> Sample:
        if index in self.bad:
            raise SampleError("made bad on purpose", where=f"row {index}")
        choices = ["zero", "one", "two", "three"]
        truth = index % 4
        return Sample(
            id=f"n{index}",
            question=f"{index}?" + " long" * (index % 7),
            options=tuple(choices),
            answer=choices[truth],
            fields={"gt_choice": truth, "choices": choices},
        )
