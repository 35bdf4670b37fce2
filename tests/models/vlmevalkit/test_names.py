"""The names that model files import, from wherever they stand in VLMEvalKit's tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

BODY = """
class MyModel(BaseModel):
    def generate_inner(self, message, dataset=None):
        return "(A)"
"""


@pytest.mark.parametrize(
    "imports",
    [
        "from vlmeval.vlm.base import BaseModel",
        "from vlmeval.vlm import BaseModel",
        "from chef.vlmevalkit import BaseModel",
        "from .base import BaseModel\nfrom ..smp import *\nassert osp.join('a', 'b') == 'a/b'",
        "from ..base import BaseModel\nfrom ...smp import get_logger, load, dump, listinstr\n"
        "from ...dataset import DATASET_TYPE, DATASET_MODALITY\n"
        "assert DATASET_MODALITY('mine') == 'IMAGE'",
        "import vlmeval.vlm.base as base\nBaseModel = base.BaseModel",
    ],
)
def test_a_model_file_imports(evaluate: Callable[..., Any], imports: str) -> None:
    ran = evaluate(f"{imports}\n{BODY}")
    assert ran.code == 0, ran.err
    assert ran.answers == ["(A)"] * 4


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("from .qwen2_vl.prompt import Mixin", "and these are none"),
        ("from vlmeval.vlm import BaseModle", "did you mean 'BaseModel'?"),
        (
            "from vlmeval.vlm.qwen import Qwen",
            "for anything else of the package put its file beside this one",
        ),
    ],
)
def test_an_import_beyond_what_there_is_has_a_hint(
    evaluate: Callable[..., Any], line: str, said: str
) -> None:
    ran = evaluate(f"{line}\n{BODY}")
    assert ran.code == 2
    assert line in ran.err
    assert said in ran.err


def test_the_kinds_of_data_sets_by_name() -> None:
    from chef.vlmevalkit import DATASET_TYPE

    names = ["MMBench_DEV_EN", "MME", "TextVQA_VAL", "COCO_VAL", "MMDU", "my own"]
    assert [*map(DATASET_TYPE, names)] == ["MCQ", "Y/N", "VQA", "Caption", "MT", "MCQ"]
    assert DATASET_TYPE("my own", default="VQA") == "VQA"


def test_helpers_of_models() -> None:
    from chef.vlmevalkit import cn_string, isimg, version_cmp

    assert not isimg("What is it?")
    assert cn_string("这是什么?")
    assert version_cmp("1.10", "1.9", "gt")
    assert not version_cmp("1.10", "1.9", "lt")
