"""Evaluate models; the same as ``chef eval``, for a checkout."""

import signal
import sys

if __name__ == "__main__":
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # as in `chef_command`
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from guard import need_chef

    need_chef()
    from chef.cli import main

    sys.exit(main(["eval", *sys.argv[1:]]))
