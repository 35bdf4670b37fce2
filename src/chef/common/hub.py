"""Whether the Hugging Face hub can be reached; asked once, because its library asks many times."""

from __future__ import annotations

from functools import lru_cache

#: Seconds to wait for the hub. The library retries each file for much longer.
TIMEOUT = 5.0


@lru_cache(1)
def unreachable() -> str | None:
    """Why the hub cannot be reached; None if it can be, or the library is offline. Asked once."""
    from huggingface_hub import constants, get_session

    if constants.HF_HUB_OFFLINE:
        return None  # the library does not ask the hub, and says so
    try:
        get_session().head(constants.ENDPOINT, timeout=TIMEOUT)
    except Exception as error:  # of the HTTP library, whichever the hub's library uses
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        return f"{constants.ENDPOINT}: {reason}"
    return None
