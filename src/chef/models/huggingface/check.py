"""Check the settings of a model without loading it: for ``--dry-run``."""

from __future__ import annotations

import re
from pathlib import Path

from chef.common.device import pick_device
from chef.common.hub import TIMEOUT, unreachable
from chef.errors import ChefError, ConfigError, RunError
from chef.models.huggingface.loading import LoadingOptions, no_hub

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
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise RunError(
            f"it is not in the hub's cache on this machine, and the hub does not tell ({reason})",
            where=source.path,
            hint="check the network and HF_HUB_OFFLINE; or give a local folder as model_path",
        ) from error
