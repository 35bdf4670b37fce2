"""Ways in which the folder of a checkpoint is broken; each takes a whole folder and breaks it."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

Break = Callable[[Path], None]
WEIGHTS = "model.safetensors"


def broken(marker: Path) -> dict[str, Break]:
    """All ways by name.

    Args:
        marker: a file that code in a checkpoint makes, if it is run.
    """
    return {
        **_keys(),
        **_tensors(),
        **_files(marker),
        **_shards(),
        **_configs(),
    }


def _edited(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Break:
    def edit(folder: Path) -> None:
        from safetensors.torch import load_file, save_file

        file = folder / WEIGHTS
        tensors = {key: value.clone() for key, value in load_file(file).items()}
        changed = {key: value.contiguous() for key, value in change(tensors).items()}
        save_file(changed, file, {"format": "pt"})

    return edit


def _without(*parts: str) -> Break:
    def drop(tensors: dict[str, Any]) -> dict[str, Any]:
        left = {k: v for k, v in tensors.items() if not any(part in k for part in parts)}
        assert len(left) < len(tensors)
        return left

    return _edited(drop)


def _renamed(rename: Callable[[str], str]) -> Break:
    return _edited(lambda tensors: {rename(key): value for key, value in tensors.items()})


def _first(part: str, change: Callable[[Any], Any]) -> Break:
    """Change the first weight whose name contains a text."""

    def edit(tensors: dict[str, Any]) -> dict[str, Any]:
        key = next(key for key in sorted(tensors) if part in key)
        return {**tensors, key: change(tensors[key])}

    return _edited(edit)


def _keys() -> dict[str, Break]:
    return {
        "no vision tower": _without("vision_tower"),
        "no projector": _without("multi_modal_projector"),
        "no language model": _without("language_model"),
        "a layer is missing": _without("layers.1."),
        "a bias is missing": _without("linear_1.bias"),
        "the embeddings are missing": _without("embed_tokens"),
        "a norm is missing": _without("input_layernorm"),
        "no keys": _edited(lambda tensors: {"nothing.weight": next(iter(tensors.values()))}),
        "all keys renamed": _renamed(lambda key: f"x.{key}"),
        "keys in upper case": _renamed(str.upper),
        "vision keys renamed": _renamed(lambda key: key.replace("vision_tower", "visual")),
        "projector renamed": _renamed(lambda key: key.replace("linear_", "lin")),
        "weights of a wrapper": _renamed(lambda key: f"module.{key}"),
        "an adapter that is not merged": _renamed(
            lambda key: f"base_model.model.{key.removesuffix('.weight')}.lora_A.weight"
        ),
    }


def _tensors() -> dict[str, Break]:
    import torch

    def of(kind: torch.dtype) -> Break:
        return _edited(lambda tensors: {k: v.to(kind) for k, v in tensors.items()})

    return {
        "a row too many": _first("linear_1.weight", lambda t: torch.cat([t, t[:1]])),
        "a row too few": _first("q_proj.weight", lambda t: t[:-1]),
        "half the embeddings": _first("embed_tokens", lambda t: t[: len(t) // 2]),
        "a flat weight": _first("linear_2.weight", lambda t: t.flatten()),
        "a scalar": _first("linear_1.weight", lambda t: t[0, 0]),
        "an empty weight": _first("linear_1.weight", lambda t: t[:0]),
        "a dimension more": _first("linear_2.weight", lambda t: t[None]),
        "another patch size": _first("patch_embedding", lambda t: t[..., :-1]),
        "whole numbers": of(torch.int64),
        "bytes": of(torch.int8),
        "truth values": of(torch.bool),
        "one weight of bytes": _first("linear_1.weight", lambda t: t.to(torch.uint8)),
    }


def _replaced(name: str, content: bytes | Callable[[bytes], bytes]) -> Break:
    def replace(folder: Path) -> None:
        file = folder / name
        before = file.read_bytes() if file.exists() else b""
        file.write_bytes(content(before) if callable(content) else content)

    return replace


def _pickled(content: Callable[[Path], bytes]) -> Break:
    """``pytorch_model.bin`` in place of the safetensors file."""

    def replace(folder: Path) -> None:
        (folder / "pytorch_model.bin").write_bytes(content(folder))
        (folder / WEIGHTS).unlink()

    return replace


class _Code:
    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return (os.mkdir, (str(self.marker),))


def _archive_with_code(folder: Path, marker: Path) -> bytes:
    import torch

    file = folder / "tmp.bin"
    torch.save({"weight": torch.zeros(2), "code": _Code(marker)}, file)
    content = file.read_bytes()
    file.unlink()
    return content


def _is_folder(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    (folder / WEIGHTS).mkdir()


def _files(marker: Path) -> dict[str, Break]:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    return {
        "half a file": _replaced(WEIGHTS, lambda content: content[: len(content) // 2]),
        "half a header": _replaced(WEIGHTS, lambda content: content[:300]),
        "a byte is missing": _replaced(WEIGHTS, lambda content: content[:-1]),
        "an empty file": _replaced(WEIGHTS, b""),
        "a text": _replaced(WEIGHTS, b"these are no weights"),
        "a pointer of git lfs": _replaced(WEIGHTS, pointer),
        "a page of the web": _replaced(WEIGHTS, b"<!DOCTYPE html><html>404</html>"),
        "a header without an end": _replaced(WEIGHTS, struct.pack("<Q", 2**62) + b"{}"),
        "a header that is no JSON": _replaced(WEIGHTS, struct.pack("<Q", 9) + b"not json!"),
        "a header of a list": _replaced(WEIGHTS, struct.pack("<Q", 2) + b"[]"),
        "no weights": lambda folder: (folder / WEIGHTS).unlink(),
        "weights that are a folder": _is_folder,
        "a link to nowhere": lambda folder: (
            (folder / WEIGHTS).unlink(),
            (folder / WEIGHTS).symlink_to("/nowhere/model.safetensors"),
        )[0],
        "a pickle with code": _pickled(lambda _: pickle.dumps({"x": _Code(marker)})),
        "an archive with code": _pickled(lambda folder: _archive_with_code(folder, marker)),
        "a pickle of nothing": _pickled(lambda _: b""),
        "a pickle of a list": _pickled(lambda _: pickle.dumps([1, 2])),
        "a pickle that is a text": _pickled(lambda _: b"these are no weights"),
        "a pickle of half a file": _pickled(
            lambda folder: _archive_with_code(folder, marker)[:200]
        ),
    }


def _sharded(change: Callable[[dict[str, Any]], Any], keep: bool = True) -> Break:
    """Two shards with an index that is changed."""

    def shard(folder: Path) -> None:
        from safetensors.torch import load_file, save_file

        tensors = load_file(folder / WEIGHTS)
        names = sorted(tensors)
        parts = {"a.safetensors": names[::2], "b.safetensors": names[1::2]}
        for file, keys in parts.items():
            save_file({key: tensors[key] for key in keys}, folder / file, {"format": "pt"})
        (folder / WEIGHTS).unlink()
        where = {key: file for file, keys in parts.items() for key in keys}
        index = change({"metadata": {"total_size": 1}, "weight_map": where})
        text = index if isinstance(index, str) else json.dumps(index)
        (folder / f"{WEIGHTS}.index.json").write_text(text)
        if not keep:
            (folder / "b.safetensors").unlink()

    return shard


def _cut_shard(folder: Path) -> None:
    _sharded(lambda index: index)(folder)
    file = folder / "b.safetensors"
    file.write_bytes(file.read_bytes()[:-100])


def _shards() -> dict[str, Break]:
    def without_b(index: dict[str, Any]) -> dict[str, Any]:
        where = {k: v for k, v in index["weight_map"].items() if v == "a.safetensors"}
        return {**index, "weight_map": where}

    return {
        "a missing shard": _sharded(lambda index: index, keep=False),
        "half a shard": _cut_shard,
        "an index without one shard": _sharded(without_b),
        "an index of nothing": _sharded(lambda index: {**index, "weight_map": {}}),
        "an index without a map": _sharded(lambda _: {"metadata": {}}),
        "an index that is no JSON": _sharded(lambda _: "{"),
        "an index that is a list": _sharded(lambda _: []),
        "an index that leads elsewhere": _sharded(
            lambda index: {
                **index,
                "weight_map": dict.fromkeys(index["weight_map"], "../../nowhere.safetensors"),
            }
        ),
    }


def _config(**changes: Any) -> Break:
    """Change keys of config.json; a dotted key is one of a section."""

    def change(folder: Path) -> None:
        file = folder / "config.json"
        config = json.loads(file.read_text())
        for key, value in changes.items():
            section, _, name = key.rpartition("__")
            (config[section] if section else config)[name] = value
        file.write_text(json.dumps(config))

    return change


def _dropped(*names: str) -> Break:
    def drop(folder: Path) -> None:
        for name in names:
            (folder / name).unlink(missing_ok=True)

    return drop


def _emptied(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def _configs() -> dict[str, Break]:
    return {
        "a wider language model": _config(text_config__hidden_size=64),
        "a larger vocabulary": _config(text_config__vocab_size=999),
        "more layers": _config(text_config__num_hidden_layers=5),
        "more vision layers": _config(vision_config__num_hidden_layers=5),
        "a larger image": _config(vision_config__image_size=112),
        "an unknown type": _config(model_type="nothing_known"),
        "a type that reads text": _config(model_type="bert"),
        "an empty config": _replaced("config.json", b""),
        "a config that is no JSON": _replaced("config.json", b"{"),
        "a config that is a list": _replaced("config.json", b"[1]"),
        "a config that is empty": _replaced("config.json", b"{}"),
        "no config": _dropped("config.json"),
        "a tokenizer that is no JSON": _replaced("tokenizer.json", b"{"),
        "no tokenizer": _dropped("tokenizer.json", "tokenizer_config.json"),
        "no processor": _dropped("processor_config.json", "preprocessor_config.json"),
        "nothing at all": _emptied,
    }
