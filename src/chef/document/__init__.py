"""A report as a list of sections, and how they become text, Markdown, LaTeX and CSV."""
