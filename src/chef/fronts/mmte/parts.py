"""Chef's data sets, methods, metrics and models as MMTrustEval's, for code that uses them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from fnmatch import fnmatchcase
from functools import cache, wraps
from typing import Any

from chef.common.digest import content_digest
from chef.common.logs import logger
from chef.common.mmtrusteval import ImageTxtSample, TrustSample, of_sample, to_sample
from chef.config import load_model
from chef.config.document import read_document
from chef.config.scenario import load_scenario
from chef.config.task import check_generation
from chef.config.tasks import SCENARIO, decoding, model_ids
from chef.errors import ConfigError, SampleError
from chef.image import Image
from chef.method import METHODS, BaseMethod, Method
from chef.method.base import with_method
from chef.metric.mmtrusteval.kinds import MetricKind
from chef.metric.mmtrusteval.metrics import METRICS as KINDS
from chef.metric.mmtrusteval.networks import ClassifierEvaluator, FollowEvaluator, RejectEvaluator
from chef.models import Model, lifecycle
from chef.models.hooks.chef import accepted_keywords
from chef.models.hooks.mmtrusteval import CHATS, BaseChat, Response
from chef.models.hooks.mmtrusteval.model import installed_ids
from chef.models.hooks.vlmevalkit.image_files import image_path
from chef.registry import check_id
from chef.scenario import Scenario
from chef.scenario.hooks.mmtrusteval import BaseDataset, MethodHook, TrustDataset
from chef.scenario.mmtrusteval.scenario import MMTrustEval
from chef.scenario.mmtrusteval.table import datasets
from chef.types import Compat, Conversation, Generate, Part, Text, Turn


class ScenarioDataset(BaseDataset):
    """The samples of any scenario, changed by a method of chef's or of a user's."""

    def __init__(self, scenario: Scenario, method_hook: MethodHook | Method | None = None) -> None:
        self.dataset_id, self._hook = scenario.name, None
        self.scenario = scenario
        if isinstance(method_hook, Method):
            self.scenario = with_method(scenario, method_hook)
        else:
            self._hook = method_hook

    @property
    def dataset(self) -> list[TrustSample]:  # type: ignore[override]
        """All samples, before a method of a user's."""
        return [self._sample(index) for index in range(len(self))]

    def __getitem__(self, index: int) -> TrustSample:
        item = self._sample(index)
        return item if self._hook is None else self._hook.run(item)

    def _sample(self, index: int) -> TrustSample:
        sample = self.scenario[index]
        return of_sample(sample, image_path(sample.images[0]) if sample.images else None)

    def __len__(self) -> int:
        return len(self.scenario)


class ChefDataset(ScenarioDataset):
    """One of the 133 data sets; ``dataset_cfg`` has its keys and those of ``MMTrustEval``."""

    dataset_ids = tuple(datasets())

    def __init__(
        self, dataset_id: str, method_hook: MethodHook | None = None, **dataset_cfg: Any
    ) -> None:
        check_id(type(self), "dataset_ids", dataset_id, "data set")
        super().__init__(MMTrustEval(dataset_id=dataset_id, **dataset_cfg), method_hook)


#: MMTrustEval's classes of data sets, and the ids of each.
_CLASSES: Mapping[str, str] = {
    "AdvTarget": "adv-target",
    "AdvText": "advglue-*",
    "AdvUntarget": "adv-clean adv-untarget",
    "AdvancedData": "advanced-*",
    "BasicData": "d-basic-* g-basic-*",
    "Celebrities": "celebrities",
    "ConfAIde": "confaide-*",
    "CrossModalJailbreakDataset": "crossmodal-jailbreak-*",
    "EnronEmailDataset": "enron-email-*",
    "HodDataset": "object-detection risk-analysis",
    "InstructionEnhanceFactualData": "instruction-enhancement-factual",
    "InstructionEnhanceLogicData": "instruction-enhancement-logic",
    "MMSafetyBenchDataset": "mm-safety-bench",
    "NSFWDataset": "nsfw-image-description",
    "OODArtistic": "coco-o-*",
    "OODSensor": "benchlmm-*",
    "OODText": "dt-*",
    "ProfessionPred": "profession-pred*",
    "RealToxicityPromptsDataset": "toxicity-prompt-*",
    "SafeBenchDataset": "safebench",
    "StereoAgreement": "stereo-agreement-*",
    "StereoClassification": "stereo-classification-*",
    "StereoGeneration": "stereo-generation",
    "StereoQuery": "stereo-query-*",
    "StereoTopicClassification": "stereo-topic-classification-*",
    "SubPreference": "subjective-preference-*",
    "TextMisleadingData": "g-text-misleading",
    "TypographicDataset": "typographic-* opimized-jailbreak-graphic",
    "UnrelatedImageDataset": "unrelated-image-*",
    "VisionPreference": "vision-preference",
    "Vispr": "vispr-*",
    "VisualAssistance": "visual-assistance-*",
    "VisualConfusionData": "d-mis-visual-confusion",
    "VisualMisleadingData": "g-text-a* g-text-misvisual g-text-none g-text-unrelated-*",
    "VizWiz": "vizwiz-*",
}


