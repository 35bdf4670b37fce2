"""Data sets in one TSV file, in VLMEvalKit's form."""
