"""What `metric_func` may return: values, or as in ChEF the values and the answers it has marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chef.common.jsonable import to_jsonable
from chef.errors import RunError


def values_and_findings(
    returned: Any, answers: Sequence[Mapping[str, Any]]
) -> tuple[Mapping[str, Any], dict[str, dict[str, Any]]]:
    """The named values, and what `metric_func` has added to the answers.

    Args:
        returned: a value, a mapping of values, or a pair of one of these and the list of answers.
        answers: copies of the records from before the call.

    Returns:
        The values by name (a value without one is named ``score``), and the additions by the id of
        the sample: what stands in an answer of the pair and did not before.

    Raises:
        RunError: a tuple or a list that is no such pair.

    >>> values_and_findings((0.5, [{"id": "1", "metric_result": 1}]), [{"id": "1"}])
    ({'score': 0.5}, {'1': {'metric_result': 1}})
    """
    if not isinstance(returned, tuple | list):
        return _named(returned), {}
    if len(returned) != 2 or not _are_answers(returned[1], answers):
        raise RunError(
            f"metric_func returned a {type(returned).__name__} of {len(returned)} items",
            hint="return a value, a dict of values by name, or (result, answers), where answers is "
            "the list of dicts that it was given",
        )
    before = {str(answer["id"]): answer for answer in answers}
    return _named(returned[0]), {
        str(answer["id"]): _added(answer, before[str(answer["id"])]) for answer in returned[1]
    }


def _named(result: Any) -> Mapping[str, Any]:
    return result if isinstance(result, Mapping) else {"score": result}


def _are_answers(given: Any, answers: Sequence[Mapping[str, Any]]) -> bool:
    known = {str(answer["id"]) for answer in answers}
    return isinstance(given, list | tuple) and all(
        isinstance(item, Mapping) and str(item.get("id")) in known for item in given
    )


def _added(answer: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    reserved = {"id", "status"}
    return {
        key: found
        for key, value in answer.items()
        if key not in reserved and (found := to_jsonable(value)) != to_jsonable(before.get(key))
    }
