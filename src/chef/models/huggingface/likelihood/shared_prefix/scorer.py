"""How likely a model finds each candidate, with everything that prompts share computed once.

The rows of a call (prompt + candidate, one a candidate) form a tree: candidates of one question
share its prompt, questions about one image share the image, fixed examples are shared by all. Each
node of the tree goes through the model once, whole trees at a time (`tree`, `forward`).
Images are encoded once each and kept (`images`). Tokens are those of the straightforward
scorer (`rows`), and so are the scores, up to rounding.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from chef.image import Image
from chef.models.huggingface.likelihood.naive import MAX_ROWS, Scorer
from chef.models.huggingface.likelihood.shared_prefix.forward import Past, TreeForward, Windows
from chef.models.huggingface.likelihood.shared_prefix.images import UnsupportedError
from chef.models.huggingface.likelihood.shared_prefix.rows import TreeRow, TreeRows
from chef.models.huggingface.likelihood.shared_prefix.tree import (
    SHORTEST_TRUNK,
    Flat,
    Integers,
    Pack,
    PrefixTree,
)
from chef.models.huggingface.loading import Runtime
from chef.models.huggingface.rendering import Rendered, Renderer
from chef.types import Score, Scored

if TYPE_CHECKING:
    import torch

#: The keys and values of one trunk are kept for later calls if they are no larger.
KEPT_BYTES = 2**31
#: Numbers in one float32 copy of logits.
LOGITS = 2**25
#: Nodes of one sequence: so many that attention among them, most of it masked, costs less than
#: the layers' matrices; in multiples of the hidden size, and within bounds.
NODES_A_DIMENSION, FEWEST_NODES, MOST_NODES = 2, 512, 4096


@dataclass(slots=True)
class Counts:
    """Tokens through the language model: computed (padding included), and in the trees."""

    computed: int = 0
    nodes: int = 0


class SharedPrefixScorer:
    """Scores all candidates of a call in one tree.

    Args:
        runtime: the loaded model.
        renderer: writes its prompts.
        image_cost: tokens that an image becomes, estimated.
        budget: tokens of one forward pass, padding included.
        oracle: asked again where a score is not finite, as one candidate's NaN could reach others.

    Raises:
        UnsupportedError: the architecture does not allow it.
    """

    def __init__(
        self,
        runtime: Runtime,
        renderer: Renderer,
        image_cost: Callable[[Image], int],
        budget: int,
        oracle: Scorer,
    ) -> None:
        check_supported(runtime)
        self.renderer = renderer
        self.budget = budget
        self.oracle = oracle
        self.rows = TreeRows(runtime, image_cost)
        self.forward = TreeForward(runtime, windows(runtime))
        hidden = runtime.model.config.get_text_config().hidden_size
        self.limit = min(max(NODES_A_DIMENSION * hidden, FEWEST_NODES), MOST_NODES)
        self.counts = Counts()
        # Keys of a row of the last call; and what was kept of the calls before, by its keys.
        self._last: Integers | None = None
        self._kept: tuple[Integers, Past] | None = None

    def score(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        """See `Scorer`. NaN and infinities are returned as they are.

        Raises:
            SampleError: a candidate is empty, or the model cannot be sent a request.
            UnsupportedError: the processor does something that is not foreseen.
        """
        keys: list[tuple[int, str]] = []
        rendered: list[Rendered] = []
        images: list[tuple[Image, ...]] = []
        for index, request in enumerate(requests):
            # Equal candidates of a request share a row, so they get exactly equal scores.
            each = list(dict.fromkeys(request.candidates))
            shown = tuple(image for turn in request.conversation for image in turn.images)
            keys += [(index, candidate) for candidate in each]
            images += [shown] * len(each)
            rendered += self.renderer.replies(request.conversation, request.answer_prefix, each)
        rows = self.rows.encode(rendered, images)
        scored = dict(zip(keys, self._score_rows(rows), strict=True))
        replies = [
            tuple(scored[index, candidate] for candidate in request.candidates)
            for index, request in enumerate(requests)
        ]
        for index, reply in enumerate(replies):
            if not all(math.isfinite(each.logprob_sum) for each in reply):
                replies[index] = self.oracle.score([requests[index]])[0]
        return replies

    def _score_rows(self, rows: Sequence[TreeRow]) -> list[Scored]:
        if not rows:
            return []
        tree = PrefixTree(rows)
        self.counts.nodes += tree.nodes
        limit = min(self.limit, self.budget)
        try:
            trunk, past = self._trunk(tree)
            run = _Run(rows, tree, tree.packs(limit, trunk))
            self._descend(run, trunk, past)
        except BaseException:  # among them that the memory is full
            self._kept = None
            raise
        self._last = rows[tree.order[0]].keys
        return [
            Scored(float(values.astype(np.float64).sum()), len(values)) for values in run.logprobs
        ]

    def _trunk(self, tree: PrefixTree[TreeRow]) -> tuple[Pack | None, Past]:
        """What the rows share with those of calls before, as worked examples are by all samples.

        What a call shares with the one before it is computed apart and kept for those to come.
        """
        kept = None if self._kept is None else tree.trunk(self._kept[0])
        again = None if self._last is None else tree.trunk(self._last)
        if again is not None and _stop(again) >= _stop(kept) + SHORTEST_TRUNK:
            self._kept = None  # the memory may be needed
            run = _Run(tree.rows, tree, [])
            past = self._compute(run, [tree.flat(again)], Past(), keep=True)
            assert past is not None
            if past.bytes <= KEPT_BYTES:
                self._kept = tree.rows[tree.order[0]].keys[: _stop(again)], past
            return again, past
        if kept is None or self._kept is None:
            return None, Past()
        return kept, self._kept[1].first(_stop(kept))

    def _descend(self, run: _Run, trunk: Pack | None, past: Past) -> None:
        """Compute what goes on from a trunk."""
        branches = [pack for pack in run.packs if pack.trunk is trunk]
        for batch in self._batches(run, [pack for pack in branches if pack.stop is None], past):
            self._compute(run, batch, past, keep=False)
        for pack in branches:
            if pack.stop is not None:
                kept = self._compute(run, [run.tree.flat(pack)], past, keep=True)
                assert kept is not None
                self._descend(run, pack, kept)

    def _batches(self, run: _Run, packs: Sequence[Pack], past: Past) -> Iterator[list[Flat]]:
        """Packs of like length together, as many as the budget allows."""
        flats = sorted((run.tree.flat(pack) for pack in packs), key=lambda flat: -len(flat.row))
        batch: list[Flat] = []
        for flat in flats:
            if not len(flat.row):
                continue
            rows = len(batch) + 1
            longest = len((batch or [flat])[0].row)
            full = rows > MAX_ROWS or rows * (longest + past.depth) > max(
                self.budget, self.budget // 2 + past.depth
            )
            if batch and (full or len(flat.row) < 0.9 * longest):
                yield batch
                batch = []
            batch.append(flat)
        if batch:
            yield batch

    def _compute(self, run: _Run, batch: list[Flat], past: Past, *, keep: bool) -> Past | None:
        """Run one forward pass and note the log-probabilities that it gives."""
        asked = [run.asked(flat) for flat in batch]
        logits, kept = self.forward.run(
            run.rows,
            batch,
            [each.nodes for each in asked],
            listed=self.rows.units.listed,
            past=past,
            keep=keep,
        )
        self.counts.computed += len(batch) * max(len(flat.row) for flat in batch)
        offsets = np.cumsum([0, *(len(each.nodes) for each in asked)])
        index = np.concatenate([each.index + o for each, o in zip(asked, offsets, strict=False)])
        tokens = np.concatenate([each.tokens for each in asked])
        values = logprobs(logits, index, tokens)
        homes = [home for each in asked for home in each.homes]
        done = 0
        for row, begin, end in homes:
            run.logprobs[row][begin:end] = values[done : done + end - begin]
            done += end - begin
        return kept


@dataclass(slots=True)
class _Asked:
    """What is read from the logits of one pack.

    Attributes:
        nodes: whose logits, each once.
        index: for each log-probability, which of ``nodes`` predicts it.
        tokens: and which token it is of.
        homes: row and the range of its tokens that these are, in the same order.
    """

    nodes: Integers
    index: Integers
    tokens: Integers
    homes: list[tuple[int, int, int]]


@dataclass(slots=True)
class _Run:
    """One call's rows, their tree, and the log-probabilities found so far."""

    rows: Sequence[TreeRow]
    tree: PrefixTree[TreeRow]
    packs: list[Pack]
    logprobs: list[np.ndarray[tuple[int], np.dtype[np.float32]]] = field(init=False)

    def __post_init__(self) -> None:
        self.logprobs = [np.full(len(row.wanted), np.nan, dtype=np.float32) for row in self.rows]

    def asked(self, flat: Flat) -> _Asked:
        nodes, tokens, homes = [flat.last[:0]], [flat.last[:0]], []
        for number, path in zip(flat.rows, flat.paths, strict=True):
            row = self.rows[number]
            start = len(path) and int(flat.depth[path[0]])
            begin, end = max(row.first, start), min(len(row), start + len(path))
            if len(path) and begin < end:
                nodes.append(path[begin - start : end - start])
                tokens.append(row.wanted[begin - row.first : end - row.first])
                homes.append((number, begin - row.first, end - row.first))
        each, index = np.unique(np.concatenate(nodes), return_inverse=True)
        return _Asked(each, index, np.concatenate(tokens), homes)


