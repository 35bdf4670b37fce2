"""Any scenario, whose samples a method changes (``method_cfg``), or several in a row."""

from __future__ import annotations

from collections.abc import Sequence

from chef.common.digest import content_digest
from chef.method.base import Method
from chef.scenario.base import Scenario
from chef.scenario.wrapped import Wrapped
from chef.types import Sample


class WithMethod(Wrapped):
    """A scenario whose samples a method changes, also those that are examples of it."""

    def __init__(self, base: Scenario, method: Method) -> None:
        super().__init__(base)
        self.method = method.on(base)

    def changed(self, sample: Sample) -> Sample:
        return self.method.transform(sample)

    def fingerprint(self) -> str:
        own = self.method.fingerprint()
        return content_digest(self.base.fingerprint(), own) if own else self.base.fingerprint()


def with_method(scenario: Scenario, method: Method) -> Scenario:
    """A scenario whose samples a method changes: it does so itself, or they are changed by chef."""
    take = getattr(scenario, "take_method", None)
    return scenario if take is not None and take(method) else WithMethod(scenario, method)


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
        bound = []
        for method in self.methods:
            layer = WithMethod(scenario, method)
            bound.append(layer.method)
            scenario = layer
        return Several(bound)

    def fingerprint(self) -> str:
        prints = [method.fingerprint() for method in self.methods]
        return content_digest(*prints) if any(prints) else ""
