"""The system messages of LAMM's tasks, in chef's words."""

from __future__ import annotations

from collections.abc import Mapping

from chef.scenario.lamm import messages

#: System messages by task.
common_task2sysmsg: Mapping[str, str] = messages()
#: The same for tasks that ask for a place.
locating_task2sysmsg: Mapping[str, str] = common_task2sysmsg
