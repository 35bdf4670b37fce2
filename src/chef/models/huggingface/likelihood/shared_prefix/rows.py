"""From rendered rows to rows of a prefix tree, with exactly the tokens the processor would give.

Calling the processor on every row would be the simple way, but it would preprocess an image again
for every question about it. So the work is divided:

1. The processor is called once for each image, with a slot for the words around it, and what it
   writes for the image is recorded ("<start><image><image>...<end>"; see `images`).
2. That text is put into each row in place of the image mark, with each run of placeholders written
   as ONE placeholder, so that the tokenizer reads a short text.
3. The whole row is tokenised, and each single placeholder is expanded to the length of its run.
   Placeholders are special tokens, which no tokenizer merges with its neighbours, so shortening
   and expanding a run changes no other token.

Whether this gives the processor's own tokens is not assumed but checked: the first row without
images, the first with one and the first with several are compared with what the processor makes
of the whole row.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chef.errors import SampleError
from chef.frozen import Frozen
from chef.image import Image
from chef.models.huggingface.likelihood.shared_prefix.images import (
    SLOT,
    ImageRequest,
    ImageUnit,
    ImageUnits,
    UnsupportedError,
)
from chef.models.huggingface.likelihood.shared_prefix.tree import Integers, TokenRow
from chef.models.huggingface.loading import Runtime
from chef.models.huggingface.rendering import (
    Rendered,
    check_length,
    encode_scored,
    has_bos,
    scored_span,
)

#: A word's key is its token number, below 2**40. A placeholder's key is
#: ``UNIT_KEY + number of its unit * PLACES + its place in the unit``, so two placeholders are the
#: same node only where they show the same part of the same image. Tokens of a prefix that sees
#: itself both ways get keys from ``PREFIX_KEY`` on, in the same way. The ranges never overlap.
UNIT_KEY, PREFIX_KEY, PLACES = 1 << 40, 1 << 60, 1 << 24


class TreeRow(TokenRow, eq=False):
    """A row, and for each token the number of its unit and the place in it, or -1, [2, length]."""

    sources: Integers
    units: dict[int, ImageUnit]


class _Tokens(Frozen):
    """A tokenised row, [length]; the positions to score; how many tokens belong to the prompt."""

    ids: Integers
    span: range
    prefix: int


class TreeRows:
    """Encodes rows for one model; an UnsupportedError if images cannot be encoded apart."""

    def __init__(self, runtime: Runtime, cost: Callable[[Image], int]) -> None:
        self.runtime = runtime
        self.units = ImageUnits(runtime, cost)
        #: Whether the images of a row are processed together, as one unit. That is needed where
        #: what one image becomes depends on the others (LLaVA-OneVision), or where the processor
        #: puts all of them in one place (PaliGemma). It shares less: two rows then have an image
        #: in common only if they have all their images in common.
        self.together = runtime.quirk.prefix_lm
        self._checked: set[int] = set()
        self._options: dict[bool, dict[str, Any]] = {}
        self._prefixes: dict[bytes, int] = {}
        base = runtime.model.model
        self._rope: Callable[..., Any] | None = getattr(base, "get_rope_index", None)

    def encode(
        self, rows: Sequence[Rendered], images: Sequence[tuple[Image, ...]]
    ) -> list[TreeRow]:
        """The rows of the tree; a SampleError or UnsupportedError where one cannot be sent."""
        for row, shown in zip(rows, images, strict=True):
            self._compare_with_processor(row, shown)
        return self._encode(rows, images)

    def _compare_with_processor(self, row: Rendered, images: tuple[Image, ...]) -> None:
        """Check that the first row with no, one or several images gets the processor's tokens.

        Images are tried separately, then together (and then for all later rows); else
        UnsupportedError.
        """
        kind = min(len(images), 2)
        if kind in self._checked:
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
                self._checked.add(kind)
                return
        raise UnsupportedError(reason)

    def _encode(
        self, rows: Sequence[Rendered], images: Sequence[tuple[Image, ...]]
    ) -> list[TreeRow]:
        units = self._load(rows, images)
        tokens = self._tokens(rows, units)
        check_length(self.runtime, max((len(each.ids) for each in tokens), default=0))
        # Candidates of one question differ after the images only, so they share these.
        positions: dict[bytes, Integers] = {}
        return [self._row(each, own, positions) for each, own in zip(tokens, units, strict=True)]

    # -- images -----------------------------------------------------------------------------

    def _load(
        self, rows: Sequence[Rendered], images: Sequence[tuple[Image, ...]]
    ) -> list[list[ImageUnit]]:
        """The units of each row, in the order of its images."""
        pairs = zip(rows, images, strict=True)
        needed = [self._image_requests(row, shown) if shown else [] for row, shown in pairs]
        # All at once, so that the vision encoder gets large batches.
        loaded = self.units.load(each for own in needed for each in own)
        return [[loaded[each.key] for each in own] for own in needed]

    def _image_requests(self, row: Rendered, images: tuple[Image, ...]) -> list[ImageRequest]:
        mark = self.units.mark
        if self.together:
            # One slot for each stretch of words. Adjacent images have none between them: a
            # processor may write something else for neighbours than for separated images.
            words = row.text.split(mark)
            return [ImageRequest(images, mark.join(SLOT if word else "" for word in words))]
        return [ImageRequest((image,), f"{SLOT}{mark}{SLOT}") for image in images]

    # -- tokens -----------------------------------------------------------------------------

    def _tokens(self, rows: Sequence[Rendered], units: Sequence[list[ImageUnit]]) -> list[_Tokens]:
        """The tokens of each row; with and without images, tokenizer options may differ."""
        found: dict[int, _Tokens] = {}
        for has in (True, False):
            group = [i for i, own in enumerate(units) if bool(own) is has]
            if group:
                texts = [self._text(rows[i], units[i]) for i in group]
                encoded = self._tokenize([rows[i] for i in group], texts, has)
                for place, i in enumerate(group):
                    each = {key: values[place] for key, values in encoded.items()}
                    found[i] = self._expand_placeholders(rows[i], units[i], each)
        return [found[i] for i in range(len(rows))]

    def _text(self, row: Rendered, units: list[ImageUnit]) -> str:
        """The row's text with its images written out, each run of placeholders as one."""
        if not units:
            return row.text
        # The row's own words, and what the processor writes before, between and after them.
        words = row.text.split(self.units.mark)
        if self.together:
            between, words = units[0].texts, [word for word in words if word]
        else:
            # An image processed alone was sent as "words, image, words". If the processor wrote
            # anything outside the image (a BOS token, a separator), a row of several such images
            # would repeat it.
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
            # The options that the processor itself was seen to use, but for those that concern
            # its own batch of texts.
            options = self.units.recorder.options if images else self.units.tokenizer_options()
            given = ("padding", "padding_side", "return_tensors", "text_pair", "text")
            self._options[images] = {k: v for k, v in options.items() if k not in given}
        options = dict(self._options[images])
        if has_bos(self.runtime, rows[0].text):
            options["add_special_tokens"] = False
        if rows[0].suffix is not None:
            # What PaliGemma's processor does with a suffix: a second text, closed by EOS.
            end = self.runtime.tokenizer.eos_token
            options["text_pair"] = [f"{row.suffix}{end}" for row in rows]
        return dict(self.runtime.tokenizer(texts, **options))

    def _expand_placeholders(
        self, row: Rendered, units: list[ImageUnit], encoded: dict[str, Any]
    ) -> _Tokens:
        """Expand placeholders to runs; a SampleError if one stands for no image."""
        ids = np.asarray(encoded["input_ids"], dtype=np.int64)
        prefix = len(ids) if row.suffix is None else encoded["token_type_ids"].index(1)
        taken = [row.suffix is None or place >= prefix for place in range(len(ids))]
        span = scored_span(row, encoded["offset_mapping"], taken)
        runs = np.array([run for unit in units for run in unit.runs], dtype=np.int64)
        marks = np.flatnonzero(ids == self.units.placeholder)
        if len(marks) != len(runs):
            raise SampleError(
                f"{len(marks)} runs of image tokens in a prompt whose images make {len(runs)}",
                hint="the model's image mark may not occur in a text",
            )
        times = np.ones(len(ids), dtype=np.int64)
        times[marks] = runs
        # Images stand in the prompt, so everything scored moves back by all that was inserted.
        inserted = int(times.sum()) - len(ids)
        return _Tokens(
            ids=np.repeat(ids, times),
            span=range(span[0] + inserted, span[-1] + 1 + inserted),
            prefix=prefix + inserted,
        )

    # -- the row ----------------------------------------------------------------------------

    def _row(
        self, tokens: _Tokens, units: list[ImageUnit], known: dict[bytes, Integers]
    ) -> TreeRow:
        """The row of the tree; ``known`` are positions of this call (see `_positions`)."""
        # The last token to score is predicted from the one before it, and is not fed itself. What
        # comes after it (the EOS that closes a suffix) is not needed.
        stop = tokens.span[-1]
        if tokens.span[0] < 1:
            raise SampleError("nothing stands before the option: there is no prompt")
        ids = tokens.ids[:stop]
        places = np.flatnonzero(ids == self.units.placeholder) if units else ids[:0]
        sources = np.full((2, stop), -1, dtype=np.int64)
        sources[:, places] = _places_in_units(units)
        keys = np.where(sources[0] < 0, ids, UNIT_KEY + sources[0] * PLACES + sources[1])
        blocks = np.full(stop, -1, dtype=np.int64)
        if self.runtime.quirk.prefix_lm:
            blocks[: tokens.prefix] = 0
            keys[: tokens.prefix] = self._prefix_key(keys[: tokens.prefix])
        elif self.runtime.quirk.image_blocks and len(places):
            # One block for each run of adjacent placeholders, numbered from 1.
            blocks[places] = np.cumsum(np.diff(places, prepend=-2) > 1)
        return TreeRow(
            ids=ids,
            keys=keys,
            positions=self._positions(ids, places, units, known),
            blocks=blocks,
            targets=tokens.ids[tokens.span[0] : stop + 1],
            sources=sources,
            units={unit.number: unit for unit in units},
        )

    def _prefix_key(self, keys: Integers) -> Integers:
        """Keys of its own for each prefix that sees itself both ways: all or nothing."""
        # Prefixes are remembered by digest: a run may have as many of them as samples, and each
        # has a thousand tokens.
        name = hashlib.blake2b(keys.tobytes(), digest_size=16).digest()
        number = self._prefixes.setdefault(name, len(self._prefixes))
        return PREFIX_KEY + number * PLACES + np.arange(len(keys))

    def _positions(
        self, ids: Integers, places: Integers, units: list[ImageUnit], known: dict[bytes, Integers]
    ) -> Integers:
        """The positions of a row's tokens, [length], or [3, length] for a model with M-RoPE.

        ``known`` has results of the model's own method by what they depend on, and is added to.
        """
        if self._rope is None:
            return np.arange(len(ids))
        if not len(places):
            return np.tile(np.arange(len(ids)), (3, 1))
        # The model's own method is slow, so it is asked up to the first word after the last image
        # only. From there on all three positions count up by one with each word.
        head = min(int(places[-1]) + 2, len(ids))
        key = ids[:head].tobytes() + repr([unit.number for unit in units]).encode()
        if key not in known:
            known[key] = self._rope_index(ids[:head], units)
        start = known[key]
        tail = start[:, -1:] + np.arange(1, len(ids) - head + 1)
        return np.concatenate([start, tail], axis=1)

    def _rope_index(self, ids: Integers, units: list[ImageUnit]) -> Integers:
        """What ``get_rope_index`` gives for one row, [3, length], by arguments it names."""
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
        parameters = inspect.signature(self._rope).parameters
        positions, _ = self._rope(row, **{k: v for k, v in given.items() if k in parameters})
        found: Integers = positions[:, 0].cpu().numpy()
        return found


def _places_in_units(units: list[ImageUnit]) -> Integers:
    """For each placeholder of some units in order, its unit's number and its place, [2, n]."""
    sizes = [sum(unit.runs) for unit in units]
    numbers = [
        np.full(size, unit.number, dtype=np.int64) for unit, size in zip(units, sizes, strict=True)
    ]
    places = [np.arange(size, dtype=np.int64) for size in sizes]
    none = np.zeros(0, dtype=np.int64)
    return np.stack([np.concatenate([none, *numbers]), np.concatenate([none, *places])])