def logprobs(
    logits: torch.Tensor, index: Integers, tokens: Integers
) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Log-probabilities of tokens, in float32.

    Args:
        logits: [places, vocabulary], in any precision.
        index: for each token, the place that predicts it.
        tokens: their numbers.
    """
    import torch

    step = max(1, LOGITS // logits.shape[-1])
    totals = [part.float().logsumexp(dim=-1) for part in torch.split(logits, step)]
    place = torch.from_numpy(index).to(logits.device)
    chosen = logits[place, torch.from_numpy(tokens).to(logits.device)].float()
    total = torch.cat(totals) if totals else chosen
    found: np.ndarray[tuple[int], np.dtype[np.float32]] = (chosen - total[place]).cpu().numpy()
    return found


def _stop(trunk: Pack | None) -> int:
    return 0 if trunk is None or trunk.stop is None else trunk.stop


def windows(runtime: Runtime) -> Windows:
    """The kinds of attention of a model's layers.

    Raises:
        UnsupportedError: there are others than full and sliding ones.
    """
    config = runtime.model.config.get_text_config()
    size = getattr(config, "sliding_window", None)
    default = "full_attention" if size is None else "sliding_attention"
    kinds = sorted(set(getattr(config, "layer_types", None) or [default]))
    for kind in kinds:
        if kind not in ("full_attention", "sliding_attention"):
            raise UnsupportedError(f"it has layers of the kind '{kind}'")
    sizes = [size if kind == "sliding_attention" else None for kind in kinds]
    return Windows(tuple(kinds), tuple(sizes), runtime.quirk.image_blocks)


def check_supported(runtime: Runtime) -> None:
    """Refuse what is known not to work before anything is tried.

    Raises:
        UnsupportedError: with the reason.
    """
    model = runtime.model
    forward = inspect.signature(model.forward).parameters
    if "mm_encoder_outputs" not in forward or not hasattr(model.model, "get_image_features"):
        raise UnsupportedError("it does not take images that are encoded already")
    if "position_ids" not in inspect.signature(model.get_decoder().forward).parameters:
        raise UnsupportedError("it cannot be told the positions of tokens")
    if model.get_output_embeddings() is None:
        raise UnsupportedError("it has no output layer of its own")
    attention = model.config.get_text_config()._attn_implementation  # noqa: SLF001
    if attention not in ("sdpa", "eager"):
        raise UnsupportedError(f"its attention '{attention}' takes no mask of one's own")
    if not runtime.tokenizer.is_fast:
        raise UnsupportedError("its tokenizer does not tell which characters a token covers")
