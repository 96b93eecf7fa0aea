"""Processes that trials start: servers, nodes, PostgreSQL, nginx."""
