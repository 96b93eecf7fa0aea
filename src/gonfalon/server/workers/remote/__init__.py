"""Computer players on other machines: servers write questions into a table of PostgreSQL, and workers answer there."""
