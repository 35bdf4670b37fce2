from .Singleturn import Direct_Inferencer, PPL_Inferencer
from .Multiturn import Multi_Direct_Inferencer, Multi_Turn_PPL_Inferencer
from .utils import copy_batch_dict
from ChEF.inferencer.Singleturn import Direct3D_Inferencer


class Toy_Inferencer(Direct_Inferencer):
    """Direct, with longer answers where the recipe says nothing."""

    def __init__(self, max_new_tokens=64, **kwargs):
        super().__init__(max_new_tokens=max_new_tokens, **kwargs)
