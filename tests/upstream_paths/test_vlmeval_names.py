"""VLMEvalKit's module names lead to the classes of chef while plugins are used."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import chef.vlmevalkit
from chef.upstream_paths.package_finder import install, package_of, resolved
from chef.upstream_paths.vlmeval_names import MODULES, NAMES, SMP


@pytest.mark.parametrize("name", [*NAMES, *SMP])
def test_every_name_leads_somewhere(name: str) -> None:
    assert resolved({**SMP, **NAMES}[name]) is not None


def test_every_module_has_the_names() -> None:
    install()
    for path in sorted(MODULES):
        module = importlib.import_module("vlmeval" + (f".{path}" if path else ""))
        assert module.ImageBaseDataset is chef.vlmevalkit.ImageBaseDataset


def test_names_that_are_not_there() -> None:
    with pytest.raises(ImportError):
        from chef.vlmevalkit import ImageBaseDatasets  # noqa: F401
    with pytest.raises(AttributeError, match="did you mean 'ImageBaseDataset'"):
        chef.vlmevalkit.ImageBaseDatset  # noqa: B018


@pytest.mark.parametrize(
    ("source", "package"),
    [
        (b"from .image_base import ImageBaseDataset\nfrom ..smp import *", "vlmeval.dataset"),
        (b"def f():\n    from .utils import build_judge", "vlmeval.dataset"),
        (b"from .mine import thing", ""),
        (b"from .image_base import X\nfrom .utils.mine import thing", "vlmeval.dataset"),
        (b"from .base import BaseModel\nfrom .mine import thing", "vlmeval.vlm"),
        (b"from .... import thing", ""),
        (b"import os", ""),
        (b"no Python!", ""),
    ],
)
def test_the_package_of_relative_imports(source: bytes, package: str) -> None:
    assert package_of(source) == package


def test_without_a_plugin_there_is_no_such_package() -> None:
    code = "import chef, chef.config\nimport vlmeval"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "No module named 'vlmeval'" in done.stderr
