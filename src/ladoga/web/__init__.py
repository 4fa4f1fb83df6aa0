"""The browser client, built: everything under ``static`` is made from the sources in ``client``."""
