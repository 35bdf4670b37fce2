"""Models behind a server: their requests are sent one by one, and many are in flight at once."""
