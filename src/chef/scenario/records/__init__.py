"""Data sets listed in JSON files, or taken from the Hugging Face hub."""
