"""What stands between chef and strangers: files, run folders, and what speaks HTTP."""
