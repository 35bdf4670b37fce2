"""Options scored with what their prompts share computed once."""
