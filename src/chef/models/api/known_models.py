"""Whether a server knows a model, asked before the first sample."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chef.errors import ConfigError, nearest
from chef.models.api.client import Client
from chef.models.api.failures import Failure, RequestFailedError

#: The shortest request that a model can be asked.
_SHORT = {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 1}
_KEY_IS_WRONG = {Failure.UNAUTHORIZED, Failure.NO_CREDIT}


async def check_model(client: Client, model: str) -> None:
    """Check that the server can be reached, takes the key, and offers the model.

    A server may have no list of its models, and one that has a list may offer more than is on it
    (aliases, variants, deployments). So a model that is not on the list is asked one word.

    Raises:
        ConfigError: the server has no such model.
        RequestFailedError: the server cannot be reached, or refuses the key.
    """
    try:
        offered = _names(await client.get("models"))
    except RequestFailedError as error:
        if error.failure in _KEY_IS_WRONG | {Failure.CONNECTION, Failure.TIMEOUT}:
            raise
        return  # it has no list, or shows it to other keys only
    if not offered or model in offered:
        return
    try:
        await client.post("chat/completions", {"model": model, **_SHORT})
    except RequestFailedError as error:
        if error.failure in _KEY_IS_WRONG:
            raise
        if error.failure is Failure.NOT_FOUND:
            raise ConfigError(
                f"the server has no model '{model}' ({error.what})",
                where=client.where,
                hint=f"{nearest(model, offered)}; correct 'model' in the model file",
            ) from None


def _names(reply: Mapping[str, Any]) -> list[str]:
    """The models on the list of a server; empty where it is no list."""
    data = reply.get("data")
    items = data if isinstance(data, list) else []
    names = [item.get("id") for item in items if isinstance(item, Mapping)]
    return [name for name in names if isinstance(name, str)]
