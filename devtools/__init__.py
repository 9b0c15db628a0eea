"""The verbs of ./dev. Standard library only: they run before anything is installed."""
