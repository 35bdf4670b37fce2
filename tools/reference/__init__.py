"""The generated pages of docs/reference, written by `tools/write_reference.py`: a module a page."""
