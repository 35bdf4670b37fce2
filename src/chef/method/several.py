"""Several methods in a row."""

from __future__ import annotations

from collections.abc import Sequence

from chef.common.digest import content_digest
from chef.method.base import Method
from chef.scenario.base import Scenario
from chef.types import Sample


class Several(Method):
    """Methods that are applied one after the other; each is given what the one before it made."""

    def __init__(self, methods: Sequence[Method]) -> None:
        super().__init__("+".join(method.method_id for method in methods))
        self.methods = methods

    def transform(self, sample: Sample) -> Sample:
        for method in self.methods:
            sample = method.transform(sample)
        return sample

    def on(self, scenario: Scenario) -> Method:
        """Each method on the samples as those before it leave them."""
        from chef.method.scenario import WithMethod

        bound = []
        for method in self.methods:
            layer = WithMethod(scenario, method)
            bound.append(layer.method)
            scenario = layer
        return Several(bound)

    def fingerprint(self) -> str:
        own = [method.fingerprint() for method in self.methods]
        return content_digest(*own) if any(own) else ""
