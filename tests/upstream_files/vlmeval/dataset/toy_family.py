"""Names of shipped data sets, as the package's own list of data sets has them."""

from .image_mcq import (
    CustomMCQDataset,
)


class ToyFamily(CustomMCQDataset):
    """A table that nobody has named before, under the rules for such; it is not run."""

    @classmethod
    def supported_datasets(cls):
        return ["ToyFamily"]
