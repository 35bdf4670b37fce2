"""VLMEvalKit's classes of data sets: what a user's file subclasses, and how chef asks them."""
