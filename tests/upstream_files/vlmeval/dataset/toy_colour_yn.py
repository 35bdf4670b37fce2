from ..smp import *
from .image_yorn import ImageYORNDataset


class ToyColourYN(ImageYORNDataset):
    """Yes or no; the request is added to the base class's wording."""

    TYPE = "Y/N"

    DATASET_URL = {"ToyColourYN": "https://example.invalid/data/ToyColourYN.tsv"}
    DATASET_MD5 = {"ToyColourYN": "e2a270f07980789a04cd133870fbd6dc"}

    def build_prompt(self, line):
        if isinstance(line, int):
            line = self.data.iloc[line]
        msgs = super().build_prompt(line)
        msgs[-1]["value"] = msgs[-1]["value"] + " Please answer yes or no."
        return msgs
