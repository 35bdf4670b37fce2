"""Every name that files of ChEF, MMTrustEval and VLMEvalKit import from each other is there."""

from __future__ import annotations

import csv
import importlib
import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from every import check_every

import chef
from chef.common.front_modules import SYSTEMS, install
from chef.common.refused import RefusedClass, RefusedValue
from chef.common.user_code import package_of
from chef.config.document import read_document
from chef.config.plugins import load_plugins, uncalled
from chef.errors import ConfigError
from chef.fronts.vlmeval.misc import VideoBaseDataset

#: What the files of the three systems import from each other: module, name, kind, arguments.
ROWS = list(
    csv.DictReader(
        (Path(__file__).parent / "names.tsv").open(encoding="utf-8"),
        delimiter="\t",
        quoting=csv.QUOTE_NONE,
    )
)
#: Names that chef does not have: they are imported, and refuse when they are used. Why stands in
#: ``fronts/tables/reasons.yaml``.
REFUSED = {
    "points", "encoder", "vendored", "attack", "video", "benchmark", "benchmark_part",
    "server", "command",
}  # fmt: skip
#: The arguments of a line are cut at so many characters.
CUT = 118


@pytest.fixture(autouse=True)
def _served() -> None:
    install(every=True)


def thing(row: dict[str, str]) -> Any:
    """What ``from MODULE import NAME`` gives."""
    names: dict[str, Any] = {}
    exec(f"from {row['module']} import {row['name']} as found", names)
    return names["found"]


def identity(row: dict[str, str]) -> str:
    return f"{row['module']}.{row['name']}"


NAMED = {identity(row): row for row in ROWS}


def test_each_is_imported_by_its_module_and_is_what_it_is_there() -> None:
    check_every(NAMED, check_kind)


def check_kind(row: dict[str, str]) -> None:
    found = thing(row)
    if row["kind"] == "class":
        assert isinstance(found, type)
    elif row["kind"] == "function":
        assert callable(found)
        takes = inspect.signature(found).parameters
        given = [item.strip() for item in row["arguments or methods"].split(",")]
        given = given[:-1] if len(row["arguments or methods"]) >= CUT else given
        named = [item.rstrip("=") for item in given if item and not item.startswith("*")]
        is_open = any(item.kind is item.VAR_KEYWORD for item in takes.values())
        assert is_open or not {*named} - {*takes}


#: Hooks that a user's class may have, and chef's base class has not; it calls them where they are.
OPTIONAL = {("TestBase", "batch_generate"), ("BaseAPI", "chat_inner")}
CLASSES = [row for row in ROWS if row["kind"] == "class" and row["arguments or methods"]]


def methods_of(row: dict[str, str]) -> list[str]:
    text = row["arguments or methods"]
    names = [item.strip() for item in text.split(",")]
    return names[:-1] if len(text) >= CUT else names


def test_a_class_has_the_methods_that_it_has_there() -> None:
    """Those that it lacks are listed with what to override instead, and no others are."""
    check_every({identity(row): row for row in CLASSES}, check_methods)


def check_methods(row: dict[str, str]) -> None:
    found = thing(row)
    if isinstance(found, RefusedClass) or issubclass(found, VideoBaseDataset):
        return  # it ends in one line whatever is asked of it
    left_out = {item.name for item in uncalled().get(f"{row['upstream']}:{row['name']}", ())}
    named = {name for name in methods_of(row) if (row["name"], name) not in OPTIONAL}
    assert {name for name in named if not callable(getattr(found, name, None))} == left_out


def test_what_is_left_out_stands_in_the_names() -> None:
    listed = {f"{row['upstream']}:{row['name']}": {*methods_of(row)} for row in CLASSES}
    for place, methods in uncalled().items():
        assert {item.name for item in methods} <= listed[place], place


def test_each_is_imported_relatively_in_a_plugin() -> None:
    """The file says where it stands by the folder it is in, as one of a checkout does."""
    check_every(NAMED, check_relative)


