"""How likely a model finds each candidate, with everything that prompts share computed once.

The rows of a call (prompt + candidate, one for each candidate) form a tree: the candidates of a
question share its prompt, questions about one image share the image, and fixed in-context examples
are shared by all. Each node of the tree goes through the model once. The steps of a call:

1. `rows` turns requests into rows with the tokens of the reference scorer, and `images` encodes
   each image once.
2. `tree` sorts the rows into a tree and cuts it into packs of at most ``limit`` nodes.
3. If all rows begin as those of the last call did, that beginning is taken from memory (`_trunk`).
4. The packs go through the model, each trunk before its branches (`_run_branches`, `forward`).
5. The log-probability of each target is read from the logits of the node before it (`_Run`).

The scores are those of the reference scorer up to rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from chef.image import Image
from chef.models.huggingface.likelihood.naive import MAX_ROWS, NaiveScorer
from chef.models.huggingface.likelihood.shared_prefix.forward import Past, Prefill, TreeForward
from chef.models.huggingface.likelihood.shared_prefix.images import check_supported, windows
from chef.models.huggingface.likelihood.shared_prefix.rows import TreeRow, TreeRows
from chef.models.huggingface.likelihood.shared_prefix.tree import (
    SHORTEST_TRUNK,
    Flat,
    Integers,
    Pack,
    PrefixTree,
    trunk_depth,
)
from chef.models.huggingface.loading import Runtime
from chef.models.huggingface.rendering import Rendered, Renderer
from chef.types import Score, Scored

if TYPE_CHECKING:
    import torch

#: The keys and values of a trunk are kept for later calls if they take no more bytes than this.
KEPT_BYTES = 2**31
#: The most numbers in one float32 copy of logits.
LOGITS = 2**25
#: The largest number of nodes of one sequence, as a multiple of the hidden size and within bounds.
#: Attention among n nodes, most of it masked, costs in proportion to n * n * hidden size; the
#: matrices of the layers cost in proportion to n * hidden size * hidden size. So as long as n is a
#: small multiple of the hidden size, what is masked costs less than the matrices.
NODES_PER_DIMENSION, MIN_NODES, MAX_NODES = 2, 512, 4096


@dataclass(slots=True)
class Counts:
    """Tokens computed by the language model, padding included, and nodes: the least."""

    computed: int = 0
    nodes: int = 0


class SharedPrefixScorer:
    """Scores all candidates of a call in one tree; an UnsupportedError if sharing is not possible.

    Args:
        image_cost: estimated number of tokens that an image becomes.
        budget: the most tokens of one forward pass, padding included.
        oracle: the reference scorer. It scores a request again that has a score which is not
            finite: 0 * NaN is NaN, so that of one candidate could have reached others through the
            mask.
    """

    def __init__(
        self,
        runtime: Runtime,
        renderer: Renderer,
        image_cost: Callable[[Image], int],
        budget: int,
        oracle: NaiveScorer,
    ) -> None:
        check_supported(runtime)
        self.renderer = renderer
        self.budget = budget
        self.oracle = oracle
        self.rows = TreeRows(runtime, image_cost)
        self.forward = TreeForward(runtime, windows(runtime))
        hidden = runtime.model.config.get_text_config().hidden_size
        self.limit = min(max(NODES_PER_DIMENSION * hidden, MIN_NODES), MAX_NODES)
        self.counts = Counts()
        # The keys of one row of the last call.
        self._last: Integers | None = None
        # The trunk kept from earlier calls: the keys of its tokens, and its keys and values.
        self._kept: tuple[Integers, Past] | None = None

    def score(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        """See `NaiveScorer.score`; a SampleError or UnsupportedError if one cannot be sent."""
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

    def prefill(
        self, prompts: Sequence[Rendered], images: Sequence[tuple[Image, ...]]
    ) -> list[Prefill]:
        """What replies to prompts (none with a suffix) continue from."""
        rows = self.rows.encode([replace(prompt, scored=1) for prompt in prompts], images)
        run = self._run(rows, keep=True)
        return [run.prefills[number] for number in range(len(rows))]

    def _score_rows(self, rows: Sequence[TreeRow]) -> list[Scored]:
        if not rows:
            return []
        return [
            Scored(float(values.astype(np.float64).sum()), len(values))
            for values in self._run(rows, keep=False).logprobs
        ]

    def _run(self, rows: Sequence[TreeRow], *, keep: bool) -> _Run:
        """Compute the tree of some rows, at least one; with ``keep``, for `prefill`."""
        tree = PrefixTree(rows)
        self.counts.nodes += tree.nodes
        limit = min(self.limit, self.budget)
        try:
            trunk, past = self._trunk(tree)
            run = _Run(rows, tree, tree.packs(limit, trunk), keep)
            self._run_branches(run, trunk, past)
        except BaseException:  # out of memory, for one: what is kept is given back
            self._kept = None
            raise
        self._last = rows[tree.order[0]].keys
        return run

    def _trunk(self, tree: PrefixTree[TreeRow]) -> tuple[Pack | None, Past]:
        """What the rows share with earlier calls, with its keys and values; else None and an empty
        `Past`.

        If what this call shares with the last is clearly longer than what was kept, it is computed
        and kept: the examples of a run in its second call, as at the first none knows what comes
        again.
        """
        kept = None if self._kept is None else tree.trunk(self._kept[0])
        again = None if self._last is None else tree.trunk(self._last)
        if again is not None and trunk_depth(again) >= trunk_depth(kept) + SHORTEST_TRUNK:
            self._kept = None  # before the pass, which may need the memory
            run = _Run(tree.rows, tree, [], keep=False)
            past = self._compute(run, [tree.flat(again)], Past(), keep=True)
            assert past is not None
            if past.bytes <= KEPT_BYTES:
                self._kept = tree.rows[tree.order[0]].keys[: trunk_depth(again)], past
            return again, past
        if kept is None or self._kept is None:
            return None, Past()
        # These rows may share only the first part of what was kept.
        return kept, self._kept[1].first(trunk_depth(kept))

    def _run_branches(self, run: _Run, trunk: Pack | None, past: Past) -> None:
        """Compute everything that continues from a trunk; None for packs that begin at the root."""
        branches = [pack for pack in run.packs if pack.trunk is trunk]
        leaves = [run.tree.flat(pack) for pack in branches if pack.stop is None]
        # Packs that reach to the end of their rows continue in no other, and can share a pass.
        for batch in self._batches([flat for flat in leaves if len(flat.row)], past):
            self._compute(run, batch, past, keep=False)
        for flat in leaves:
            if not len(flat.row):  # its rows end where the trunk does
                run.note([flat], past, past.depth)
        # Inner trunks come one at a time, so that the keys and values of one path only are in
        # memory at once.
        for pack in branches:
            if pack.stop is not None:
                kept = self._compute(run, [run.tree.flat(pack)], past, keep=True)
                assert kept is not None
                self._run_branches(run, pack, kept)

    def _batches(self, flats: Sequence[Flat], past: Past) -> Iterator[list[Flat]]:
        """Packs of similar length together, as many as the budget allows, the longest first."""
        batch: list[Flat] = []
        for flat in sorted(flats, key=lambda flat: -len(flat.row)):
            rows = len(batch) + 1
            longest = len((batch or [flat])[0].row)
            # Each sequence also attends to the trunk. A trunk near the size of the budget would
            # leave every pack alone; half of the budget is left to the packs in any case.
            full = rows > MAX_ROWS or rows * (longest + past.depth) > max(
                self.budget, self.budget // 2 + past.depth
            )
            # A much shorter one would be padded for the most part; it begins a new batch.
            if batch and (full or len(flat.row) < 0.9 * longest):
                yield batch
                batch = []
            batch.append(flat)
        if batch:
            yield batch

    def _compute(self, run: _Run, batch: list[Flat], past: Past, *, keep: bool) -> Past | None:
        """Run one forward pass, and note log-probabilities and, if the run keeps them, keys and
        values.

        With ``keep``, it returns those of ``past`` and of the one pack of the batch.
        """
        readouts = [run.readout(flat) for flat in batch]
        logits, kept = self.forward.run(
            run.rows,
            batch,
            [each.nodes for each in readouts],
            listed=self.rows.units.listed,
            past=past,
            keep=keep or run.keep,
        )
        if kept is not None and not keep:
            run.note(batch, kept, past.depth)
        self.counts.computed += len(batch) * max(len(flat.row) for flat in batch)
        # The logits of all packs come in one array; a pack's begin after those of the packs before.
        offsets = np.cumsum([0, *(len(each.nodes) for each in readouts)])
        pairs = zip(readouts, offsets, strict=False)
        index = np.concatenate([each.index + offset for each, offset in pairs])
        tokens = np.concatenate([each.tokens for each in readouts])
        run.store(
            [span for each in readouts for span in each.spans], logprobs(logits, index, tokens)
        )
        return kept if keep else None


@dataclass(slots=True)
class _Readout:
    """What is read from the logits of one pack.

    Attributes:
        nodes: the nodes whose logits are needed, each once; ``index``: which predicts each target.
        spans: where the log-probabilities of ``tokens`` belong: row, begin and end in its targets.
    """

    nodes: Integers
    index: Integers
    tokens: Integers
    spans: list[tuple[int, int, int]]


@dataclass(slots=True)
class _Run:
    """The rows of one call, their tree, and what is computed so far; NaN where it is not."""

    rows: Sequence[TreeRow]
    tree: PrefixTree[TreeRow]
    packs: list[Pack]
    keep: bool
    prefills: dict[int, Prefill] = field(default_factory=dict)
    logprobs: list[np.ndarray[tuple[int], np.dtype[np.float32]]] = field(init=False)

    def __post_init__(self) -> None:
        self.logprobs = [np.full(len(row.targets), np.nan, dtype=np.float32) for row in self.rows]

    def note(self, batch: Sequence[Flat], past: Past, depth: int) -> None:
        """Note where keys and values of the rows that end in some packs stand."""
        trunk = np.arange(depth)
        for place, flat in enumerate(batch):
            for number, path in zip(flat.rows, flat.paths, strict=True):
                places = np.concatenate([trunk, depth + path])
                self.prefills[number] = Prefill(self.rows[number], past, place, places)

    def readout(self, flat: Flat) -> _Readout:
        """What to read after a pack: the targets that its nodes predict."""
        nodes, tokens, spans = [flat.last[:0]], [flat.last[:0]], []
        for number, path in zip(flat.rows, flat.paths, strict=True):
            if not len(path):
                continue
            row = self.rows[number]
            # The depths of this row that predict a target (from ``first`` on) and lie in the pack:
            # long candidates may begin in a trunk and end in a branch.
            start = int(flat.depth[path[0]])
            begin, end = max(row.first, start), min(len(row), start + len(path))
            if begin < end:
                nodes.append(path[begin - start : end - start])
                tokens.append(row.targets[begin - row.first : end - row.first])
                spans.append((number, begin - row.first, end - row.first))
        # Candidates with the same first token after one prompt, and all candidates at their first
        # token, read the logits of one and the same node: they are computed once.
        each, index = np.unique(np.concatenate(nodes), return_inverse=True)
        return _Readout(each, index, np.concatenate(tokens), spans)

    def store(
        self,
        spans: Sequence[tuple[int, int, int]],
        values: np.ndarray[tuple[int], np.dtype[np.float32]],
    ) -> None:
        """Note log-probabilities, in the order of the spans that they fill."""
        done = 0
        for row, begin, end in spans:
            self.logprobs[row][begin:end] = values[done : done + end - begin]
            done += end - begin


def logprobs(
    logits: torch.Tensor, index: Integers, tokens: Integers
) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Log-probabilities of tokens (nats, float32), by logits [places, vocabulary] at ``index``."""
    import torch

    # In parts, since a float32 copy of half-precision logits can take more memory than the model.
    step = max(1, LOGITS // logits.shape[-1])
    totals = [part.float().logsumexp(dim=-1) for part in torch.split(logits, step)]
    place = torch.from_numpy(index).to(logits.device)
    chosen = logits[place, torch.from_numpy(tokens).to(logits.device)].float()
    total = torch.cat(totals) if totals else chosen
    found: np.ndarray[tuple[int], np.dtype[np.float32]] = (chosen - total[place]).cpu().numpy()
    return found
