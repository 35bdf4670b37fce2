"""POPE as ChEF reports it."""

from __future__ import annotations

from chef.metric.vqa.yesno import YesNo


class Pope(YesNo):
    """The figures of `YesNo`, on a scale of 0 to 1. What says neither yes nor no is unparsed."""
