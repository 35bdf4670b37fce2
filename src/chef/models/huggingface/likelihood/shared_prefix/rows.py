"""From rendered rows to the rows of a prefix tree, with the tokens the processor would give them.

The processor is called once an image. It tells what text an image becomes; that text is put into
each row, and the whole row is tokenised. A run of placeholders is one token in what the tokenizer
reads and is drawn out afterwards: placeholders are special tokens, so nothing around them changes.
The first row of each kind is compared with what the processor makes of it as a whole.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chef.errors import SampleError
from chef.image import Image
from chef.models.huggingface.encoding import check_length, encode_scored, has_bos, scored_span
from chef.models.huggingface.likelihood.shared_prefix.images import (
    SLOT,
    ImageUnits,
    Unit,
    UnsupportedError,
    Wanted,
)
from chef.models.huggingface.likelihood.shared_prefix.tree import Integers, Row
from chef.models.huggingface.loading import Runtime
from chef.models.huggingface.rendering import Rendered

#: Keys of a placeholder: the unit's number and the place in it; no token's number is that large.
UNIT_KEY, PREFIX_KEY, PLACES = 1 << 40, 1 << 60, 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class TreeRow(Row):
    """A row, and where the embeddings of its placeholders come from.

    Attributes:
        sources: for each token, its unit's number and place in it, or -1, [2, length].
        units: of its images, by number.
    """

    sources: Integers
    units: dict[int, Unit]


@dataclass(frozen=True, slots=True)
class _Tokens:
    """One tokenised row: all its tokens, and the positions of those to score."""

    ids: Integers
    span: range
    prefix: int  # tokens that see each other both ways, at the beginning


class TreeRows:
    """Encodes rows for one model.

    Args:
        runtime: the loaded model.
        cost: tokens that an image becomes, estimated.

    Raises:
        UnsupportedError: the model's images cannot be encoded apart.
    """

    def __init__(self, runtime: Runtime, cost: Callable[[Image], int]) -> None:
        self.runtime = runtime
        self.units = ImageUnits(runtime, cost)
        #: Whether several images of a row are processed together: where what one becomes depends
        #: on the others (LLaVA-OneVision), or the text has a place for them (PaliGemma).
        self.together = runtime.quirk.prefix_lm
        self._proved: set[int] = set()
        self._options: dict[bool, dict[str, Any]] = {}
        self._prefixes: dict[bytes, int] = {}
        base = runtime.model.model
        self._rope: Callable[..., Any] | None = getattr(base, "get_rope_index", None)

    def encode(
        self, rows: Sequence[Rendered], images: Sequence[tuple[Image, ...]]
    ) -> list[TreeRow]:
        """The rows of the tree.

        Args:
            rows: with images or without.
            images: of each row, those of its `Rendered.images`.

        Raises:
            SampleError: the model cannot be sent a row.
            UnsupportedError: the processor does something that is not foreseen here.
        """
        for row, shown in zip(rows, images, strict=True):
            self._prove(row, shown)
        return self._encode(rows, images)

    def _prove(self, row: Rendered, images: tuple[Image, ...]) -> None:
        """Compare with the processor the first row with no, one or several images."""
        kind = min(len(images), 2)
        if kind in self._proved:
            return
        encoded, spans = encode_scored(self.runtime, [row])
        expected = encoded["input_ids"][0].tolist()
        reason = "its processor gives a text other tokens than its tokenizer"
        for together in (self.together, True):
            self.together = together
            try:
                (tokens,) = self._tokens([row], self._load([row], [images]))
            except UnsupportedError as error:
                reason = str(error)
                continue
            if tokens.ids.tolist() == expected and list(tokens.span) == spans[0]:
                self._proved.add(kind)
                return
        raise UnsupportedError(reason)

    def _encode(
        self, rows: Sequence[Rendered], images: Sequence[tuple[Image, ...]]
    ) -> list[TreeRow]:
        units = self._load(rows, images)
        tokens = self._tokens(rows, units)
        check_length(self.runtime, max((len(each.ids) for each in tokens), default=0))
        positions: dict[bytes, Integers] = {}
        return [self._row(each, own, positions) for each, own in zip(tokens, units, strict=True)]

    # -- images -----------------------------------------------------------------------------

    def _load(
        self, rows: Sequence[Rendered], images: Sequence[tuple[Image, ...]]
    ) -> list[list[Unit]]:
        """The units of each row, in order."""
        pairs = zip(rows, images, strict=True)
        wanted = [self._wanted(row, shown) if shown else [] for row, shown in pairs]
        loaded = self.units.load(each for own in wanted for each in own)
        return [[loaded[each.key] for each in own] for own in wanted]

    def _wanted(self, row: Rendered, images: tuple[Image, ...]) -> list[Wanted]:
        mark = self.units.mark
        if self.together:
            words = row.text.split(mark)
            return [Wanted(images, mark.join(SLOT if word else "" for word in words))]
        return [Wanted((image,), f"{SLOT}{mark}{SLOT}") for image in images]

    # -- tokens -----------------------------------------------------------------------------

    def _tokens(self, rows: Sequence[Rendered], units: Sequence[list[Unit]]) -> list[_Tokens]:
        found: dict[int, _Tokens] = {}
        for has in (True, False):
            group = [i for i, own in enumerate(units) if bool(own) is has]
            if group:
                texts = [self._text(rows[i], units[i]) for i in group]
                encoded = self._tokenize([rows[i] for i in group], texts, has)
                for place, i in enumerate(group):
                    each = {key: values[place] for key, values in encoded.items()}
                    found[i] = self._drawn_out(rows[i], units[i], each)
        return [found[i] for i in range(len(rows))]

    def _text(self, row: Rendered, units: list[Unit]) -> str:
        """The row's text with its images written out, each run of placeholders as one."""
        if not units:
            return row.text
        words = row.text.split(self.units.mark)
        if self.together:
            between, words = units[0].texts, [word for word in words if word]
        else:
            if any(len(unit.texts) != 3 or unit.texts[0] or unit.texts[2] for unit in units):
                raise UnsupportedError("its processor writes more than the images into a text")
            between = ("", *(unit.texts[1] for unit in units), "")
        if len(between) != len(words) + 1:
            raise UnsupportedError("its processor changes the words around images")
        return between[0] + "".join(
            word + text for word, text in zip(words, between[1:], strict=True)
        )

    def _tokenize(self, rows: list[Rendered], texts: list[str], images: bool) -> dict[str, Any]:
        if images not in self._options:
            options = self.units.recorder.options if images else self.units.tokenizer_options()
            given = ("padding", "padding_side", "return_tensors", "text_pair", "text")
            self._options[images] = {k: v for k, v in options.items() if k not in given}
        options = dict(self._options[images])
        if has_bos(self.runtime, rows[0].text):
            options["add_special_tokens"] = False
        if rows[0].suffix is not None:
            end = self.runtime.tokenizer.eos_token
            options["text_pair"] = [f"{row.suffix}{end}" for row in rows]
        return dict(self.runtime.tokenizer(texts, **options))

    def _drawn_out(self, row: Rendered, units: list[Unit], encoded: dict[str, Any]) -> _Tokens:
        ids = np.asarray(encoded["input_ids"], dtype=np.int64)
        prefix = len(ids) if row.suffix is None else encoded["token_type_ids"].index(1)
        taken = [row.suffix is None or place >= prefix for place in range(len(ids))]
        span = scored_span(row, encoded["offset_mapping"], taken)
        runs = np.array([run for unit in units for run in unit.runs], dtype=np.int64)
        marks = np.flatnonzero(ids == self.units.placeholder)
        if len(marks) != len(runs):
            raise SampleError(
                f"{len(marks)} runs of image tokens in a prompt whose images make {len(runs)}",
                mend="the model's image mark may not occur in a text",
            )
        if not len(runs):
            return _Tokens(ids, range(span[0], span[-1] + 1), prefix)
        times = np.ones(len(ids), dtype=np.int64)
        times[marks] = runs
        longer = int(runs.sum()) - len(runs)  # images stand before what is scored
        drawn = np.repeat(ids, times)
        return _Tokens(drawn, range(span[0] + longer, span[-1] + 1 + longer), prefix + longer)

    # -- the row ----------------------------------------------------------------------------

    def _row(self, tokens: _Tokens, units: list[Unit], known: dict[bytes, Integers]) -> TreeRow:
        stop = tokens.span[-1]
        if tokens.span[0] < 1:
            raise SampleError("nothing stands before the option: there is no prompt")
        ids = tokens.ids[:stop]
        places = np.flatnonzero(ids == self.units.placeholder) if units else ids[:0]
        sources = np.full((2, stop), -1, dtype=np.int64)
        sources[:, places] = [
            np.concatenate([np.full(sum(u.runs), u.number) for u in units] or [ids[:0]]),
            np.concatenate([np.arange(sum(u.runs)) for u in units] or [ids[:0]]),
        ]
        keys = np.where(sources[0] < 0, ids, UNIT_KEY + sources[0] * PLACES + sources[1])
        blocks = np.full(stop, -1, dtype=np.int64)
        if self.runtime.quirk.prefix_lm:
            blocks[: tokens.prefix] = 0
            keys[: tokens.prefix] = self._prefix_key(keys[: tokens.prefix])
        elif self.runtime.quirk.image_blocks and len(places):
            blocks[places] = np.cumsum(np.diff(places, prepend=-2) > 1)
        return TreeRow(
            ids=ids,
            keys=keys,
            positions=self._positions(ids, places, units, known),
            blocks=blocks,
            wanted=tokens.ids[tokens.span[0] : stop + 1],
            sources=sources,
            units={unit.number: unit for unit in units},
        )

    def _prefix_key(self, keys: Integers) -> Integers:
        """Keys for a prefix whose tokens see each other: shared as a whole or not at all."""
        # Digests, as a run may have as many prefixes as samples, of a thousand tokens each.
        name = hashlib.blake2b(keys.tobytes(), digest_size=16).digest()
        number = self._prefixes.setdefault(name, len(self._prefixes))
        return PREFIX_KEY + number * PLACES + np.arange(len(keys))

    def _positions(
        self, ids: Integers, places: Integers, units: list[Unit], known: dict[bytes, Integers]
    ) -> Integers:
        if self._rope is None:
            return np.arange(len(ids))
        if not len(places):
            return np.tile(np.arange(len(ids)), (3, 1))
        # The model's own method up to the first word after the images; then they count on by one.
        head = min(int(places[-1]) + 2, len(ids))
        key = ids[:head].tobytes() + repr([unit.number for unit in units]).encode()
        if key not in known:
            known[key] = self._rope_index(ids[:head], units)
        start = known[key]
        tail = start[:, -1:] + np.arange(1, len(ids) - head + 1)
        return np.concatenate([start, tail], axis=1)

    def _rope_index(self, ids: Integers, units: list[Unit]) -> Integers:
        import torch

        assert self._rope is not None
        row = torch.from_numpy(ids)[None]
        given: dict[str, Any] = {
            "mm_token_type_ids": (row == self.units.placeholder).int(),
            "attention_mask": torch.ones_like(row),
        }
        grids = [unit.grid for unit in units if unit.grid is not None]
        if grids:
            given["image_grid_thw"] = torch.cat(grids)
        taken = inspect.signature(self._rope).parameters
        positions, _ = self._rope(row, **{k: v for k, v in given.items() if k in taken})
        found: Integers = positions[:, 0].cpu().numpy()
        return found
