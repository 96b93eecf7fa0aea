"""Several server processes on one PostgreSQL database (docs/decisions/0022). A single process needs none of it."""
