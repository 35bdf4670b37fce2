"""``python -m chef`` is ``chef``."""

from chef.cli import console

if __name__ == "__main__":
    console()
