"""Tokens one after another: the loop, which token comes next, and where a reply ends."""
