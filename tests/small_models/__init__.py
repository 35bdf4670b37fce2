"""Small random models, one for each architecture family, saved as the hub would hold them.

Weights are random and images tiny, but the files, the processors, the chat templates and the
loading path are the real ones.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from small_models.gemma import gemma3, paligemma
from small_models.llava import internvl, llava, llava_onevision
from small_models.others import idefics3, mllama
from small_models.qwen import qwen2_5_vl, qwen2_vl, qwen3_vl

BUILDERS: dict[str, Callable[[Path], None]] = {
    "llava": llava,
    "qwen2_vl": qwen2_vl,
    "qwen2_5_vl": qwen2_5_vl,
    "idefics3": idefics3,
    "gemma3": gemma3,
    "paligemma": paligemma,
    "llava_onevision": llava_onevision,
    "qwen3_vl": qwen3_vl,
    "internvl": internvl,
}
#: A family whose options are scored by the reference scorer.
CROSS_ATTENTION: dict[str, Callable[[Path], None]] = {"mllama": mllama}
