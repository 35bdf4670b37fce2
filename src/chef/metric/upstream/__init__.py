"""ChEF's own rules, for ``compat: upstream``: one class a metric, one line in ``METRICS`` each.

A class has the name and the constructor of the corrected metric, and overrides what ChEF does
differently; its docstring says what that is. The rules for reading text are in
`chef.extraction.chef_rules`.
"""
