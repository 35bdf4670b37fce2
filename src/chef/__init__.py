"""chef: recipe-based evaluation of multimodal language models.

>>> import chef
>>> report = chef.evaluate("tiny.yaml", "recipe.yaml", limit=32)  # doctest: +SKIP
>>> report.metrics["ACC"].value  # doctest: +SKIP
96.9

What stands here is imported when it is first used, so that ``import chef`` is instant.
"""

from typing import TYPE_CHECKING

from chef.common.front_modules import attributes, install
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
    from chef.run.session import Progress
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
else:
    __getattr__ = attributes(
        __name__,
        {
            "chef.api": ("Reports", "ask_judge", "compare", "evaluate", "export", "load_run",
                         "score"),
            "chef.config": ("Recipe", "load_model", "load_recipe"),
            "chef.errors": ("ChefError", "ConfigError", "DataError", "RunError", "SampleError"),
            "chef.image": ("Image",),
            "chef.inferencer.base": ("Answer", "Inferencer"),
            "chef.instruction.handler": ("Instruction",),
            "chef.instruction.retriever.base": ("Retriever",),
            "chef.metric": ("Estimate", "Metric"),
            "chef.models": ("Model",),
            "chef.report.compare.comparison": ("Comparison",),
            "chef.report.load": ("Run",),
            "chef.run.session": ("Progress",),
            "chef.scenario.base": ("Scenario",),
            "chef.scoring.result": ("RunResult",),
            "chef.suite.members.result": ("SuiteResult",),
            "chef.suite.pages.view": ("view",),
            "chef.suite.race.racing": ("race",),
            "chef.suite.race.result": ("Race",),
            "chef.suite.sweep.result": ("SweepResult",),
            "chef.suite.sweep.running": ("sweep",),
            "chef.suite.trust.sheets": ("TrustSheet", "trust_sheet"),
            "chef.types": ("Generate", "Generated", "Prediction", "Query", "Sample", "Score",
                           "Scored", "Status", "Text", "Turn"),
        },
    )  # fmt: skip

__version__ = VERSION

__all__ = [
    "Answer", "ChefError", "Comparison", "ConfigError", "DataError", "Estimate", "Generate",
    "Generated", "Image", "Inferencer", "Instruction", "Metric", "Model", "Prediction", "Progress",
    "Query", "Race", "Recipe", "Reports", "Retriever", "Run", "RunError", "RunResult", "Sample",
    "SampleError", "Scenario", "Score", "Scored", "Status", "SuiteResult", "SweepResult", "Text",
    "TrustSheet", "Turn", "__version__", "ask_judge", "compare", "evaluate", "export", "load_model",
    "load_recipe", "load_run", "race", "score", "sweep", "trust_sheet", "view",
]  # fmt: skip

install()  # adds one object to a list; the table of ChEF's paths is read when one is imported


def __dir__() -> list[str]:
    return sorted(__all__)
