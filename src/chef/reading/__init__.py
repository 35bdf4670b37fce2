"""Extract answers from free text, with evidence of what matched and where.

Nothing is guessed: a text with two different answers, or with none, is unparsed. `POLICY` names the
version of these rules and is stored with the results.
"""
