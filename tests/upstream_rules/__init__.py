"""The metric rules of ChEF, transcribed from its written reference alone.

Nothing here knows chef's own code: the transcription is there to be compared with it.
"""
