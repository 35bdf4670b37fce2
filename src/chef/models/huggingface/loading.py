"""How model families differ, as data. Everything that is not listed has the common form."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chef.common.device import keep_freed_memory, pick_device
from chef.common.hub import TIMEOUT, check_complete, check_files, no_library_report, unreachable
from chef.errors import ChefError, ConfigError, DependencyError, RunError, first_line, nearest
from chef.frozen import Frozen
from chef.guard.files import user_path

if TYPE_CHECKING:
    import torch


class Quirk(Frozen):
    """How one model family differs.

    Attributes:
        prefix_lm: no chat template: the processor takes the prompt (image marks, question) and the
            reply (``suffix``, closed by EOS) apart. The prompt attends to itself in both
            directions, so a reply in it would be seen before it is scored.
        image_blocks: tokens of an image attend to each other both ways, within a layer's window.
        image_mark: marks an image in a prompt that no template writes.
    """

    prefix_lm: bool = False
    image_blocks: bool = False
    image_mark: str = "<image>"


COMMON = Quirk()

#: By ``config.model_type``.
QUIRKS = {
    "gemma3": Quirk(image_blocks=True),
    "paligemma": Quirk(prefix_lm=True),
}


def quirk_of(model_type: str) -> Quirk:
    """The quirk of an architecture; `COMMON` if it has none."""
    return QUIRKS.get(model_type, COMMON)


#: What is raised where files of weights are cut off, empty, or hold something else.
_DAMAGED = ("SafetensorError", "UnpicklingError", "EOFError", "FileNotFoundError")


class LoadingOptions(Frozen):
    """Where a model is and how to load it: arguments of `HuggingFaceModel`."""

    path: str
    revision: str | None = None
    dtype: str = "auto"
    device: str = "auto"
    attn_implementation: str | None = None
    chat_template: str | None = None
    processor_options: Mapping[str, Any] | None = None
    trust_remote_code: bool = False

    @property
    def folder(self) -> Path | None:
        """The local folder, or None for a name on the hub."""
        path = user_path(self.path)
        if path.is_dir():
            return path
        if path.is_absolute() or self.path.startswith((".", "~")) or self.path.count("/") > 1:
            raise ConfigError(
                "model folder not found",
                where=self.path,
                hint="check model_path; a hub name looks like 'owner/name'",
            )
        return None

    @property
    def target(self) -> str:
        """What ``from_pretrained`` is called with."""
        return self.path if self.folder is None else str(self.folder)

    @property
    def options(self) -> dict[str, Any]:
        """The options of every call of ``from_pretrained``."""
        found = {"revision": self.revision, "trust_remote_code": self.trust_remote_code}
        # Without a network, the library would ask the hub for each file again and again.
        offline = self.folder is None and unreachable() is not None
        return {**found, "local_files_only": True} if offline else found


class Processing(Frozen):
    """The processor of a checkpoint, which pads on the left, and how its family differs.

    Attributes:
        image_options: options of the image processor that have to be given at every call.
    """

    processor: Any
    quirk: Quirk
    image_options: Mapping[str, Any]

    @property
    def tokenizer(self) -> Any:
        """The tokenizer of the processor."""
        return self.processor.tokenizer


class Runtime(Processing):
    """A loaded model in evaluation mode, and its processor.

    Attributes:
        notices: what is to be known of how it was loaded; for environment.json.
    """

    model: Any
    device: torch.device
    notices: Sequence[str] = ()

    @property
    def context(self) -> int | None:
        """The longest sequence of the language model, in tokens; None if it does not say."""
        return getattr(self.model.config.get_text_config(), "max_position_embeddings", None)


@functools.cache
def cache_argument() -> str:
    """What transformers calls the argument of keys and values: ``cache`` from 5.24 on."""
    from transformers import GenerationMixin

    known = inspect.signature(GenerationMixin.prepare_inputs_for_generation).parameters
    return "cache" if "cache" in known else "past_key_values"


def load(source: LoadingOptions) -> Runtime:
    """Load the processor and the weights; weights that are missing are never made up.

    Raises:
        ConfigError: no such folder or device, no image-text model, an unknown processor option.
        DependencyError: a package the model needs is missing.
        RunError: the hub cannot be reached, files are broken, or weights are missing.
    """
    device = pick_device(source.device)
    processing = load_processing(source)
    model, notices = _load_model(source, device)
    keep_freed_memory(device)
    return Runtime(
        processing.processor, processing.quirk, processing.image_options, model, device, notices
    )


def load_processing(source: LoadingOptions) -> Processing:
    """The processor of an image-text-to-text model alone; raises what `load` raises."""
    kind = check_architecture(source)
    processor = load_processor(source)
    options = _image_options(processor, source.processor_options or {})
    return Processing(processor, quirk_of(kind), options)


def check_architecture(source: LoadingOptions) -> str:
    """The type of an image-text-to-text model, before weights are read; else a ConfigError."""
    from transformers import MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING, AutoConfig

    with explained(source):
        config = AutoConfig.from_pretrained(source.target, **source.options)
    remote = getattr(config, "auto_map", None) or {}
    of_its_own = source.trust_remote_code and "AutoModelForImageTextToText" in remote
    if type(config) not in MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING and not of_its_own:
        raise _no_image_text_model(source, f"its type is '{config.model_type}'")
    if getattr(config, "is_encoder_decoder", False):
        # Its reply goes to the decoder, while here a reply follows the prompt in one sequence.
        raise _no_image_text_model(source, f"'{config.model_type}' is an encoder-decoder")
    return str(config.model_type)


def load_processor(source: LoadingOptions) -> Any:
    """The processor, padding on the left, with the options of the model file."""
    from transformers import AutoImageProcessor, AutoProcessor

    with explained(source):
        processor = AutoProcessor.from_pretrained(source.target, **source.options)
    if not hasattr(processor, "image_processor") or not hasattr(processor, "tokenizer"):
        raise _no_image_text_model(source, f"its processor is a {type(processor).__name__}")
    if source.processor_options:
        known = getattr(processor.image_processor.valid_kwargs, "__annotations__", {})
        for key in source.processor_options:
            if known and key not in known:
                raise ConfigError(
                    f"{type(processor.image_processor).__name__} has no option '{key}'",
                    where=f"processor_options of {source.path}",
                    hint=nearest(key, known),
                )
        with explained(source):
            processor.image_processor = AutoImageProcessor.from_pretrained(
                source.target, **source.options, **source.processor_options
            )
    tokenizer = processor.tokenizer
    tokenizer.padding_side = "left"
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return processor


def _image_options(processor: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options to be given at every call, as a processor's own defaults override them."""
    settings = getattr(getattr(processor, "valid_processor_kwargs", None), "_defaults", {})
    own = {**settings.get("images_kwargs", {}), **(getattr(processor, "images_kwargs", None) or {})}
    return {key: value for key, value in options.items() if key in own}


