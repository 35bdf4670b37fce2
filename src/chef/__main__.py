"""``python -m chef`` is ``chef``."""

from chef_command import console

if __name__ == "__main__":
    console()
