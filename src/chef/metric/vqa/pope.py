"""POPE under the name that ChEF gives the metric."""

from __future__ import annotations

from chef.metric.vqa.yesno import YesNo


class Pope(YesNo):
    """The metrics of `YesNo`, from 0 to 1. An answer that is neither yes nor no is unparsed."""
