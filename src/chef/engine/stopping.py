"""The errors that end a run because of its server, each with what to do about it."""

from __future__ import annotations

from chef.common.user_code import told
from chef.engine.executor_base import MAX_CONSECUTIVE_FAILURES
from chef.errors import ChefError, ConfigError, RunError
from chef.models.api.failures import Failure, RequestFailedError
from chef.models.api.server_model import ServerModel

#: So many samples are tried, one after another, with a server that has not answered any.
FIRST_SAMPLES = 2
_RESUME = "the same command resumes the run"


def error_for_all(
    error: RequestFailedError, model: ServerModel, *, has_answered: bool
) -> ChefError | None:
    """The error that ends the run, if every other request would fail like this one.

    Once a server has answered, a key not allowed, or an address not there, concerns one sample
    alone.
    """
    failure = error.failure
    if not failure.concerns_all:
        return None
    if has_answered and failure in (Failure.FORBIDDEN, Failure.NOT_FOUND):
        return None
    what, hint = _explained(failure, model)
    kind = RunError if has_answered or failure is Failure.NO_CREDIT else ConfigError
    return kind(f"{what} ({error.what})", where=_address(error, model), hint=error.hint or hint)


def unreachable(error: RequestFailedError, model: ServerModel) -> RunError:
    """The error of a server that cannot be reached at all, or does not answer in time."""
    if error.failure is Failure.TIMEOUT:
        return RunError(
            f"the server does not answer ({error.what})",
            where=_address(error, model),
            hint=f"{error.hint or 'look at what the server logs'}; {_RESUME}",
        )
    return RunError(
        f"the server cannot be reached ({error.what})",
        where=_address(error, model),
        hint=f"start the server, or correct base_url in the model file; {_RESUME}",
    )


def never_answered(error: RequestFailedError, model: ServerModel) -> RunError:
    """The error of a server that failed on the first samples, however often they were sent."""
    if error.failure is Failure.CONNECTION:
        return unreachable(error, model)
    return RunError(
        f"the server answered none of the first {FIRST_SAMPLES} samples (the last: {error.what})",
        where=_address(error, model),
        hint=error.hint or f"look at what the server logs; {_RESUME}",
    )


def always_fails(error: Exception, model: ServerModel) -> RunError:
    """The error of a model that fails on every request, one that it has answered included."""
    return RunError(
        f"{MAX_CONSECUTIVE_FAILURES} requests in a row failed; the last: {told(error)}",
        where=_address(error, model),
        hint=f"fix the server, or the settings of the model file; {_RESUME}",
    )


def given_up(error: RequestFailedError, attempts: int) -> RequestFailedError:
    """The error of a sample whose request was sent as often as it may be."""
    if attempts == 1:
        return error
    what = f"{error.what} (the last of {attempts} attempts)"
    return RequestFailedError(what, error.failure, where=error.where, hint=error.hint)


def _explained(failure: Failure, model: ServerModel) -> tuple[str, str]:
    """What is wrong, and how to fix it."""
    name = getattr(model, "model", None) or model.name
    variable = model.api_key_env
    key = f"the key in {variable}" if variable else "the request without a key"
    set_key = (
        f"put a valid key into the variable {variable} (api_key_env in the model file)"
        if variable
        else "name the variable that holds the key: api_key_env in the model file"
    )
    if failure is Failure.UNAUTHORIZED:
        return f"the server does not accept {key}", set_key
    if failure is Failure.FORBIDDEN:
        hint = "ask the owner of the account whether its key may do this" if variable else set_key
        return f"the server does not allow {key} to use the model '{name}'", hint
    if failure is Failure.NO_CREDIT:
        return "the account has no credit left", f"add credit, or use another key; {_RESUME}"
    return f"the server does not know the model '{name}', or has no such address", (
        "check model and base_url in the model file"
    )


def _address(error: Exception, model: ServerModel) -> str:
    given = error.where if isinstance(error, ChefError) else None
    return given or model.base_url or model.name
