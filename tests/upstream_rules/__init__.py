"""The metric rules of ChEF, transcribed from its written reference alone.

The transcription knows nothing of chef's own code: it is there to be compared with it, which the
modules named ``test_against_*`` do.
"""
