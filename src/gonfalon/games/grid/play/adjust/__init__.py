"""Adjustments: corrections of the search's values by facts that worlds with open pieces cannot show."""
