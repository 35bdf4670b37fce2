"""Reports of runs: scores, tables, and the content of run folders."""
