"""Cook recipes with a model; ``python tools/eval.py --help`` tells how."""

import sys

from chef.cli import main

if __name__ == "__main__":
    sys.exit(main(["eval", *sys.argv[1:]]))
