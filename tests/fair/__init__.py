"""Tests of the room `fair`, and what they share."""
