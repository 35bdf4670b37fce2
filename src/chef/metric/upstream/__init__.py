"""ChEF's own rules, for ``compat: upstream``: one class per metric, listed in ``METRICS``.

Each class has the name and the constructor of the corrected metric and overrides what ChEF does
differently. Its docstring says what that is. The rules for reading text are in
`chef.reading.rules`.
"""
