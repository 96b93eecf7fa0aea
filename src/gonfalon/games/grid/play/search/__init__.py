"""Search of the board games: alpha-beta in each world, the guard of the own Flag, the root that joins the worlds."""
