from .image_yorn import ImageYORNDataset
from .utils.yorn import YOrN_Extraction, YOrN_auxeval, default_rating, MME_rating, POPE_rating
from .utils import build_judge, DEBUG_MESSAGE
from ..utils import track_progress_rich
from ..smp import *


class ToyColourYN(ImageYORNDataset):
    """Yes or no; the request is added to the base class's wording."""

    TYPE = 'Y/N'

    DATASET_URL = {'ToyColourYN': 'https://example.invalid/data/ToyColourYN.tsv'}
    DATASET_MD5 = {'ToyColourYN': 'e2a270f07980789a04cd133870fbd6dc'}

    def build_prompt(self, line):
        if isinstance(line, int):
            line = self.data.iloc[line]
        msgs = super().build_prompt(line)
        msgs[-1]['value'] = msgs[-1]['value'] + ' Please answer yes or no.'
        return msgs
