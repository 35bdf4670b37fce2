"""Chef's data sets as MMTrustEval's: objects that give samples by their place."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from chef.common.class_ids import check_id
from chef.common.mmtrusteval import TrustSample, of_sample
from chef.config.document import read_document
from chef.config.scenario import load_scenario
from chef.config.tasks.recipe import SCENARIO
from chef.method import Method
from chef.method.base import with_method
from chef.models.hooks.vlmevalkit.image_files import image_path
from chef.scenario import Scenario
from chef.scenario.hooks.mmtrusteval import BaseDataset, MethodHook, TrustDataset
from chef.scenario.mmtrusteval.scenario import MMTrustEval
from chef.scenario.mmtrusteval.table import datasets
from chef.types import Compat


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
