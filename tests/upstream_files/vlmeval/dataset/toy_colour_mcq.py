from ..smp import *
from .image_mcq import ImageMCQDataset


class ToyColourMCQ(ImageMCQDataset):
    """Questions with options; wording and scoring are the base class's own."""

    TYPE = "MCQ"

    DATASET_URL = {
        "ToyColourMCQ": "https://example.invalid/data/ToyColourMCQ.tsv",
    }

    DATASET_MD5 = {
        "ToyColourMCQ": "5919b3b2e7124d97a093f314dc9de499",
    }
