"""The rules of MMTrustEval's evaluators: its own (`upstream`), and those that chef reads by.

The word lists are chef's own, in ``lists/*.yaml``, each with its version; `word_lists` reads them.
"""
