"""What stands between chef and strangers."""
