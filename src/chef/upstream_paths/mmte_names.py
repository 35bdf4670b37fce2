"""MMTrustEval's module names, and where the classes and functions of chef are for them.

`NAMES` is also what ``from chef.mmtrusteval import ...`` knows. Every module name has every name.
"""

from __future__ import annotations

from collections.abc import Mapping

_FACADE = "chef.mmtrusteval"
_CHATS = "chef.models.hooks.mmtrusteval.base_chat"

#: The place of each name, as ``module:attribute``.
NAMES: dict[str, str] = {
    "BaseTask": f"{_FACADE}.task:BaseTask",
    "BaseDataset": "chef.scenario.hooks.mmtrusteval.base:BaseDataset",
    "BaseMethod": "chef.method.base:BaseMethod",
    "BaseChat": f"{_CHATS}:BaseChat",
    "Response": f"{_CHATS}:Response",
    "BaseEvaluator": "chef.metric.mmtrusteval.base:BaseEvaluator",
    "SequentialEvaluator": "chef.metric.mmtrusteval.chain:SequentialEvaluator",
    "TxtSample": "chef.common.mmtrusteval:TxtSample",
    "ImageTxtSample": "chef.common.mmtrusteval:ImageTxtSample",
    "collate_fn": f"{_FACADE}.loader:collate_fn",
    "METRICS": f"{_FACADE}.metrics:METRICS",
    "registry": f"{_FACADE}.registering:registry",
    "Registry": f"{_FACADE}.registering:ClassRegistry",
    "load_chatmodel": f"{_FACADE}.chats:load_chatmodel",
    "model_zoo": f"{_FACADE}.chats:model_zoo",
    "get_abs_path": f"{_FACADE}.files:get_abs_path",
}
#: What modules have besides.
FURTHER: Mapping[str, str] = {}

#: The modules that exist, without the leading ``mmte``.
MODULES = frozenset(
    {
        "",
        *("tasks", "tasks.base", "datasets", "datasets.base", "methods", "methods.base"),
        *("models", "models.base", "evaluators", "evaluators.base", "evaluators.metrics"),
        *("utils", "utils.registry", "utils.dataset", "utils.utils"),
    }
)
#: The packages that a file of MMTrustEval may stand in, for relative imports such as ``.base``.
PACKAGES = ("datasets", "evaluators", "methods", "models", "tasks")


def exported(module: str) -> list[str]:
    """What ``import *`` from a module gives."""
    del module
    return [*NAMES]
