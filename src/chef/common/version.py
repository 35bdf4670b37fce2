"""The version of chef, which stands in every run folder."""

VERSION = "0.1.0"
