"""NumPy and SciPy's special functions: each is loaded when one of its names is first used.

Most commands compute nothing, and begin sooner without them. The names of arrays are for type
checkers alone.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray
    from scipy import special

    Array: TypeAlias = NDArray[np.float64]
    Places: TypeAlias = NDArray[np.intp]
else:
    Array = ArrayLike = NDArray = Places = Any

__all__ = ["Array", "ArrayLike", "LazyModule", "NDArray", "Places", "np", "special"]


class LazyModule(ModuleType):
    """Stands for a module that is imported when one of its names is first asked for.

    >>> LazyModule("math").sqrt(9.0)
    3.0
    """

    def __getattr__(self, name: str) -> Any:
        item = getattr(import_module(self.__name__), name)
        setattr(self, name, item)  # the next look-up finds it at once
        return item


if not TYPE_CHECKING:
    np, special = LazyModule("numpy"), LazyModule("scipy.special")
