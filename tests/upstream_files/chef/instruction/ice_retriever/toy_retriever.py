"""The items behind the one that is asked, in the order of the data set."""
from typing import List, Optional

from .base_retriever import BaseRetriever
from .utils import DatasetEncoder, DataCollatorWithPaddingAndCuda
from ChEF.instruction.ice_retriever.random_retriever import RandomRetriever


class ToyNextRetriever(BaseRetriever):

    def __init__(self, train_dataset, test_dataset, ice_num: Optional[int] = 1, **kwargs):
        super().__init__(train_dataset, test_dataset, ice_num=ice_num, **kwargs)
        self.pool_size = len(train_dataset)
        self.asked = len(test_dataset)
        self.examples = ice_num

    def retrieve(self) -> List[List[int]]:
        return [
            [(idx + step) % self.pool_size for step in range(1, self.examples + 1)]
            for idx in range(self.asked)
        ]
