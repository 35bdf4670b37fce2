"""The views of samples: what the model saw, what it said, and how that was read."""

from chef.report.views.conversation import Exchanged, Replayed, Replayer
from chef.report.views.views import Views, views_of

__all__ = ["Exchanged", "Replayed", "Replayer", "Views", "views_of"]