def _load_model(source: LoadingOptions, device: torch.device) -> tuple[Any, tuple[str, ...]]:
    """The model, and notices about its weights."""
    options: dict[str, Any] = {}
    if source.attn_implementation is not None:
        options["attn_implementation"] = source.attn_implementation
    return load_weights(source, device, "AutoModelForImageTextToText", **options)


def load_weights(
    source: LoadingOptions, device: torch.device, auto: str, **options: Any
) -> tuple[Any, tuple[str, ...]]:
    """A complete model by a class of transformers, in evaluation mode, and notices about it."""
    import torch
    import transformers

    dtype: Any = source.dtype
    if dtype == "auto" and device.type == "cpu":
        dtype = torch.float32  # half precision is slow there; on a GPU the published type is used
    if source.folder is not None:
        check_files(source.folder, source.path)
    with explained(source), no_library_report():
        # Weights of another shape are refused below, where they are named.
        model, report = getattr(transformers, auto).from_pretrained(
            source.target,
            dtype=dtype,
            output_loading_info=True,
            ignore_mismatched_sizes=True,
            **source.options,
            **options,
        )
        notices = check_complete(report, source.path)
        return model.to(device).eval(), notices


def _no_image_text_model(source: LoadingOptions, why: str) -> ConfigError:
    return ConfigError(
        f"not a model that continues a sequence of images and text ({why})",
        where=source.path,
        hint="choose a decoder that AutoModelForImageTextToText knows; any other model needs a "
        "class of yours, see docs/guide/models.md",
    )


@contextmanager
def explained(source: LoadingOptions) -> Iterator[None]:
    """Give what ``from_pretrained`` raises in the block as an error that says what to do."""
    try:
        yield
    except ChefError:
        raise
    except Exception as error:  # from_pretrained raises anything from OSError to KeyError
        raise _explanation(source, error) from error