def check_relative(row: dict[str, str]) -> None:
    system, *parts = row["module"].split(".")
    package, last = ".".join([system, *parts[:-1]]), parts[-1:]
    if package == system and len(parts) < 2:
        package, dots, module = f"{system}.other", "..", ".".join(last)
    else:
        dots, module = ".", ".".join(last)
    source = f"from {dots}{module} import {row['name']} as found\n"
    names: dict[str, Any] = {"__package__": package, "__name__": f"{package}.mine"}
    importlib.import_module(system)
    if package.endswith(".other"):
        names["__package__"] = f"{system}.{'models' if system != 'vlmeval' else 'vlm'}"
    exec(source, names)
    absolute = thing(row)
    assert names["found"] is absolute or names["found"] == absolute


def test_there_are_as_many_as_there_were() -> None:
    assert len(NAMED) == len(ROWS) == 471
    counts = {root: sum(row["upstream"] == root for row in ROWS) for root in SYSTEMS}
    assert counts == {"ChEF": 113, "mmte": 77, "vlmeval": 281}


def test_what_is_refused_is_refused_when_it_is_used() -> None:
    places = [entry for item in SYSTEMS.values() for entry in item.names.values()]
    assert {entry.place[1:] for entry in places if entry.place.startswith("-")} == REFUSED
    for system in SYSTEMS.values():
        for entry in system.names.values():
            if not entry.place.startswith("-"):
                continue
            found = system.get(entry.name)
            assert isinstance(found, RefusedClass | RefusedValue) or entry.kind == "function"
            with pytest.raises(ConfigError, match=entry.name) as raised:
                found("anything", of={"any": "kind"})
            assert raised.value.hint


def test_a_refused_class_can_be_extended() -> None:
    video = SYSTEMS["vlmeval"].get("Video_Holmes")
    mine = type("Mine", (video,), {"TYPE": "Video-MCQ"})
    with pytest.raises(ConfigError, match="asks no video"):
        mine("Mine_8frame")
    with pytest.raises(ConfigError, match="asks no video"):
        mine.supported_datasets()


@pytest.mark.parametrize("root", SYSTEMS)
def test_every_name_of_a_table_leads_somewhere(root: str) -> None:
    system = SYSTEMS[root]
    for entry in system.names.values():
        if entry.place:
            assert system.get(entry.name) is not None, entry


def test_the_tables_have_no_more_names_of_modules_than_the_systems() -> None:
    """What stands in neither generation of ChEF, and in no module of MMTrustEval, is not there."""
    for gone in (
        "chef.inferencer.direct_inferencer", "chef.metrics", "chef.scenario.CIFAR10",
        "mmte.utils.dataset", "ChEF.inferencer.icl_inferencer",
    ):  # fmt: skip
        with pytest.raises(ModuleNotFoundError, match=gone.rpartition(".")[2]):
            importlib.import_module(gone)
    for name in ("BaseInferencer", "Base_scenario", "Test_Base"):
        with pytest.raises(AttributeError, match=name):
            getattr(chef, name)


def test_names_are_the_same_by_every_path() -> None:
    from chef.inferencer.Singleturn import Direct_Inferencer
    from ChEF.metric.utils import Base_Metric as by_root

    from chef.inferencer.direct import Direct
    from chef.metric import Metric
    from chef.metric.base import Base_Metric, Base_metric

    assert Direct_Inferencer is chef.Direct_inferencer is Direct
    assert Base_metric is Base_Metric is by_root is Metric


def test_everything_of_a_module() -> None:
    names: dict[str, Any] = {}
    exec("from ChEF.metric.utils import *", names)
    assert names["Base_metric"] is chef.Metric
    assert "TestBase" not in names
    names = {}
    exec("from vlmeval.dataset.image_base import *", names)
    assert {"ImageBaseDataset", "load", "osp", "pd"} <= {*names}


def test_other_names_stay_unknown() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"chef\.metric\.utilz"):
        importlib.import_module("chef.metric.utilz")
    with pytest.raises(ImportError, match="Base_metrik"):
        exec("from chef.metric.utils import Base_metrik")
    with pytest.raises(AttributeError, match=r"'chef\.metric' has no attribute 'Base_metrik'"):
        importlib.import_module("chef.metric").Base_metrik  # noqa: B018
    with pytest.raises(AttributeError, match="did you mean 'ImageBaseDataset'"):
        importlib.import_module("chef.vlmevalkit").ImageBaseDatset  # noqa: B018
    assert not hasattr(chef, "__wrapped__")


