"""How the rows of a table are asked and scored: the mapping from a row to a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

import msgspec

#: What the rows of a table of one's own are.
Kind: TypeAlias = Literal["mcq", "yesno", "vqa", "caption"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LayoutName: TypeAlias = Literal[
    "plain", "mcq", "no_hint", "mmmu", "mmmu_pro", "muir", "natural", "picture", "turns",
    "lettered", "hinted",
]  # fmt: skip


class Family(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """Benchmarks that are asked and scored alike.

    Attributes:
        kind: how a row becomes a question and its answer.
        layout: how its text and images are arranged.
        wording: the pool of its instruction.
        metric: the metric, with VLMEvalKit's own rules under the same name where it has any.
        recipe: the shipped recipe, a file of ``VLMEvalKit/``; empty: none.
        circular: whether its files hold the rotations of each question.
        judge: the kind of judgement without which its answers have no score; empty: none.
        block: how many rows, in the order of their indices, are scored as one; 0: each alone.
        hidden: the answer of rows whose answer is not published; empty: none.
    """

    kind: Literal[Kind, "turns"]
    layout: LayoutName
    wording: str
    metric: str
    recipe: str = ""
    circular: bool = False
    judge: str = ""
    block: int = 0
    hidden: str = "?"


#: How the rows of a table of one's own are asked, in ChEF's layouts.
OWN: Mapping[Kind, Family] = {
    "mcq": Family(kind="mcq", layout="lettered", wording="VQA", metric="Accuracy", hidden=""),
    "yesno": Family(kind="yesno", layout="hinted", wording="POPE", metric="YesNo", hidden=""),
    "vqa": Family(kind="vqa", layout="hinted", wording="VQA", metric="Accuracy", hidden=""),
    "caption": Family(
        kind="caption", layout="picture", wording="caption", metric="Caption", hidden=""
    ),
}