@cache
def dataset_class(name: str) -> type[ChefDataset]:
    """Chef's data sets that MMTrustEval has in one class; `KeyError` for another name."""
    patterns = _CLASSES[name].split()
    ids = [item for item in datasets() if any(fnmatchcase(item, form) for form in patterns)]
    body = {"dataset_ids": tuple(ids), "__doc__": f"The data sets {', '.join(ids)}."}
    return type(name, (ChefDataset,), {**body, "__module__": __name__})


def __getattr__(name: str) -> type[ChefDataset]:
    """MMTrustEval's classes by their names."""
    if name not in _CLASSES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return dataset_class(name)


def dataset_of(
    dataset_id: str, method: Any, dataset_cfg: Mapping[str, Any], compat: Compat = "corrected"
) -> BaseDataset:
    """The data set of an id of the 133, of a user's class, or a scenario, changed by a method."""
    section: dict[str, Any] = {"dataset_name": dataset_id, **dataset_cfg}
    if dataset_id in datasets():
        section |= {"dataset_name": SCENARIO, "dataset_id": dataset_id}
    document = read_document({"scenario_cfg": section}, name=f"data set {dataset_id}")
    scenario = load_scenario(section, document, {"compat": compat}).build()
    if isinstance(scenario, TrustDataset) and (method is None or scenario.take_method(method)):
        return scenario.dataset
    return ScenarioDataset(scenario, method)


