"""Models behind a server: their requests are sent one by one, and many are in flight at once.

What a class of one's own needs is exported here.
"""

from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.server_model import Received, ServerModel
from chef.models.api.traffic import Traffic

__all__ = ["Failure", "Received", "RequestFailedError", "ServerModel", "Traffic"]