@pytest.mark.parametrize(
    ("source", "package"),
    [
        ("from .image_base import ImageBaseDataset\nfrom ..smp import *", "vlmeval.dataset"),
        ("def f():\n    from .utils import build_judge", "vlmeval.dataset"),
        ("from .mine import thing", ""),
        ("from .image_base import X\nfrom .utils.mine import thing", "vlmeval.dataset"),
        ("from .base import BaseModel\nfrom .mine import thing", "vlmeval.vlm"),
        ("from ..base import BaseModel\nfrom ...smp import listinstr", "vlmeval.vlm.family"),
        ("from .test_base import TestBase\nfrom .utils import get_image", "ChEF.models"),
        ("from .utils import Base_Metric, parse_bbox", "ChEF.metric"),
        ("from .base_retriever import BaseRetriever", "ChEF.instruction.ice_retriever"),
        ("from .Singleturn import Direct_Inferencer", "ChEF.inferencer"),
        ("from .vqa_dataset import ScienceQADataset", "ChEF.scenario"),
        ("from ..test_base import TestBase", "ChEF.models.family"),
        ("from .base import BaseDataset, collate_fn\nfrom .. import _OutputType", "mmte.datasets"),
        ("from .base import BaseEvaluator", "mmte.evaluators"),
        ("from .base import BaseChat, Response", "mmte.models"),
        ("from .base import BaseMethod", "mmte.methods"),
        ("from .... import thing", ""),
        ("import os", ""),
        ("no Python!", ""),
    ],
)
def test_the_package_of_relative_imports(source: str, package: str) -> None:
    assert package_of(source.encode()) == package


def test_a_script_has_the_names_once_it_imports_fronts() -> None:
    code = (
        "import chef, chef.config\n"
        "try:\n    import vlmeval\nexcept ModuleNotFoundError:\n    print('not yet')\n"
        "import chef.fronts\n"
        "import mmte, ChEF, vlmeval\n"
        "from mmte.utils.registry import registry\nfrom vlmeval.smp import *\n"
        "from ChEF.metric import build_metric\n"
        "print(toliststr('[\"a\"]'), registry.get_evaluator_class('rule_contain_eval').__name__)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split("\n")[:2] == ["not yet", "['a'] ContainEvaluator"], done.stderr


def test_an_installed_package_comes_first(tmp_path: Path) -> None:
    (tmp_path / "mmte").mkdir()
    (tmp_path / "mmte" / "__init__.py").write_text("_OutputType = 'theirs'\n")
    code = "import chef.fronts, mmte; print(mmte._OutputType); import mmte.datasets.base"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        cwd=tmp_path, env={"PYTHONPATH": f"{tmp_path}:{Path(chef.__file__).parents[1]}"},
    )  # fmt: skip
    assert done.stdout == "theirs\n"
    assert "No module named 'mmte.datasets'" in done.stderr


def test_the_tables_cost_nothing_until_they_are_needed() -> None:
    code = (
        "import sys, chef, chef.cli\n"
        "from chef.common import front_modules\n"
        "assert not front_modules._finder.roots & {'mmte', 'vlmeval', 'ChEF'}\n"
        "assert all('names' not in vars(item) for item in front_modules.SYSTEMS.values())\n"
        "import chef.metric.utils as utils, chef.inferencer.utils, chef.models.test_base\n"
        "assert not {'torch', 'PIL', 'pandas'} & {*sys.modules}\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


FOLDER = {
    "plugins/dataset/mine.py": (
        "from .image_base import ImageBaseDataset\nfrom .helper import word\n"
        "from .utils.multiple_choice import report_acc, only_mine\nfrom ..smp import *\n\n\n"
        "class Folder(ImageBaseDataset):\n    TYPE = word() + only_mine\n"
        "    DATASET_URL = {'Folder': 'folder.tsv'}\n"
    ),
    "plugins/dataset/helper.py": "def word():\n    return 'V'\n",
    "plugins/dataset/utils/multiple_choice.py": "from ...smp import listinstr\nonly_mine = 'QA'\n",
}


def test_files_of_a_folder_import_each_other(tmp_path: Path) -> None:
    for name, content in FOLDER.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    recipe = tmp_path / "r.yaml"
    recipe.write_text("plugins: [plugins/dataset/mine.py]\n")
    load_plugins(["plugins/dataset/mine.py"], read_document(recipe))
    assert chef.scenario.SCENARIOS.get("Folder").dataset_class.TYPE == "VQA"
