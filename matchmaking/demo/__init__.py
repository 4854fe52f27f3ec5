"""The demo: a club with a real history, and bots that play through the same services as people."""
