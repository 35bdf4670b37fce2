"""The version of chef, which is recorded in every run folder."""

VERSION = "0.1.0"
