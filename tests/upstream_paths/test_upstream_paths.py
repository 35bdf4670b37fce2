"""ChEF's module paths and class names lead to the classes of chef."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import chef
from chef.upstream_paths import AliasFinder, install
from chef.upstream_paths.table import CLASSES, MODULES

#: What somebody who follows ChEF's tutorial may write: a path, and the class expected there.
GUESSES = {
    "inferencer": "Direct_inferencer",
    "inferencer.utils": "Base_inferencer",
    "inferencer.direct": "Direct_inferencer",
    "inferencer.direct_inferencer": "Direct_inferencer",
    "inferencer.inferencer": "Direct_inferencer",
    "inferencer.base_inferencer": "Base_inferencer",
    "inferencer.ppl": "PPL",
    "inferencer.ppl_inferencer": "PPL_inferencer",
    "inferencer.multi_ppl": "Multi_PPL_inferencer",
    "inferencer.multi_direct": "Multi_Direct_inferencer",
    "inferencer.det_ppl_inferencer": "Det_PPL_inferencer",
    "inferencer.icl_inferencer": "ICL_PPL_inferencer",
    "inferencer.calibration_inferencer": "Calibration_inferencer",
    "metric": "Base_metric",
    "metric.utils": "Base_Metric",
    "metric.base_metric": "Base_metric",
    "metric.vqa.vqa": "VQA",
    "metric.caption.caption": "Caption",
    "metric.MMBench": "MMBenchVQA",
    "metric.MME": "MMEVQA",
    "metrics": "Base_metric",
    "metrics.utils": "Base_metric",
    "models": "TestBase",
    "models.test_base": "TestBase",
    "models.utils": "TestBase",
    "models.base_model": "TestBase",
    "instruction": "InstructionHandler",
    "instruction.instruction_handler": "InstructionHandler",
    "instruction.ice_retriever": "BaseRetriever",
    "retriever": "Base_retriever",
    "scenario": "Base_dataset",
    "scenario.utils": "Base_dataset",
    "scenario.CIFAR10": "CIFAR10Dataset",
    "scenario.ScienceQA": "ScienceQADataset",
    "scenario.MMBench": "MMBenchDataset",
    "dataset": "BaseDataset",
    "evaluator": "Evaluator",
    "utils": "ConfigError",
}


@pytest.mark.parametrize("path", GUESSES)
def test_a_guessed_path_has_the_class(path: str) -> None:
    found = getattr(import_module(f"chef.{path}"), GUESSES[path])
    assert isinstance(found, type)
    assert found.__module__.startswith("chef.")


def test_there_are_enough_guesses() -> None:
    assert len(GUESSES) >= 30
    assert len(set(GUESSES) & set(MODULES)) >= 25


@pytest.mark.parametrize("path", MODULES)
def test_every_path_of_the_table_leads_somewhere(path: str) -> None:
    module = import_module(f"chef.{path}")
    for place in MODULES[path]:
        assert import_module(place)
    assert module.Direct_inferencer is chef.Direct_inferencer


@pytest.mark.parametrize("path", MODULES)
def test_no_path_of_the_table_hides_a_file(path: str) -> None:
    below = Path(chef.__file__).parent.joinpath(*path.split("."))
    names = {item.name for item in below.parent.glob("*")} if below.parent.is_dir() else set()
    assert not names & {below.name, f"{below.name}.py"}


def test_no_path_ends_in_the_name_of_a_class() -> None:
    assert not {path.rpartition(".")[2] for path in MODULES} & {*CLASSES}


@pytest.mark.parametrize("name", CLASSES)
def test_every_class_of_the_table_exists(name: str) -> None:
    assert isinstance(getattr(chef, name), type)


def test_the_classes_are_the_same_by_every_path() -> None:
    from chef.inferencer.direct_inferencer import Direct_Inferencer
    from chef.metric.utils import Base_Metric, Base_metric

    from chef.inferencer.direct import Direct
    from chef.metric import Metric

    assert Direct_Inferencer is Direct
    assert Base_metric is Base_Metric is Metric
    assert issubclass(import_module("chef.metrics.utils").Base_metric, Metric)


def test_everything_of_a_path() -> None:
    names: dict[str, object] = {}
    exec("from chef.metric.utils import *", names)
    assert names["Base_metric"] is chef.Metric


def test_other_names_stay_unknown() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"chef\.metric\.utilz"):
        import_module("chef.metric.utilz")
    with pytest.raises(ImportError, match="Base_metrik"):
        exec("from chef.metric.utils import Base_metrik")
    with pytest.raises(AttributeError, match=r"'chef\.metric' has no attribute 'Base_metrik'"):
        import_module("chef.metric").Base_metrik  # noqa: B018
    assert not hasattr(chef, "__wrapped__")


def test_the_table_costs_nothing_until_it_is_needed() -> None:
    install()
    assert sum(isinstance(finder, AliasFinder) for finder in sys.meta_path) == 1
    code = (
        "import sys, chef, chef.cli; assert 'chef.upstream_paths.table' not in sys.modules\n"
        "import chef.metric.utils as utils, chef.inferencer.utils, chef.models.test_base\n"
        "assert not {'chef.metric.base', 'torch', 'PIL'} & {*sys.modules} - before\n"
    ).replace("- before", "- {'chef.metric.base'}")
    subprocess.run([sys.executable, "-c", code], check=True)
