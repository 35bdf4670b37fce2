"""The interface of every encoder, from items to vectors of unit length.

The vector of an item depends on that item only. Matrix products of different shapes differ in
their last bits, so every batch has the same number of rows (the last one is filled with
repetitions), and an item is padded to a length that depends only on the item. So the vectors, and
with them the nearest neighbours, are independent of which other items are encoded, in which order,
and on how many workers.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from chef.common.digest import stream_digest
from chef.errors import ChefError, DependencyError, RunError
from chef.frozen import Frozen

if TYPE_CHECKING:
    import numpy as np
    import torch

    #: ``[n, d]``, rows of unit length.
    Vectors: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]

Item = TypeVar("Item")


class EncoderBackend(Frozen, Generic[Item]):
    """A loaded network that computes vectors of items.

    Attributes:
        network: the network; its weights and ``settings`` give the fingerprint of the encoder.
        settings: everything else that decides a vector: preprocessing and readout.
        size: the length of an item after padding; only items of one size share a batch.
        embed: computes the vectors ``[n, d]``, of any length, of a batch of items of one size.
    """

    network: torch.nn.Module
    settings: str
    size: Callable[[Item], int]
    embed: Callable[[Sequence[Item]], torch.Tensor]


class Encoder(Generic[Item]):
    """An encoder that is loaded when it is first used.

    Args:
        name: the name in the recipe, for messages.
        load: loads the network on the device of the given name (``cpu``, ``cuda:0``).
        batch_size: items per batch; it affects speed and the last bits of the vectors.
        device: ``auto`` takes the GPU if there is one.
        unit: scale vectors to length 1, so that their inner product is the cosine.
    """

    def __init__(
        self,
        name: str,
        load: Callable[[str], EncoderBackend[Item]],
        *,
        batch_size: int,
        device: str,
        unit: bool = True,
    ) -> None:
        self.name, self.batch_size, self.unit = name, batch_size, unit
        self._load, self._device = load, device
        self._backend: EncoderBackend[Item] | None = None
        self._fingerprint: str | None = None
        # Several threads open samples, and each of them may need a vector.
        self._lock = threading.RLock()

    def encode(self, items: Sequence[Item]) -> Vectors:
        """The vectors, ``[n, d]`` float32: one row for each item, with ``unit`` of length 1.

        Raises:
            RunError: the encoder cannot be loaded, or a vector is not finite.
        """
        import numpy as np
        import torch

        with self._lock, torch.inference_mode():
            backend = self.backend()
            rows: dict[int, Any] = {}
            for chosen in _batches([backend.size(item) for item in items], self.batch_size):
                filled = [*chosen, *[chosen[-1]] * (self.batch_size - len(chosen))]
                found = backend.embed([items[index] for index in filled]).float()
                if self.unit:
                    found = torch.nn.functional.normalize(found, dim=-1)
                rows.update(zip(chosen, found.cpu().numpy(), strict=False))
        if not rows:
            return np.zeros((0, 0), np.float32)
        vectors: Vectors = np.stack([rows[index] for index in range(len(items))])
        if not np.isfinite(vectors).all():
            raise RunError(
                "the encoder gives vectors that are not finite",
                where=f"encoder '{self.name}'",
                hint="check the weights: they are damaged, or are not those of an encoder",
            )
        return vectors

    def fingerprint(self) -> str:
        """A digest of everything that decides a vector: weights, settings, batch size, device."""
        with self._lock:
            if self._fingerprint is None:
                backend = self.backend()
                device = next(backend.network.parameters()).device.type
                length = "" if self.unit else "\x1fany length"
                settings = f"{backend.settings}\x1f{self.batch_size}\x1f{device}{length}"
                weights = sorted(backend.network.state_dict().items())
                self._fingerprint = stream_digest(_described(settings, weights))
            return self._fingerprint

    def release(self) -> None:
        """Release its memory, for the model above all; the next use loads it again."""
        with self._lock:
            self._backend = None

    def backend(self) -> EncoderBackend[Item]:
        """The network, loaded if it is not yet.

        Raises:
            RunError: it cannot be loaded.
        """
        from chef.common.device import pick_device

        if self._backend is None:
            device = str(pick_device(self._device))
            try:
                self._backend = self._load(device)
            except ChefError:
                raise
            except ImportError as error:
                raise DependencyError(
                    f"the encoder needs a package that is not installed ({error})",
                    where=f"encoder '{self.name}'",
                    hint="pip install open_clip_torch sentence-transformers",
                ) from None
            except Exception as error:  # each library raises errors of its own
                raise RunError(
                    f"cannot be loaded ({type(error).__name__}: {_first_line(error)})",
                    where=f"encoder '{self.name}'",
                    hint="check the name; without a network give a local folder, or 'embedded'",
                ) from error
            self._backend.network.eval()
        return self._backend


def _batches(sizes: Sequence[int], batch_size: int) -> Iterator[list[int]]:
    """Batches of indices: items of one size, at most ``batch_size`` in each.

    >>> list(_batches([1, 2, 1, 1], 2))
    [[0, 2], [3], [1]]
    """
    alike: dict[int, list[int]] = defaultdict(list)
    for index, size in enumerate(sizes):
        alike[size].append(index)
    for _, indices in sorted(alike.items()):
        for start in range(0, len(indices), batch_size):
            yield indices[start : start + batch_size]


def _described(
    settings: str, weights: Iterable[tuple[str, torch.Tensor]]
) -> Iterator[str | memoryview]:
    yield settings
    for name, weight in weights:
        yield f"{name} {weight.dtype} {tuple(weight.shape)}"
        yield _bytes(weight)


def _bytes(weight: torch.Tensor) -> memoryview:
    import torch

    return weight.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().data


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else "no reason given"
