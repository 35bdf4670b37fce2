"""Log-likelihood of options: the straightforward scorer and the fast one."""