class DrawnImage(BaseMethod):
    """One of chef's methods that make an image for each sample, drawn by the text alone."""

    def __init__(
        self,
        method_id: str,
        img_dir: str,
        img_size: Sequence[int] | None = None,
        lazy_mode: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(method_id, img_dir, lazy_mode)
        kind: Any = METHODS.get(method_id)
        size = None if img_size is None else list(img_size)
        self._method = kind(
            method_id, img_dir=img_dir, img_size=size, lazy_mode=lazy_mode, **kwargs
        )

    def run(self, data: TrustSample, **kwargs: Any) -> ImageTxtSample:
        del kwargs
        asked = to_sample(content_digest(data.text), data)
        path = image_path(self._method.transform(asked).images[0])
        return ImageTxtSample(path, data.text, data.target, data.extra)


class UnrelatedColorImage(DrawnImage):
    """A picture of one colour."""

    method_ids = ("unrelated-image-color",)


class UnrelatedNoiseImage(DrawnImage):
    """A picture of noise."""

    method_ids = ("unrelated-image-noise",)


class UnrelatedNatureImage(DrawnImage):
    """A picture of a folder (``nature_src_dir``)."""

    method_ids = ("unrelated-image-nature",)


class RelatedGeneratedImage(DrawnImage):
    """A picture that a network draws of the text."""

    method_ids = ("related-image-generated",)


class RelatedTextEmbedImage(DrawnImage):
    """The text as a picture."""

    method_ids = ("related-image-txtembed",)


_log = logger(__name__)


class MetricTable(MutableMapping[str, Callable[..., Any]]):
    """The metrics that ``metrics_cfg`` may name: ``METRICS["accuracy_score"](y_true, y_pred)``.

    An added function counts like chef's own: its further annotated arguments are the keys of the
    metric. It has no interval.
    """

    def __getitem__(self, name: str) -> Callable[..., Any]:
        return KINDS[name].compute

    def __setitem__(self, name: str, compute: Callable[..., Any]) -> None:
        if not callable(compute):
            raise ConfigError(
                f"the metric '{name}' is no function: {compute!r:.80}",
                hint="give a function of (y_true, y_pred)",
            )
        is_new = name not in KINDS or KINDS[name].compute.__module__ == compute.__module__
        if not is_new:
            _log.warning("the metric '%s' is that of %s now", name, compute.__module__)
        KINDS[name] = MetricKind(_with_nan(compute))

    def __delitem__(self, name: str) -> None:
        del KINDS[name]

    def __iter__(self) -> Iterator[str]:
        return iter(KINDS)

    def __len__(self) -> int:
        return len(KINDS)


def _with_nan(compute: Callable[..., Any]) -> Callable[..., Any]:
    """A user's metric, which is given NaN where an evaluator could not decide."""

    @wraps(compute)
    def computed(y_true: Sequence[Any], y_pred: Sequence[Any], **keys: Any) -> Any:
        return compute(y_true, [math.nan if item is None else item for item in y_pred], **keys)

    return computed


METRICS = MetricTable()


class ClassiferActionEvaluator(ClassifierEvaluator):
    """Whether an answer rejects the question, or follows it; which one, its id says."""

    evaluator_ids = (*RejectEvaluator.evaluator_ids, *FollowEvaluator.evaluator_ids)

    def __init__(
        self,
        evaluator_id: str,
        metrics_cfg: Mapping[str, Mapping[str, Any] | None],
        *,
        label_fields: list[str] | None = None,
    ) -> None:
        follows = evaluator_id in FollowEvaluator.evaluator_ids
        usual = (FollowEvaluator if follows else RejectEvaluator).usual_labels
        chosen = list(usual) if label_fields is None else label_fields
        super().__init__(evaluator_id, metrics_cfg, label_fields=chosen)


_ROLES = ("system", "user", "assistant")


class ChefChat(BaseChat):
    """A model of chef's with MMTrustEval's `chat`; it is loaded when it is first asked."""

    def __init__(self, model: Model, model_id: str) -> None:
        self.model, self.model_id, self.device = model, model_id, ""
        self._is_loaded = False

    def chat(self, messages: Sequence[Mapping[str, Any]], **generation_kwargs: Any) -> Response:
        """See `BaseChat.chat`; `SampleError` for bad messages, `ConfigError` for arguments."""
        check_generation(generation_kwargs)
        keys = decoding({"generation_kwargs": generation_kwargs})
        keys["stop"] = tuple(keys.get("stop", ()))
        request = Generate(conversation_of(messages), **keys)
        if not self._is_loaded:
            lifecycle.prepare(self.model)
            self._is_loaded = True
        (reply,) = self.model.generate([request])
        return Response(self.model_id, reply.text, None, reply.finish_reason)

    def close(self) -> None:
        """Release its memory; the next question loads it again."""
        self._is_loaded = False
        lifecycle.close(self.model)


class ZooChat(ChefChat):
    """A model by one of MMTrustEval's 38 ids; its device is that of its model file by default."""

    model_family = tuple(model_ids())

    def __init__(self, model_id: str, device: str = "") -> None:
        check_id(type(self), "model_family", model_id, "model")
        super().__init__(_built(model_id, device or None), model_id)


def load_chatmodel(model_id: str, device: str | None = None) -> BaseChat:
    """The model of an id: a user's class, one of MMTrustEval's ids, or a model file of chef's.

    A model behind a server takes any ``device``.
    """
    given = {} if device is None else {"device": device}
    if model_id in CHATS:
        kind = CHATS.get(model_id)
        return kind(model_id, **accepted_keywords(kind.__init__, given))
    return ChefChat(_built(model_id, device), model_id)


def _built(model_id: str, device: str | None) -> Model:
    spec = load_model(model_id, where="model_id").model
    if device is not None and "device" in spec.options:  # a model behind a server has none
        spec = load_model(model_id, [f"device={device}"], where="model_id").model
    return spec.build()


def model_zoo() -> list[str]:
    """The ids that `load_chatmodel` knows, beside model files: users', MMTrustEval's, installed."""
    return list(dict.fromkeys([*CHATS, *model_ids(), *installed_ids()]))


def conversation_of(messages: Sequence[Mapping[str, Any]]) -> Conversation:
    """MMTrustEval's messages as a conversation; `SampleError` where one has no role or no text.

    >>> conversation_of([{"role": "user", "content": "Is it?"}])[0].text
    'Is it?'
    """
    return tuple(_turn(message) for message in messages)


def _turn(message: Mapping[str, Any]) -> Turn:
    role, content = message.get("role"), message.get("content")
    text = content.get("text") if isinstance(content, Mapping) else content
    if role not in _ROLES or not isinstance(text, str):
        raise SampleError(
            f"{dict(message)!r:.200} is no message",
            hint='write {"role": "user", "content": "..."}, or as content '
            '{"text": "...", "image_path": "..."}',
        )
    parts: tuple[Part, ...] = (Text(text),)
    if isinstance(content, Mapping) and content.get("image_path"):
        parts = (Image(content["image_path"]), *parts)
    return Turn(role, parts)