def no_hub(source: LoadingOptions, reason: str) -> RunError:
    """The error where a checkpoint has to come from the hub, and the hub does not answer."""
    return RunError(
        f"it is no local folder and not in the cache, and the hub cannot be reached ({reason})",
        where=source.path,
        hint="check the network (proxies: HTTPS_PROXY, mirrors: HF_ENDPOINT); or download it "
        "elsewhere and give its folder as model_path",
    )


def _explanation(source: LoadingOptions, error: Exception) -> ChefError:
    """An error of ``from_pretrained``, as one that says what to do."""
    where, reason = source.path, first_line(error)
    if isinstance(error, ImportError):
        text = " ".join(str(error).split())
        return DependencyError(
            f"a package is missing: {text}", where=where, hint="install it with pip"
        )
    if isinstance(error, MemoryError) or "out of memory" in reason.lower():
        return RunError(
            f"there is not enough memory for the weights: {reason}",
            where=where,
            hint="use a smaller dtype, a smaller model, or another device",
        )
    if source.folder is None and isinstance(error, OSError):
        if (unanswered := unreachable()) is not None:
            return no_hub(source, unanswered)
        return RunError(
            f"it is no local folder, and the hub does not provide it ({reason})",
            where=where,
            hint="check the name, the network and, for a gated model, that you are logged in "
            "('hf auth login'); or download it and give its folder as model_path",
        )
    if type(error).__name__ in _DAMAGED or "PytorchStreamReader" in reason:
        # PyTorch's own text tells how to run the code that a pickle holds, which chef never does.
        sentence = reason.partition(". ")[0]
        return RunError(
            f"its weights cannot be read ({type(error).__name__}: {sentence})",
            where=where,
            hint="the files are damaged or the download is incomplete: fetch the checkpoint again. "
            "Of .bin files only plain tensors are read; safetensors files are safer",
        )
    return RunError(
        f"cannot be loaded ({type(error).__name__}: {reason})",
        where=where,
        hint="the folder must hold a config.json, weights, a tokenizer and a processor "
        "as save_pretrained writes them",
    )


#: Devices that every machine has; PyTorch, which takes seconds to import, is asked for others.
_EVERYWHERE = re.compile(r"auto|cpu(:0)?")
_WEIGHTS = ("*.safetensors", "*.bin", "*.pt", "*.pth")


def check(source: LoadingOptions) -> None:
    """Check that the device is there, and the checkpoint, if need be on the hub."""
    if not _EVERYWHERE.fullmatch(source.device):
        pick_device(source.device)
    folder = source.folder
    if folder is None:
        if cached(source) is None:
            _check_hub(source)
        return
    hint = "give the folder that save_pretrained, or 'hf download', has written"
    if not (folder / "config.json").is_file():
        raise ConfigError("the folder has no config.json", where=str(folder), hint=hint)
    if not any(next(folder.glob(kind), None) for kind in _WEIGHTS):
        raise ConfigError("the folder has no weights", where=str(folder), hint=hint)


def cached(source: LoadingOptions, name: str = "config.json") -> Path | None:
    """A file of the checkpoint in the hub's cache on this machine; None where it is not there."""
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = try_to_load_from_cache(source.path, name, revision=source.revision)
    except HFValidationError as error:
        raise ConfigError(
            "it is no local folder, and no name that a model of the hub can have",
            where=source.path,
            hint="write model_path: owner/name, or the path of a folder",
        ) from error
    return Path(found) if isinstance(found, str) else None


def _check_hub(source: LoadingOptions) -> None:
    from huggingface_hub import HfApi
    from huggingface_hub.errors import (
        HFValidationError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    if (reason := unreachable()) is not None:
        raise no_hub(source, reason)
    try:
        HfApi().model_info(source.path, revision=source.revision, timeout=TIMEOUT)
    except ChefError:
        raise
    except (HFValidationError, RepositoryNotFoundError) as error:
        raise ConfigError(
            "it is no local folder, and the hub has no model of that name that you may see",
            where=source.path,
            hint="check model_path; for a private or gated model log in with 'hf auth login'",
        ) from error
    except RevisionNotFoundError as error:
        raise ConfigError(
            f"the hub has no revision '{source.revision}' of it",
            where=source.path,
            hint="check the key 'revision' of the model file",
        ) from error
    except Exception as error:  # offline mode, or another status of the server
        reason = first_line(error)
        raise RunError(
            f"it is not in the hub's cache on this machine, and the hub does not tell ({reason})",
            where=source.path,
            hint="check the network and HF_HUB_OFFLINE; or give a local folder as model_path",
        ) from error
