"""Data sets in one TSV file, in the format of VLMEvalKit."""
