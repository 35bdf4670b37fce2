from .topk_retriever_img import ImageTopkRetriever
from .utils import DatasetEncoder, IMG_DatasetEncoder, DataCollatorWithPaddingAndCuda, get_image


class ToyImageTopkRetriever(ImageTopkRetriever):
    """Nearest pictures; loading this file loads no encoder."""

    ice_separator = '\n'
