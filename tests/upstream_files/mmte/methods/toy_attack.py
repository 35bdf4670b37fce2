from typing import List

from mmte.methods.base import BaseMethod
from mmte.methods.adv import AdvGeneratedImage
from mmte.utils.SSA import SSA_CommonWeakness
from mmte.utils.surrogates import DYPOpenClipAttackVisionModel, DYPTransformerClipAttackVisionModel
from mmte.utils.registry import registry
from mmte import ImageTxtSample, TxtSample, _OutputType


@registry.register_method()
class ToyAttack(BaseMethod):
    """An attack would be begun in `run`; loading this file loads no surrogate."""

    method_ids: List[str] = ["toy-attack"]

    def __init__(self, method_id: str, img_dir: str, lazy_mode: bool = True) -> None:
        super().__init__(method_id, img_dir, lazy_mode)

    def hash(self, to_hash_str: str, **kwargs) -> str:
        return to_hash_str

    def run(self, data: _OutputType, **kwargs) -> _OutputType:
        surrogates = [DYPTransformerClipAttackVisionModel("openai/clip-vit-large-patch14")]
        SSA_CommonWeakness(surrogates)
        return data
