"""chef: recipe-based evaluation of multimodal language models.

>>> import chef
>>> report = chef.evaluate("tiny.yaml", "recipe.yaml", limit=32)  # doctest: +SKIP
>>> report.metrics["ACC"].value  # doctest: +SKIP
96.9

What stands here is imported when it is first used, so that ``import chef`` is instant.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from chef.common.front_modules import chef_name, install
from chef.common.version import VERSION

if TYPE_CHECKING:
    from chef.api import Reports, ask_judge, compare, evaluate, export, load_run, score
    from chef.config import Recipe, load_model, load_recipe
    from chef.errors import ChefError, ConfigError, DataError, RunError, SampleError
    from chef.image import Image
    from chef.inferencer.base import Answer, Inferencer
    from chef.instruction.handler import Instruction
    from chef.instruction.retriever.base import Retriever
    from chef.metric import Estimate, Metric
    from chef.models import Model
    from chef.report.compare.comparison import Comparison
    from chef.report.load import Run
    from chef.run.progress import Progress
    from chef.scenario.base import Scenario
    from chef.scoring.result import RunResult
    from chef.suite.members.result import SuiteResult
    from chef.suite.pages.view import view
    from chef.suite.race.racing import race
    from chef.suite.race.result import Race
    from chef.suite.sweep.result import SweepResult
    from chef.suite.sweep.running import sweep
    from chef.suite.trust.sheets import TrustSheet, trust_sheet
    from chef.types import (
        Generate,
        Generated,
        Prediction,
        Query,
        Sample,
        Score,
        Scored,
        Status,
        Text,
        Turn,
    )

__version__ = VERSION

__all__ = [
    "Answer",
    "ChefError",
    "Comparison",
    "ConfigError",
    "DataError",
    "Estimate",
    "Generate",
    "Generated",
    "Image",
    "Inferencer",
    "Instruction",
    "Metric",
    "Model",
    "Prediction",
    "Progress",
    "Query",
    "Race",
    "Recipe",
    "Reports",
    "Retriever",
    "Run",
    "RunError",
    "RunResult",
    "Sample",
    "SampleError",
    "Scenario",
    "Score",
    "Scored",
    "Status",
    "SuiteResult",
    "SweepResult",
    "Text",
    "TrustSheet",
    "Turn",
    "__version__",
    "ask_judge",
    "compare",
    "evaluate",
    "export",
    "load_model",
    "load_recipe",
    "load_run",
    "race",
    "score",
    "sweep",
    "trust_sheet",
    "view",
]

_PLACES = {
    **dict.fromkeys(
        ("Reports", "ask_judge", "compare", "evaluate", "export", "load_run", "score"), "chef.api"
    ),
    **dict.fromkeys(("Recipe", "load_model", "load_recipe"), "chef.config"),
    **dict.fromkeys(("Answer", "Inferencer"), "chef.inferencer.base"),
    **dict.fromkeys(
        ("ChefError", "ConfigError", "DataError", "RunError", "SampleError"), "chef.errors"
    ),
    "Image": "chef.image",
    "Retriever": "chef.instruction.retriever.base",
    "Instruction": "chef.instruction.handler",
    **dict.fromkeys(("Estimate", "Metric"), "chef.metric"),
    "Model": "chef.models",
    "Comparison": "chef.report.compare.comparison",
    "Run": "chef.report.load",
    "RunResult": "chef.scoring.result",
    "Race": "chef.suite.race.result",
    "SuiteResult": "chef.suite.members.result",
    "SweepResult": "chef.suite.sweep.result",
    "race": "chef.suite.race.racing",
    "sweep": "chef.suite.sweep.running",
    **dict.fromkeys(("TrustSheet", "trust_sheet"), "chef.suite.trust.sheets"),
    "view": "chef.suite.pages.view",
    "Progress": "chef.run.progress",
    "Scenario": "chef.scenario.base",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        return chef_name("chef", name)
    value = getattr(import_module(_PLACES.get(name, "chef.types")), name)
    globals()[name] = value  # the next look-up finds it without this function
    return value


install()  # adds one object to a list; the table of ChEF's paths is read when one is imported


def __dir__() -> list[str]:
    return sorted(__all__)
