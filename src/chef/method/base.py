"""The base classes of methods, and any scenario whose samples one or several of them change."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from chef.common.digest import content_digest
from chef.common.mmtrusteval import ImageTxtSample, TrustSample, TxtSample, of_sample, with_item
from chef.errors import ConfigError, SampleError, nearest
from chef.models.hooks.vlmevalkit.image_files import image_path
from chef.scenario.base import Scenario
from chef.scenario.wrapped import Wrapped
from chef.types import Sample


class Method(ABC):
    """What is done to a sample: another image, a changed one, another text.

    The annotated keyword arguments of ``__init__`` besides ``method_id`` are its keys in
    ``method_cfg``. A method depends on nothing but its keys, the sample and, where it is told
    (`on`), the scenario, so that runs resume.

    Args:
        method_id: the id under which it was chosen.
    """

    #: Whether it needs a model, which a recipe names as ``model_cfg``.
    needs_model: ClassVar[bool] = False
    #: Whether a recipe may name one, without which it does less.
    takes_model: ClassVar[bool] = False
    #: Whether it uses the gradients of that model, and not its replies.
    needs_gradients: ClassVar[bool] = True
    #: The keys that are paths to read; a relative one is looked for beside the recipe first.
    paths: ClassVar[Sequence[str]] = ()

    def __init__(self, method_id: str = "") -> None:
        self.method_id = method_id

    @abstractmethod
    def transform(self, sample: Sample) -> Sample:
        """The sample as it is asked, with the id, the reference and the fields that it had.

        Raises:
            SampleError: the method cannot be applied to this sample.
        """

    def on(self, scenario: Scenario) -> Method:  # noqa: ARG002
        """The method for the samples of a scenario; the same where it looks at no other sample."""
        return self

    def fingerprint(self) -> str:
        """A digest of the files that it reads; empty where its keys say everything."""
        return ""


class BaseMethod(Method):
    """A method written for MMTrustEval: implement `run` and `hash`, and name its ``method_ids``.

    Args:
        method_id: one of ``method_ids``.
        img_dir: the folder of its images.
        lazy_mode: whether an image that is in the folder is taken as it is.

    Raises:
        ConfigError: the id is not one of the class.
    """

    method_ids: ClassVar[Sequence[str]] = ()

    def __init__(self, method_id: str, img_dir: str, lazy_mode: bool = True) -> None:
        if method_id not in self.method_ids:
            raise ConfigError(
                f"{type(self).__name__} has no method '{method_id}'",
                hint=nearest(method_id, self.method_ids),
            )
        super().__init__(method_id)
        self.img_dir, self.lazy_mode = img_dir, lazy_mode
        Path(img_dir).mkdir(parents=True, exist_ok=True)

    @abstractmethod
    def run(self, data: TrustSample, **kwargs: Any) -> ImageTxtSample:
        """The sample with an image of the method's."""

    def hash(self, to_hash_str: str, **kwargs: Any) -> str:
        """The name of the file for a text: its SHA3-256 digest."""
        del kwargs
        return hashlib.sha3_256(to_hash_str.encode("utf-8", "surrogatepass")).hexdigest()

    def transform(self, sample: Sample) -> Sample:
        """See `Method.transform`; `run` is given the sample in MMTrustEval's form."""
        path = image_path(sample.images[0]) if len(sample.images) == 1 else None
        made = self.run(of_sample(sample, path))
        if not isinstance(made, TxtSample | ImageTxtSample):
            raise SampleError(
                f"{type(self).__name__}.run returned a {type(made).__name__}",
                where=f"sample '{sample.id}'",
                hint="return an ImageTxtSample(image_path, text, target, extra)",
            )
        return with_item(sample, made)


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
