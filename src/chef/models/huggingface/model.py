"""Any image-text-to-text model of transformers, through its own processor and chat template."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from chef.models.agreement import Verification, tolerance_of
from chef.models.huggingface.checkpoint_model import CheckpointModel
from chef.models.huggingface.likelihood.auto import AutoScorer, LikelihoodMode
from chef.models.huggingface.likelihood.naive import NaiveScorer
from chef.models.huggingface.loading import Runtime, load
from chef.models.huggingface.rendering import Renderer
from chef.types import Generate, Generated, Request, Score, Scored

if TYPE_CHECKING:
    import torch

    from chef.models.huggingface.likelihood.shared_prefix.scorer import SharedPrefixScorer


class HuggingFaceModel(CheckpointModel):
    """A checkpoint that ``AutoModelForImageTextToText`` and ``AutoProcessor`` load.

    Args:
        model_path: name on the hub (``owner/name``) or local folder.
        revision: branch, tag or commit on the hub.
        dtype: type of the weights; ``auto`` is float32 on a CPU and the checkpoint's on a GPU.
        device: ``auto``, ``cpu``, ``cuda``, ``cuda:1``, ...
        attn_implementation: ``sdpa``, ``eager``, ``flash_attention_2``, ...; default: the model's.
        chat_template: Jinja text, or the path of a file of it; default: the checkpoint's own.
        processor_options: options of the image processor (``size``, ``min_pixels``,
            ``do_image_splitting``, ...), which decide how many tokens an image becomes.
        trust_remote_code: run Python code that comes with the checkpoint.
        scoring: how options are scored. ``shared``: the fast scorer, which computes what prompts
            have in common once; ``naive``: the reference scorer, with one row for each option;
            ``auto``: the fast scorer, if it agrees with the reference on the first requests. The
            fast scorer also computes what prompts of generated text have in common.
        max_images: how many images the model takes at once; None for any number.
        name: the folder of its results; default: the last part of ``model_path``.

    The weights are loaded by `load` or at the first use.
    """

    name = "HuggingFace"
    has_gradients = True

    def __init__(
        self,
        model_path: str,
        *,
        revision: str | None = None,
        dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto",
        device: str = "auto",
        attn_implementation: str | None = None,
        chat_template: str | None = None,
        processor_options: dict[str, Any] | None = None,
        trust_remote_code: bool = False,
        scoring: LikelihoodMode = "auto",
        max_images: int | None = None,
        name: str | None = None,
    ) -> None:
        options = {
            "revision": revision,
            "dtype": dtype,
            "device": device,
            "attn_implementation": attn_implementation,
            "processor_options": processor_options,
            "trust_remote_code": trust_remote_code,
        }
        super().__init__(model_path, name, max_images, chat_template, options)
        self.scoring: LikelihoodMode = scoring
        self._lock = threading.Lock()
        self._loaded: tuple[Runtime, Renderer, AutoScorer] | None = None

    def load(self) -> Runtime:
        """Load processor and weights, once.

        Raises:
            ConfigError: no such folder or device, no image-text model, no chat template.
            DependencyError: a package the model needs is missing.
            RunError: the hub cannot be reached, or files are broken.
        """
        return self._ready()[0]

    @property
    def renderer(self) -> Renderer:
        """Writes the prompts of the loaded model."""
        return self._ready()[1]

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        from chef.models.huggingface.generation.generate import generate

        runtime, renderer, scorer = self._ready()
        rows = [renderer.prompt(item.conversation, item.answer_prefix) for item in requests]
        return generate(runtime, rows, requests, scorer.prefill)

    def score(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        return self._ready()[2].score(requests)

    def verify(self, requests: Sequence[Score]) -> Verification | None:
        return self._ready()[2].verify(requests)

    @property
    def notices(self) -> Sequence[str]:
        if self._loaded is None:
            return ()
        runtime, _, scorer = self._loaded
        return (*runtime.notices, *scorer.notices)

    def cost(self, request: Request) -> int:
        """As `Model.cost`, with the number of tokens this processor makes of each image.

        With shared prefixes the cost is that of the prompt, once, and of all options.
        """
        cost = self.row_cost(request)
        if isinstance(request, Score) and self._shares:
            lengths = [len(candidate) for candidate in request.candidates]
            cost += (sum(lengths) - max(lengths, default=0)) // 4
        return cost

    def rows(self, request: Request) -> int:
        """As `Model.rows`, but one where options share their prompt."""
        return 1 if self._shares else super().rows(request)

    @property
    def _shares(self) -> bool:
        """Whether the fast scorer is used; before the model is loaded, whether it may be."""
        if self._loaded is None:
            return self.scoring != "naive"
        return self._loaded[2].shared is not None

    def memory_headroom(self) -> float:
        return headroom(self.load().device)

    def close(self) -> None:
        self._loaded = None

    def _ready(self) -> tuple[Runtime, Renderer, AutoScorer]:
        with self._lock:  # the engine's readers ask for costs from several threads
            return self._loaded or self._load()

    def _load(self) -> tuple[Runtime, Renderer, AutoScorer]:
        from chef.models.huggingface.generation.generate import settle_generation_config

        runtime = load(self.source)
        settle_generation_config(runtime.model, runtime.tokenizer)
        renderer = self.make_renderer(runtime)
        naive = NaiveScorer(runtime, renderer, self.row_cost, self.token_budget)
        scorer = AutoScorer(
            naive,
            lambda: self._shared_scorer(runtime, renderer, naive),
            self.scoring,
            tolerance_of(runtime.model.dtype),
            self.is_out_of_memory,
        )
        self._loaded = (runtime, renderer, scorer)
        return self._loaded

    def _shared_scorer(
        self, runtime: Runtime, renderer: Renderer, naive: NaiveScorer
    ) -> SharedPrefixScorer:
        from chef.models.huggingface.likelihood.shared_prefix.scorer import SharedPrefixScorer

        return SharedPrefixScorer(runtime, renderer, self.image_cost, self.token_budget, naive)


#: The share of the memory that batches may use; the rest is a reserve, for fragmentation too.
SHARE = 0.85


def headroom(device: torch.device, cuda: Any = None) -> float:
    """How many times the memory of the largest batch so far is free; 1 where it cannot be measured.

    Called between batches, so what is allocated then (weights, kept images) belongs to no batch.
    """
    if device.type != "cuda":
        return 1.0
    if cuda is None:
        import torch

        cuda = torch.cuda
    free, _ = cuda.mem_get_info(device)
    ours = cuda.memory_reserved(device)  # memory that PyTorch has reserved and can reuse
    idle = cuda.memory_allocated(device)
    largest: int = cuda.max_memory_allocated(device) - idle
    if largest <= 0:
        return 1.0
    planned: float = SHARE * (free + ours) - idle
    return max(1.0, planned / largest)
