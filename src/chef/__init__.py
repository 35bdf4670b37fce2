"""chef: recipe-based evaluation of multimodal language models."""

from chef.common.version import VERSION

__version__ = VERSION
