"""Models behind a server: their requests are sent one by one, and many are in flight at once.

What a class of one's own needs is exported here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chef.common.front_modules import attributes

if TYPE_CHECKING:
    from chef.models.api.failures import Failure, RequestFailedError
    from chef.models.api.server_model import Received, ServerModel
    from chef.models.api.traffic import Traffic
else:
    __getattr__ = attributes(
        __name__,
        {
            "chef.models.api.failures": ("Failure", "RequestFailedError"),
            "chef.models.api.server_model": ("Received", "ServerModel"),
            "chef.models.api.traffic": ("Traffic",),
        },
    )

__all__ = ["Failure", "Received", "RequestFailedError", "ServerModel", "Traffic"]
