"""MME with the subsets of ChEF."""

from __future__ import annotations

from chef.scenario import mme


class MME(mme.MME):
    """A subset may break up the two questions on an image."""

    def group(self, index: int) -> str | None:  # noqa: ARG002
        return None
