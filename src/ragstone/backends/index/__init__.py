"""Vector indexes: exact search in memory, kept in a folder."""
