"""Download data sets; the same as ``chef prepare``, for a checkout."""

import sys

from guard import need_chef

if __name__ == "__main__":
    need_chef()
    from chef.cli import main

    sys.exit(main(["prepare", *sys.argv[1:]]))
