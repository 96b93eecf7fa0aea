"""Accounts and guests: who somebody is, with which log-in, and which seats belong to them."""
