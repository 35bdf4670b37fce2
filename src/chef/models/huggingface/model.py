"""Any image-text-to-text model of transformers, through its own processor and chat template.

`CheckpointModel` is what such models share, whatever computes them: processor and prompts.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from chef.errors import ConfigError, SampleError
from chef.guard.files import read_text, user_path
from chef.image import Image
from chef.models.agreement import Verification, tolerance_of
from chef.models.base import IMAGE_TOKENS, Model
from chef.models.huggingface.fingerprint import fingerprint
from chef.models.huggingface.likelihood.auto import AutoScorer, LikelihoodMode
from chef.models.huggingface.likelihood.naive import NaiveScorer
from chef.models.huggingface.loading import LoadingOptions, Processing, Runtime, check, load
from chef.models.huggingface.rendering import Renderer
from chef.types import Generate, Generated, Request, Score, Scored

if TYPE_CHECKING:
    import torch
    from PIL.Image import Image as Pixels

    from chef.models.huggingface.likelihood.shared_prefix.scorer import SharedPrefixScorer


class CheckpointModel(Model):
    """The base of models that are checkpoints: a subclass loads one, and answers.

    Args:
        model_path: name on the hub (``owner/name``) or local folder.
        name: the folder of its results; default: the last part of ``model_path``.
        max_images: how many images the model takes at once; None for any number.
        chat_template: Jinja text, or the path of a file of it; default: the checkpoint's own.
        options: further fields of `LoadingOptions`.
    """

    paths = ("model_path", "chat_template")

    def __init__(
        self,
        model_path: str,
        name: str | None,
        max_images: int | None,
        chat_template: str | None,
        options: Mapping[str, Any],
    ) -> None:
        self.name = name or Path(model_path).name or model_path
        template = _read_template(chat_template)
        self.source = LoadingOptions(path=model_path, chat_template=template, **options)
        _ = self.source.folder  # a missing folder is reported now, not after torch is loaded
        if max_images is not None and max_images < 1:
            raise ConfigError(f"max_images is {max_images}", hint="set it to 1 or more")
        self.max_images = max_images
        self._image_costs: dict[tuple[int, int], int] = {}

    def load(self) -> Processing:
        """Load processor and weights, once."""
        raise NotImplementedError

    @property
    def renderer(self) -> Renderer:
        """Writes the prompts of the loaded model."""
        raise NotImplementedError

    def check_settings(self) -> None:
        check(self.source)

    def prepare(self) -> None:
        self.load()

    def prompt_text(self, request: Request) -> str:
        """As `Model.prompt_text`: after the chat template, with one mark for each image."""
        conversation, prefix = request.conversation, request.answer_prefix
        if isinstance(request, Score):
            row = self.renderer.reply(conversation, prefix, request.candidates[0])
        else:
            row = self.renderer.prompt(conversation, prefix)
        whole = row.text + (row.suffix or "")
        return whole[: len(whole) - row.scored]

    def fingerprint(self) -> str:
        return fingerprint(self.source)

    def row_cost(self, request: Request) -> int:
        """The cost of one row, with the number of tokens this processor makes of each image."""
        images = [image for turn in request.conversation for image in turn.images]
        estimated = super().cost(request) - len(images) * IMAGE_TOKENS
        return estimated + sum(self.image_cost(image) for image in images)

    def image_cost(self, image: Image) -> int:
        """How many tokens an image becomes; images of one size cost the same."""
        try:
            size = image.size
        except SampleError:  # reported when the request is sent, not while its cost is estimated
            return IMAGE_TOKENS
        if size not in self._image_costs:
            self._image_costs[size] = self._count_image_tokens(image.view())
        return self._image_costs[size]

    def _count_image_tokens(self, pixels: Pixels) -> int:
        """How many tokens an image becomes, by the processor's own count if it has one."""
        processing = self.load()
        sizes = [(pixels.height, pixels.width)]
        fixed = processing.image_options
        options = {"images_kwargs": dict(fixed)} if fixed else {}
        try:
            counted = processing.processor._get_num_multimodal_tokens(  # noqa: SLF001
                image_sizes=sizes, **options
            )
            return int(counted["num_image_tokens"][0])
        except Exception:  # it is only an estimate, and some processors cannot count
            return IMAGE_TOKENS

    def make_renderer(self, processing: Processing) -> Renderer:
        """What writes prompts by the chat template; a ConfigError where there is none."""
        processor = processing.processor
        template = (
            self.source.chat_template
            or processor.chat_template
            or getattr(processing.tokenizer, "chat_template", None)
        )
        if template is None and not processing.quirk.prefix_lm:
            raise ConfigError(
                "the checkpoint has no chat template",
                where=self.source.path,
                hint="add the key 'chat_template' to the model file: Jinja text, or the path of "
                "a file of it",
            )

        def render(messages: list[dict[str, Any]], add_generation_prompt: bool) -> str:
            text: str = processor.apply_chat_template(
                messages,
                chat_template=template if isinstance(template, str) else None,
                add_generation_prompt=add_generation_prompt,
                tokenize=False,
            )
            return text

        _check_syntax(render, self.source.path)
        mark = getattr(processor, "image_token", None)
        return Renderer(self.name, render, mark, processing.quirk)


def _check_syntax(render: Callable[..., str], checkpoint: str) -> None:
    """ConfigError for a template that is no Jinja, of which no conversation can be written."""
    from jinja2 import TemplateSyntaxError

    try:
        render([{"role": "user", "content": [{"type": "text", "text": "a"}]}], False)
    except TemplateSyntaxError as error:
        raise ConfigError(
            f"line {error.lineno} of the chat template is no Jinja: {error.message}",
            where=checkpoint,
            hint="correct it, or leave chat_template out: the checkpoint's own is then used",
        ) from None
    except Exception:  # it may take other conversations
        return


def _read_template(chat_template: str | None) -> str | None:
    """The text of a template; an argument without Jinja is the path of a file, of text or of the
    JSON in which transformers keeps it.
    """
    if chat_template is None or "{" in chat_template:
        return chat_template
    path, hint = user_path(chat_template), "give the path of a Jinja file, or the Jinja text itself"
    try:
        text = read_text(path)
        text = json.loads(text)["chat_template"] if path.suffix == ".json" else text
    except (OSError, ValueError, KeyError, TypeError) as error:
        why = getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"
        what = f"the chat template cannot be read ({why})"
        raise ConfigError(what, where=chat_template, hint=hint) from None
    if not isinstance(text, str) or not text.strip():
        raise ConfigError("the file holds no chat template", where=chat_template, hint=hint)
    return text


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
