"""The column ``image`` of a table that is too large for memory: a cell is read when it is used.

This module imports pandas, and is itself imported only for such a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.extensions import ExtensionArray, ExtensionDtype, take

from chef.scenario.tsv.index import TsvIndex

#: Follows the references of the cell of a row, given the cells of all rows by index.
Resolve = Callable[[str, Mapping[str, Any]], Any]
_NONE = -1


class ImageDtype(ExtensionDtype):  # type: ignore[misc]
    """The kind of the column."""

    name = "image"
    type = object
    na_value = float("nan")

    @classmethod
    def construct_array_type(cls) -> Any:
        """The class of its arrays."""
        return LazyImages


class LazyImages(ExtensionArray):  # type: ignore[misc]
    """The images of rows of a TSV, in the order of a frame.

    Args:
        index: the index of the file.
        positions: the position of each row of the frame in the index; -1 where it has none.
        resolve: gives the image of a row, or those of the row that it refers to.
    """

    def __init__(self, index: TsvIndex, positions: Any, resolve: Resolve) -> None:
        self.index, self.resolve = index, resolve
        self.positions = np.asarray(positions, dtype=np.int64)

    @property
    def dtype(self) -> ImageDtype:
        """See `ImageDtype`."""
        return ImageDtype()

    @property
    def nbytes(self) -> int:
        """The bytes in memory: the images are not."""
        return int(self.positions.nbytes)

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, item: Any) -> Any:
        """The image of one row, or the lazy images of several."""
        found = self.positions[pd.api.indexers.check_array_indexer(self, item)]
        if np.ndim(found):
            return self._of(found)
        if not self._has_image(int(found)):
            return float("nan")
        return self.resolve(self.index.rows[int(found)].id, _Cells(self.index))

    def isna(self) -> Any:
        """Where a row has no image; nothing is read."""
        return np.array([not self._has_image(int(place)) for place in self.positions], dtype=bool)

    def take(
        self, indices: Sequence[int], *, allow_fill: bool = False, fill_value: Any = None
    ) -> LazyImages:
        """The lazy images at some places; a filled one is missing."""
        del fill_value
        return self._of(take(self.positions, indices, allow_fill=allow_fill, fill_value=_NONE))

    def copy(self) -> LazyImages:
        """The same images, in an order of its own."""
        return self._of(self.positions.copy())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """All images: they are read."""
        del copy
        found = np.empty(len(self), dtype=object)
        found[:] = [self[place] for place in range(len(self))]
        return found if dtype is None else found.astype(dtype)

    @classmethod
    def _from_sequence(cls, scalars: Any, *, dtype: Any = None, copy: bool = False) -> Any:
        """What pandas makes of results that are no rows of the file: a plain array."""
        del dtype, copy
        return pd.array(list(scalars), dtype=object)

    @classmethod
    def _concat_same_type(cls, to_concat: Sequence[LazyImages]) -> Any:
        first = to_concat[0]
        if any(part.index is not first.index for part in to_concat):
            return pd.array([cell for part in to_concat for cell in part], dtype=object)
        positions = np.concatenate([part.positions for part in to_concat])
        return cls(first.index, positions, first.resolve)

    def _of(self, positions: Any) -> LazyImages:
        return LazyImages(self.index, positions, self.resolve)

    def _has_image(self, place: int) -> bool:
        return place != _NONE and self.index.rows[place].has_image


class _Cells(Mapping[str, Any]):
    """The cells ``image`` of a file by the index of their rows, each read when it is asked for."""

    def __init__(self, index: TsvIndex) -> None:
        self.index = index

    def __getitem__(self, name: str) -> str:
        return self.index.read(self.index.positions[name])["image"]

    def __contains__(self, name: object) -> bool:
        return name in self.index.positions

    def __iter__(self) -> Iterator[str]:
        return iter(self.index.positions)

    def __len__(self) -> int:
        return len(self.index.positions)
