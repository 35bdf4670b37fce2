import warnings

import pandas as pd

from .image_base import ImageBaseDataset, img_root_map
from .image_mcq import ImageMCQDataset, MMMUDataset
from .utils import build_judge, DEBUG_MESSAGE, extract_answer_from_item, prefetch_answer
from .utils.multiple_choice import (
    report_acc, report_acc_MMT, mcq_circular_eval, mcq_vanilla_eval, extract_answer_from_item, eval_vanilla,
)
from ..smp import *


class ToyColourMCQ(ImageMCQDataset):
    """Questions with options; wording and scoring are the base class's own."""

    TYPE = 'MCQ'

    DATASET_URL = {
        'ToyColourMCQ': 'https://example.invalid/data/ToyColourMCQ.tsv',
    }

    DATASET_MD5 = {
        'ToyColourMCQ': '5919b3b2e7124d97a093f314dc9de499',
    }
