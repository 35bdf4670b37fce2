"""What is different for a model behind a server, whose requests are sent concurrently."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from chef.errors import ConfigError
from chef.evaluator import Evaluator
from chef.models import Model
from chef.run.batches import decided_by_batches
from chef.session.settings import Settings

if TYPE_CHECKING:
    from chef.run.folder import RunFolder


def check_no_workers(model: Model, settings: Settings) -> ConfigError | None:
    """The error where a model behind a server is to run in worker processes; else None."""
    if settings.workers is None and settings.ray_address is None:
        return None
    from chef.models.api.server_model import ServerModel

    if not isinstance(model, ServerModel):
        return None
    return ConfigError(
        f"the model '{model.name}' runs on its server, and workers would only share its limits",
        where="workers (--workers, --ray-address)",
        hint="leave the workers out: one process keeps many requests in flight, as many as "
        "max_in_flight in the model file allows",
    )


def how_it_is_asked(evaluator: Evaluator, model: Model) -> str:
    """The batch size of a recipe; for a model behind a server, how many requests are in flight."""
    from chef.models.api.server_model import ServerModel

    batches = evaluator.batches
    if not isinstance(model, ServerModel):
        return str(batches)
    text = f"at most {model.traffic.max_in_flight} requests in flight"
    if decided_by_batches(evaluator.recipe):
        return f"{batches}; {text}"
    if batches.size is None:
        return text
    return (
        f"{text}; the batch size {batches.size} is not used, because requests to a server are sent "
        "one by one (max_in_flight in the model file limits them, or on the command line "
        f"--model_args max_in_flight={batches.size})"
    )


@contextmanager
def budget_told(evaluator: Evaluator, folder: RunFolder) -> Iterator[None]:
    """Add to the error of a spent budget what is answered, and how to see its results."""
    from chef.models.api.traffic import BudgetError

    try:
        yield
    except BudgetError as error:
        left, total = len(folder.todo(evaluator.ids)), len(evaluator.ids)
        raise BudgetError(
            f"{error.what}; {total - left:,} of {total:,} samples are answered",
            where=error.where,
            hint=f"{error.hint}. Results so far: chef score {folder.path}",
        ) from error
