"""Any checkpoint that vLLM knows, answered by its engine in this process (``model_name: VLLM``)."""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import metadata
from math import fsum
from typing import TYPE_CHECKING, Any, Literal

from chef.common.digest import digest
from chef.errors import (
    ChefError,
    ConfigError,
    DependencyError,
    RunError,
    SampleError,
    first_line,
    nearest,
)
from chef.models.huggingface.generation.loop import trimmed
from chef.models.huggingface.loading import Processing, load_processing
from chef.models.huggingface.model import CheckpointModel
from chef.models.huggingface.rendering import Rendered, Renderer, has_bos, scored_span
from chef.types import Generate, Generated, Score, Scored

if TYPE_CHECKING:
    from chef.types import Request

#: What chef itself tells the engine, by the key of the model file that says so.
_OWN_KEYS = {
    "model": "model_path",
    "revision": "revision",
    "dtype": "dtype",
    "tensor_parallel_size": "gpus",
    "limit_mm_per_prompt": "max_images",
    "mm_processor_kwargs": "processor_options",
    "trust_remote_code": "trust_remote_code",
}


class VLLMModel(CheckpointModel):
    """A checkpoint that an engine of vLLM answers, in this process and without a server.

    The prompts are those of `HuggingFaceModel`. Options have their log-probabilities as the end of
    a prompt. Texts may depend on what is asked at the same time, by the last bits of their scores.

    Args:
        model_path: name on the hub (``owner/name``) or local folder.
        revision: branch, tag or commit on the hub.
        dtype: type of the weights; ``auto`` is vLLM's choice, mostly half precision.
        gpus: how many GPUs hold the weights together; with ``--workers``, of each replica.
        chat_template: Jinja text, or the path of a file of it; default: the checkpoint's own.
        processor_options: options of the image processor (``min_pixels``, ``max_pixels``, ...).
        trust_remote_code: run Python code that comes with the checkpoint.
        max_images: how many images the model takes at once; None for any number.
        engine_options: further arguments of vLLM's ``EngineArgs`` (``max_model_len``,
            ``gpu_memory_utilization``, ``quantization``, ...).
        name: the folder of its results; default: the last part of ``model_path``.
    """

    name = "VLLM"
    #: The engine divides what it is given by itself, and is the faster the more that is.
    token_budget = 2**20

    def __init__(
        self,
        model_path: str,
        *,
        revision: str | None = None,
        dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto",
        gpus: int = 1,
        chat_template: str | None = None,
        processor_options: dict[str, Any] | None = None,
        trust_remote_code: bool = False,
        max_images: int | None = None,
        engine_options: dict[str, Any] | None = None,
        name: str | None = None,
    ) -> None:
        options = {
            "revision": revision,
            "dtype": dtype,
            "processor_options": processor_options,
            "trust_remote_code": trust_remote_code,
        }
        super().__init__(model_path, name, max_images, chat_template, options)
        for key in (engine_options or {}).keys() & _OWN_KEYS.keys():
            raise ConfigError(
                f"engine_options has '{key}'", hint=f"use the key '{_OWN_KEYS[key]}' of the file"
            )
        self.gpus, self.engine_options = gpus, engine_options or {}
        self._lock = threading.Lock()
        self._loaded: tuple[Processing, Renderer, Any] | None = None

    def check_settings(self) -> None:
        if importlib.util.find_spec("vllm") is None:
            raise DependencyError(
                "the package vllm is not installed",
                hint="pip install 'chef-eval[vllm]' (vLLM wants a torch of its own, so take an "
                "environment of its own), or use model_name: HuggingFace",
            )
        super().check_settings()

    def fingerprint(self) -> str:
        try:
            version = metadata.version("vllm")
        except metadata.PackageNotFoundError:
            version = ""
        return digest([super().fingerprint(), "vllm", version, self.engine_options])

    @property
    def notices(self) -> Sequence[str]:
        if self._loaded is None:
            return ()
        return (
            "vLLM answers: a text may depend on what is asked beside it, by the last bits of its "
            "scores",
        )

    def load(self) -> Processing:
        """Load processor and engine, once.

        Raises:
            ConfigError: no such folder, no image-text model, no chat template, no such option.
            DependencyError: vLLM is not installed.
            RunError: the engine cannot be started.
        """
        return self._ready()[0]

    @property
    def renderer(self) -> Renderer:
        """Writes the prompts of the loaded model."""
        return self._ready()[1]

    def cost(self, request: Request) -> int:
        return self.row_cost(request)

    def generate(self, requests: Sequence[Generate]) -> list[Generated]:
        rows = [self.renderer.prompt(item.conversation, item.answer_prefix) for item in requests]
        settings = [
            {
                "max_tokens": item.max_new_tokens,
                "temperature": item.temperature,
                "top_p": item.top_p,
                "seed": item.seed if item.temperature else None,
                "stop": [word for word in item.stop if word],
            }
            for item in requests
        ]
        outputs = self._ask([self._encode(row)[0] for row in rows], rows, settings)
        return [
            _reply(output.outputs[0], request)
            for output, request in zip(outputs, requests, strict=True)
        ]

    def score(self, requests: Sequence[Score]) -> list[tuple[Scored, ...]]:
        """As `Model.score`; equal candidates of a request share a row, so their scores are equal.

        Raises:
            SampleError: a candidate is empty, or the engine refuses a prompt.
        """
        rows: dict[tuple[int, str], Rendered] = {}
        for number, request in enumerate(requests):
            texts = list(dict.fromkeys(request.candidates))
            replies = self.renderer.replies(request.conversation, request.answer_prefix, texts)
            rows.update(zip([(number, text) for text in texts], replies, strict=True))
        scores = dict(zip(rows, self._scored(list(rows.values())), strict=True))
        return [
            tuple(scores[number, text] for text in request.candidates)
            for number, request in enumerate(requests)
        ]

    def _scored(self, rows: list[Rendered], *, shares: bool = True) -> list[Scored]:
        """The score of each row; ``shares``: prompts that begin alike are computed once."""
        from vllm import SamplingParams

        setting = {"max_tokens": 1, "temperature": 0.0, "prompt_logprobs": 0, "detokenize": False}
        if shares and "skip_reading_prefix_cache" in SamplingParams.__struct_fields__:
            setting["skip_reading_prefix_cache"] = False
        encoded = [self._encode(row) for row in rows]
        outputs = self._ask([ids for ids, _ in encoded], rows, [setting] * len(rows))
        scores = [
            _score_of(output, ends) for output, (_, ends) in zip(outputs, encoded, strict=True)
        ]
        # What is in the engine's cache has no log-probabilities; an option that begins in it is
        # computed again, as a whole.
        cached = [place for place, score in enumerate(scores) if score is None]
        again = self._scored([rows[place] for place in cached], shares=False) if cached else []
        whole = dict(zip(cached, again, strict=True))
        return [score or whole[place] for place, score in enumerate(scores)]

    def close(self) -> None:
        if self._loaded is not None:
            self._loaded[2].llm_engine.engine_core.shutdown()
        self._loaded = None

    def _encode(self, row: Rendered) -> tuple[list[int], list[int]]:
        """The tokens of a row with one mark an image, and its scored ones, counted from the end."""
        processing = self.load()
        encoded = processing.tokenizer(
            row.text,
            add_special_tokens=not has_bos(processing, row.text),
            return_offsets_mapping=bool(row.scored),
        )
        ids = list(encoded["input_ids"])
        if not row.scored:
            return ids, []
        span = scored_span(row, encoded["offset_mapping"], [True] * len(ids))
        return ids, [place - len(ids) for place in span]

    def _ask(
        self,
        prompts: Sequence[list[int]],
        rows: Sequence[Rendered],
        settings: Sequence[Mapping[str, Any]],
    ) -> list[Any]:
        """What the engine answers to prompts of tokens, in their order."""
        from vllm import SamplingParams

        inputs = [
            {"prompt_token_ids": ids, "multi_modal_data": {"image": list(row.images)}}
            if row.images
            else {"prompt_token_ids": ids}
            for ids, row in zip(prompts, rows, strict=True)
        ]
        engine = self._ready()[2]
        with _refusals():
            parameters = [SamplingParams(**setting) for setting in settings]
            return list(engine.generate(inputs, parameters, use_tqdm=False))

    def _ready(self) -> tuple[Processing, Renderer, Any]:
        with self._lock:  # the engine's readers ask for costs from several threads
            if self._loaded is None:
                self.check_settings()
                processing = load_processing(self.source)
                if processing.quirk.prefix_lm:
                    raise ConfigError(
                        "its prompts and replies are encoded apart, which vLLM does not do",
                        where=self.source.path,
                        hint="use model_name: HuggingFace",
                    )
                self._loaded = processing, self.make_renderer(processing), self._engine()
            return self._loaded

    def _engine(self) -> Any:
        # In this process: an engine in a process of its own would run a script without a main
        # guard again. Both are read when vllm is first imported.
        os.environ.setdefault("VLLM_ENABLE_V1_MULTIPROCESSING", "0")
        os.environ.setdefault("VLLM_LOGGING_LEVEL", "WARNING")
        from vllm import LLM, EngineArgs

        for key in self.engine_options:
            if key not in EngineArgs.__dataclass_fields__:
                raise ConfigError(
                    f"vLLM's EngineArgs has no option '{key}'",
                    where="engine_options",
                    hint=nearest(key, EngineArgs.__dataclass_fields__),
                )
        options: dict[str, Any] = {
            "revision": self.source.revision,
            "dtype": self.source.dtype,
            "tensor_parallel_size": self.gpus,
            "trust_remote_code": self.source.trust_remote_code,
            "mm_processor_kwargs": dict(self.source.processor_options or {}) or None,
            **self.engine_options,
        }
        if self.max_images is not None:
            options["limit_mm_per_prompt"] = {"image": self.max_images}
        try:
            return LLM(self.source.target, **options)
        except Exception as error:  # the engine fails in as many ways as there are machines
            raise RunError(
                f"vLLM cannot be started ({type(error).__name__}: {first_line(error)})",
                where=self.source.path,
                hint="see what it printed above; max_model_len and gpu_memory_utilization in "
                "engine_options bound its memory",
            ) from error


@contextmanager
def _refusals() -> Iterator[None]:
    """What the engine says of a prompt that it does not take becomes a SampleError."""
    try:
        yield
    except ChefError:
        raise
    except Exception as error:
        if not isinstance(error, ValueError) and "Validation" not in type(error).__name__:
            raise
        raise SampleError(f"vLLM refuses the prompt: {first_line(error)}") from error


def _reply(output: Any, request: Generate) -> Generated:
    """The reply of one output; the token that ends it does not count."""
    text, count = trimmed(output.text, request), len(output.token_ids)
    if output.finish_reason != "stop":
        return Generated(text, "length", tokens=count)
    return Generated(text, tokens=count - (not isinstance(output.stop_reason, str)))


def _score_of(output: Any, ends: Sequence[int]) -> Scored | None:
    """The score of the tokens at some places of a prompt, counted from its end; None: not known."""
    first = len(output.prompt_token_ids) + ends[0]
    if first <= (output.num_cached_tokens or 0):  # the token before it was not computed
        return None
    values = [output.prompt_logprobs[end][output.prompt_token_ids[end]].logprob for end in ends]
    return Scored(logprob_sum=fsum(values), tokens=len(values))
