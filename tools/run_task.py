"""Run tasks of MMTrustEval; the same as ``chef eval``, for a checkout."""

import sys

from guard import need_chef

if __name__ == "__main__":
    need_chef()
    from chef.cli import main

    sys.exit(main(["eval", *sys.argv[1:]]))
