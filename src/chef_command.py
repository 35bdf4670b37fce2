"""The command ``chef``: until it begins, Ctrl-C ends it at once and in silence, by the signal.

Python would print where it was interrupted. This module stands outside of the package because to
import anything of ``chef`` takes a part of that time.
"""

import signal


def console() -> None:
    """Entry point of the ``chef`` command."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # and not ignored, as by `&`
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from chef.cli import console as begin

    begin()
